import Location

extension ServiceConfiguration {
  /// A key whose value could be read and yet cannot be used.
  public struct Unusable: Error, Equatable, CustomStringConvertible {
    /// The key.
    public var key: String
    /// What is wrong, and what would be right.
    public var reason: String
    /// The key, and what is wrong.
    public var description: String { "\(key): \(reason)" }

    /// A key, and what is wrong.
    public init(key: String, reason: String) {
      self.key = key
      self.reason = reason
    }
  }

  /// Throws what cannot be used, whatever the system has free; opens nothing.
  public func check() throws(Unusable) {
    let sockets = [("socket", socket)] + (coarse.isAny ? [("[coarse] socket", coarse.socket)] : [])
    for (key, path) in sockets where !UnixSocket.isPath(path) {
      throw Unusable(key: key, reason: "a socket's path has 1 to \(UnixSocket.longestPath) bytes")
    }
    var taken: [(key: String, port: UInt16)] = []
    for (key, port) in [
      ("gpsd_port", outputs.gpsdPort), ("metrics_port", metricsPort), ("[web] port", web.port),
      ("[viss] port", viss.port),
    ] where port != 0 {
      if let other = taken.first(where: { $0.port == port }) {
        throw Unusable(key: key, reason: "\(port) is \(other.key) already: each needs a port of its own")
      }
      taken.append((key, port))
    }
    try mqtt.check()
    try checkParts()
  }

  /// Keys of something that the key which switches it on leaves off: half of a setting is a slip, not a wish.
  private func checkParts() throws(Unusable) {
    let none = ServiceConfiguration()
    let parts: [(section: String, switchedBy: String, isOn: Bool, keys: [(key: String, isSet: Bool)])] = [
      (
        "[outputs]", "gpsd_port", outputs.gpsdPort != 0,
        [("gpsd_host", outputs.gpsdHost != none.outputs.gpsdHost)]
      ),
      (
        "[web]", "port", web.port != 0,
        [("address_file", !web.addressFile.isEmpty), ("streets", !web.streets.isEmpty)]
      ),
      ("[viss]", "port", viss.port != 0, [("address_file", !viss.addressFile.isEmpty)]),
      (
        "[mqtt]", "host", !mqtt.host.isEmpty,
        [
          ("port", mqtt.port != none.mqtt.port), ("client_id", !mqtt.clientID.isEmpty),
          ("user", !mqtt.user.isEmpty), ("topic_prefix", !mqtt.topicPrefix.isEmpty),
        ]
      ),
    ]
    for part in parts where !part.isOn {
      guard let key = part.keys.first(where: \.isSet)?.key else { continue }
      throw Unusable(
        key: "\(part.section) \(key)",
        reason: "nothing uses it without \(part.switchedBy): set \(part.switchedBy), or leave \(key) out")
    }
  }
}
