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
  }
}
