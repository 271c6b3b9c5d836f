import JSON

/// One thing that a client of gpsd's protocol asks for.
package enum GPSDRequest: Equatable {
  case version
  case devices
  /// A device's description; its settings cannot be changed here.
  case device(path: String?)
  /// What is sent; nil asks only what is set.
  case watch(WatchChange?)
  case poll
  /// Not of the protocol, or with an argument that is not: the text that is sent back.
  case error(message: String)

  /// What a client changes of its ``WatchPolicy``; nil leaves a member as it is.
  package struct WatchChange: Equatable {
    /// Asking to watch turns it on, unless it says otherwise.
    package var enable = true
    package var json: Bool?
    package var nmea: Bool?
    package var raw: Int?
    package var scaled: Bool?
    package var timing: Bool?
    package var split24: Bool?
    package var pps: Bool?
    package var device: String?

    /// A change of nothing but `enable`.
    package init(enable: Bool = true) { self.enable = enable }
  }

  /// The request of a name and its argument, an object; `text` is all of it, for an error.
  init(name: String, argument: JSON?, text: some Sequence<UInt8>) {
    switch (name, argument) {
    case ("VERSION", nil): self = .version
    case ("DEVICES", nil): self = .devices
    case ("POLL", nil): self = .poll
    case ("DEVICE", let argument): self = .device(path: argument?["path"]?.string)
    case ("WATCH", nil): self = .watch(nil)
    case ("WATCH", let argument?): self = .watch(WatchChange(argument))
    default: self = .unrecognized(text)
    }
  }

  /// The error that quotes what was not understood, as far as it is printable, and at
  /// most 80 characters of it.
  static func unrecognized(_ text: some Sequence<UInt8>) -> GPSDRequest {
    let quoted = text.prefix(80).map { 0x20...0x7E ~= $0 ? $0 : UInt8(ascii: ".") }
    return .error(message: "Unrecognized request '\(String(decoding: quoted, as: UTF8.self))'")
  }
}

extension GPSDRequest.WatchChange {
  /// Members that this protocol does not know are left alone: newer clients send more.
  init(_ argument: JSON) {
    self.init(enable: argument["enable"]?.isOn ?? true)
    json = argument["json"]?.isOn
    nmea = argument["nmea"]?.isOn
    raw = argument["raw"]?.level
    scaled = argument["scaled"]?.isOn
    timing = argument["timing"]?.isOn
    split24 = argument["split24"]?.isOn
    pps = argument["pps"]?.isOn
    device = argument["device"]?.string
  }
}

extension JSON {
  /// gpsd's clients write booleans as numbers too, and the other way round.
  fileprivate var isOn: Bool? { bool ?? double.map { $0 != 0 } }
  fileprivate var level: Int? { bool.map { $0 ? 1 : 0 } ?? double.flatMap { Int(exactly: $0) } }
}
