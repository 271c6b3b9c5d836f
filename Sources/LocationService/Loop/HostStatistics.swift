/// What the service has done since its start.
public struct HostStatistics: Sendable, Equatable {
  /// Connections now.
  public var connections = 0
  /// Connections taken.
  public var accepted = 0
  /// Connections refused because there were too many.
  public var refused = 0
  /// Connections that nobody let, ended to make room or because their time was up.
  public var dropped = 0
  /// Connections ended because of what the client did.
  public var violations = 0
  /// Messages taken and sent.
  public var received = 0, sent = 0
  /// Solutions taken from the engine.
  public var solutions = 0
  /// Locations that slow clients have lost, over the connections that there are.
  public var lostLocations = 0
  /// Writes to storage that failed.
  public var storeFailures = 0
  /// Longest time from a solution's being published to its being handed to all sockets, in
  /// seconds, since the last reading.
  public var worstDelivery = 0.0
  /// What has become of the positions for a broker; nil where none is named.
  public var mqtt: MQTTStatistics?
  /// Clients of VISS now; nil where it is not spoken.
  public var vissClients: Int?

  /// Nothing yet.
  public init() {}
}
