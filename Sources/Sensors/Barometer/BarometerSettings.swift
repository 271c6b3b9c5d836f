/// Which barometer.
public struct BarometerSettings: Sendable, Equatable {
  /// Where it is.
  public var address: IIOAddress = .local
  /// The device (kernel name, chip or label); nil: the first with a pressure channel.
  public var device: String?

  /// The machine's own, found by its channel.
  public init() {}

  /// A context of libiio, and after a comma a device; nil where the text is none.
  public init?(_ text: String) {
    let parts = text.split(separator: ",", maxSplits: 1).map(String.init)
    guard let uri = parts.first, let address = IIOAddress(uri), !address.isFile else { return nil }
    self.address = address
    device = parts.count > 1 ? parts[1] : nil
  }
}
