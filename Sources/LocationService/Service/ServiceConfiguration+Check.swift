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
    for (key, port) in [("metrics_port", metricsPort), ("gpsd_port", outputs.gpsdPort)]
    where web.port != 0 && web.port == port {
      throw Unusable(key: "[web] port", reason: "\(port) is \(key) already: each needs a port of its own")
    }
    guard metricsPort == 0 || metricsPort != outputs.gpsdPort else {
      throw Unusable(
        key: "metrics_port", reason: "\(metricsPort) is gpsd_port already: each needs a port of its own")
    }
    try mqtt.check()
  }
}
