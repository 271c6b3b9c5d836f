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

  /// The request of a name and the members of its argument; `text` is all of it, for an error.
  init(name: String, argument: [String: FlatJSON.Value]?, text: some Sequence<UInt8>) {
    switch (name, argument) {
    case ("VERSION", nil): self = .version
    case ("DEVICES", nil): self = .devices
    case ("POLL", nil): self = .poll
    case ("DEVICE", let members): self = .device(path: members?["path"]?.text)
    case ("WATCH", nil): self = .watch(nil)
    case ("WATCH", let members?): self = .watch(WatchChange(members))
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
  init(_ members: [String: FlatJSON.Value]) {
    self.init(enable: members["enable"]?.boolean ?? true)
    json = members["json"]?.boolean
    nmea = members["nmea"]?.boolean
    raw = members["raw"]?.integer
    scaled = members["scaled"]?.boolean
    timing = members["timing"]?.boolean
    split24 = members["split24"]?.boolean
    pps = members["pps"]?.boolean
    device = members["device"]?.text
  }
}
