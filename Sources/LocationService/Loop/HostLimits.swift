/// What clients may do to the service at most; beyond it the one that does loses its connection.
public struct HostLimits: Sendable, Equatable {
  /// Connections at once.
  public var connections = 256
  /// Connections at once of one user but root, so that one user cannot take them all.
  public var connectionsPerUser = 64
  /// Connections at once of one user that are told nothing because nobody lets them: beyond it the oldest of
  /// them ends.
  public var deniedPerUser = 8
  /// Seconds after which a connection that is told nothing ends; its program may come again and ask.
  public var denied = 60.0
  /// Seconds in which a connection must say who it is.
  public var hello = 5.0
  /// Seconds in which a line that has begun must end.
  public var line = 5.0
  /// Messages a second, lasting; ten times as many at once.
  public var messagesPerSecond = 100.0

  /// The limits of a car's computer.
  public init() {}

  /// Of all connections how many are kept for those who may decide about clients; half of these are for root
  /// alone.
  static let reserve = 16

  /// Connections that there may be for one more of `user` to be let in.
  func room(forRoot isRoot: Bool, administrator isAdministrator: Bool) -> Int {
    let reserve = min(Self.reserve, connections / 4)
    return connections - (isRoot ? 0 : isAdministrator ? reserve / 2 : reserve)
  }
}

extension HostLimits {
  /// Sets what `key` of the configuration names; whether it names anything.
  mutating func set(_ key: String, _ value: ConfigurationValue) throws(ServiceConfiguration.Flaw) -> Bool {
    switch key {
    case "connections": connections = Int(try value.integer(in: 1...10_000))
    case "connections_per_user": connectionsPerUser = Int(try value.integer(in: 1...10_000))
    case "denied_connections_per_user": deniedPerUser = Int(try value.integer(in: 1...10_000))
    case "denied_seconds": denied = try value.number(in: 1...86_400)
    case "hello_seconds": hello = try value.number(in: 0.1...600)
    case "line_seconds": line = try value.number(in: 0.1...600)
    case "messages_per_second": messagesPerSecond = try value.number(in: 1...100_000)
    default: return false
    }
    return true
  }
}
