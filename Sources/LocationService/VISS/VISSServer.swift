import Location
import Navigation

/// What clients of VISS version 2 are told, and who they are. Lives on the host's event loop.
///
/// All of them together are one client of the hub, of the service's own user: while any is connected they are
/// told what it may know, need the sensors, and are in the audit.
final class VISSServer {
  /// By which name it is authorized.
  static let name = "reckon-viss"
  /// Clients at once.
  static let mostClients = 8
  /// Seconds for which a client may take nothing.
  static let patience = 10.0

  let token = PageToken()
  private var client: HubClient
  private var waiting = WaitingRoom()
  private var handlers: [VISSHandler] = []

  /// The server of a service that runs as `user`.
  init(user: UInt32) {
    client = HubClient(name: Self.name, user: user, purpose: "tells clients of VISS where the car is")
  }

  // MARK: Who asks

  /// A connection that has not asked to speak VISS yet.
  func wait(_ visitor: any Visitor) { waiting.enter(visitor)?.close() }

  /// It speaks VISS by now, or has gone.
  func leave(_ visitor: any Visitor) { waiting.leave(visitor) }

  /// How many clients there are.
  var count: Int { handlers.count }

  /// Whether there is room for one more client.
  var hasRoom: Bool { handlers.count < Self.mostClients }

  func open(_ handler: VISSHandler, _ hub: inout Hub) {
    handlers.append(handler)
    client.connect(&hub)
    take(&hub)
  }

  func close(_ handler: VISSHandler, _ hub: inout Hub) {
    handlers.removeAll { $0 === handler }
    if handlers.isEmpty { client.disconnect(&hub) }
  }

  // MARK: What there is

  /// Takes what the hub has for its client.
  func take(_ hub: inout Hub) {
    _ = client.refresh(hub)
    client.take(&hub)
  }

  /// What may be told now, after ``take(_:)``.
  var view: VISSSession.View {
    .init(location: client.location, isAllowed: client.grant?.denial == nil, utc: BootClock.utc())
  }

  /// To be called ten times a second, after ``take(_:)`` and without a hold on the hub: a connection may
  /// end by being written to.
  func tick(at now: Timestamp) {
    let view = view
    for handler in handlers { handler.tick(view, at: now) }
  }
}
