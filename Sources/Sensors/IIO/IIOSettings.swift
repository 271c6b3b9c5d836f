/// Which IMU, and how it is read.
public struct IIOSettings: Sendable, Equatable {
  /// Where it is.
  public var address: IIOAddress = .local
  /// The device (kernel name, chip or label) with the gyroscope, or with both; nil: found by its channels.
  public var device: String?
  /// The device with the accelerometer where it is another one; nil: found by its channels.
  public var accelerometer: String?
  /// Samples a second that are asked for; the nearest that the device offers is set. 100 Hz resolves a car's
  /// motion, and is what cheap chips filter their samples for.
  public var rate = 100.0

  /// Rates that can be read, from a sample in ten seconds to what no car needs.
  static let rates = 0.1...4000.0

  /// `rate`, or the bound of ``rates`` that is nearest to it; 100 for what is not a number.
  static func bounded(_ rate: Double) -> Double {
    rate.isNaN ? 100 : min(max(rate, rates.lowerBound), rates.upperBound)
  }

  /// The machine's own IMU, found by its channels.
  public init() {}
}

/// Where IIO devices are: a context of libiio.
public struct IIOAddress: Sendable, Hashable, CustomStringConvertible {
  /// libiio's text for it.
  public let uri: String

  /// This machine's devices.
  public static let local = IIOAddress(uri: "local:")

  private init(uri: String) { self.uri = uri }

  /// `local:`, `ip:HOST` or `ip:HOST:PORT`, `usb:` with or without an address, or `xml:FILE`
  /// (to look at, not to read).
  public init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":"), !text.utf8.contains(0) else { return nil }
    let rest = text[text.index(after: colon)...]
    switch text[..<colon] {
    case "local": guard rest.isEmpty else { return nil }
    case "usb": break
    case "ip", "xml": guard !rest.isEmpty else { return nil }
    default: return nil
    }
    uri = text
  }

  /// libiio's text for it.
  public var description: String { uri }

  /// Whether it is a file that describes devices, with no samples.
  var isFile: Bool { uri.hasPrefix("xml:") }

  /// Whether the devices are this machine's, so that their timestamps are by its clocks.
  var sharesClocks: Bool {
    if uri == "local:" { return true }
    guard uri.hasPrefix("ip:") else { return false }
    let host = uri.dropFirst(3)
    return host.hasPrefix("127.") || host.hasPrefix("localhost") || host.hasPrefix("[::1]")
  }
}
