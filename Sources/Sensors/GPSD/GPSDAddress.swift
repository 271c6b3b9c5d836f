/// Where a gpsd listens, and which of its receivers is meant, written as gpsd's own
/// clients do: `host:port:device`.
public struct GPSDAddress: Sendable, Hashable, CustomStringConvertible {
  /// Name or address of the host.
  public var host = "localhost"
  /// TCP port; gpsd's own is 2947.
  public var port: UInt16 = 2947
  /// The receiver by the path that gpsd knows it by; nil takes the first that has a fix.
  public var device: String?

  /// The gpsd of this computer, unless told otherwise.
  public init(host: String = "localhost", port: UInt16 = 2947, device: String? = nil) {
    self.host = host
    self.port = port
    self.device = device
  }

  /// Reads `[host][:port][:device]`; an IPv6 address stands in brackets, and a text that
  /// begins with `/` is a device.
  public init(_ text: String) throws(SourceError) {
    var rest = Substring(text)
    func refuse(_ reason: String) -> SourceError { .address(text, reason: reason) }
    if rest.hasPrefix("/") {
      device = text
      return
    }
    if rest.hasPrefix("[") {
      guard let end = rest.firstIndex(of: "]") else { throw refuse("a bracket is not closed") }
      host = String(rest[rest.index(after: rest.startIndex)..<end])
      rest = rest[rest.index(after: end)...]
      guard !host.isEmpty, rest.isEmpty || rest.hasPrefix(":") else {
        throw refuse("write [address]:port:device")
      }
    } else {
      let name = rest.prefix { $0 != ":" }
      if !name.isEmpty { host = String(name) }
      rest = rest[name.endIndex...]
    }
    guard rest.popFirst() != nil else { return }
    let digits = rest.prefix { $0 != ":" }
    if !digits.isEmpty {
      guard let number = UInt16(digits), number > 0 else { throw refuse("\"\(digits)\" is no port") }
      port = number
    }
    rest = rest[digits.endIndex...]
    guard rest.popFirst() != nil else { return }
    guard !rest.isEmpty else { throw refuse("the device has no name") }
    device = String(rest)
  }

  /// As it is read, without the device.
  public var endpoint: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// As it is read.
  public var description: String { device.map { "\(endpoint):\($0)" } ?? endpoint }
}
