/// What clients may do to the service at most; beyond it the one that does loses its connection.
public struct HostLimits: Sendable, Equatable {
  /// Connections at once.
  public var connections = 256
  /// Connections at once of one user, so that one user cannot take them all.
  public var connectionsPerUser = 192
  /// Seconds in which a connection must say who it is.
  public var hello = 5.0
  /// Seconds in which a line that has begun must end.
  public var line = 5.0
  /// Messages a second, lasting; ten times as many at once.
  public var messagesPerSecond = 100.0

  /// The limits of a car's computer.
  public init() {}
}
