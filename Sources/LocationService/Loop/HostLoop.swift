import CLibrary
import Location
import Logging
import NIOCore
import Navigation

/// The hub, the connections and the clients in this process, one thing after another.
/// Lives on the event loop.
///
/// Events change the hub; once each time round, ``pump()`` hands out what has come of it.
final class HostLoop {
  /// Time from one look at the clock to the next.
  static let beat = TimeAmount.milliseconds(100)

  let limits: HostLimits
  var hub: Hub
  var locals: [Hub.ConnectionID: LocalProvider] = [:]
  var count = HostStatistics()
  private let loop: any EventLoop
  private let configuration: LocationHost.Configuration
  private let gauge: HostGauge
  private let writer: StoreWriter?
  /// The file of the socket that this host made; nil where systemd did.
  var ownSocket: SocketFile?
  /// The live page; nil where there is none.
  var page: PageServer?
  /// VISS; nil where there is none.
  var viss: VISSServer?
  /// The files of their addresses.
  var addresses: [SocketFile] = []
  /// Who tells a broker; nil where none is named.
  var publisher: MQTTPublisher?
  private var connections: [Hub.ConnectionID: ConnectionHandler] = [:]
  private var isPumpScheduled = false
  private var demand: HardwareDemand?
  private var encoder = LineEncoder()

  init(
    hub: Hub, writer: StoreWriter?, gauge: HostGauge, configuration: LocationHost.Configuration,
    on loop: any EventLoop
  ) {
    (self.hub, self.writer, self.gauge, self.configuration, self.loop) = (
      hub, writer, gauge, configuration, loop
    )
    limits = configuration.limits
  }

  /// Looks at the time.
  func tick() {
    let now = BootClock.now()
    gauge.lastBeat = now
    hub.tick(at: now, utc: BootClock.utc())
    for connection in connections.values { connection.check(at: now) }
    if let page, let details = gauge.takeDetails() { page.note(details, &hub) }
    pump()
    page?.refresh(&hub)
    page?.tick(at: now)
    viss?.tick(at: now)
    publisher?.tick(at: now)
  }

  // MARK: The engine

  func update(_ input: Hub.Input, utc: Timestamp?, published: Timestamp) {
    count.solutions += 1
    hub.update(input, at: BootClock.now(), utc: utc ?? BootClock.utc())
    if let location = input.location { page?.note(location, &hub) }
    pump()
    count.worstDelivery = max(count.worstDelivery, BootClock.now().seconds(since: published))
    report()
  }

  // MARK: Connections

  /// The number of a new connection of `user`; nil if there is no room for it.
  func admit(_ connection: ConnectionHandler, of user: UInt32?) -> Hub.ConnectionID? {
    guard let user, hasRoom(for: user) else {
      count.refused += 1
      return nil
    }
    count.accepted += 1
    let id = hub.connect(user: user)
    connections[id] = connection
    return id
  }

  /// Whether there is room for one more connection of `user`, if need be in place of one that waits to be
  /// let.
  private func hasRoom(for user: UInt32) -> Bool {
    let isRoot = user == 0
    let room = limits.room(forRoot: isRoot, administrator: hub.isAdministrator(user))
    let own = connections.values.count { $0.user == user }
    if own >= limits.connectionsPerUser, !isRoot, !dropOneThatWaits(of: user) { return false }
    return connections.count < room || dropOneThatWaits()
  }

  /// Ends the connection that waits longest to be let, of `user` or of all; false where none does.
  private func dropOneThatWaits(of user: UInt32? = nil) -> Bool {
    let waiting = connections.compactMap { id, connection in
      user == nil || connection.user == user ? hub.waitsSince(id).map { (id, $0) } : nil
    }
    guard let oldest = waiting.min(by: { ($0.1, $0.0) < ($1.1, $1.0) }) else { return false }
    count.dropped += 1
    let connection = connections[oldest.0]
    remove(oldest.0)
    connection?.close()
    return true
  }

  /// Of the connections of `user` that wait to be let only so many stay.
  func limitWaiting(of user: UInt32) {
    let waiting = connections.count { id, connection in connection.user == user && hub.waitsSince(id) != nil }
    for _ in 0..<max(0, waiting - limits.deniedPerUser) { _ = dropOneThatWaits(of: user) }
  }

  func remove(_ id: Hub.ConnectionID) {
    guard connections.removeValue(forKey: id) != nil else { return }
    hub.disconnect(id)
    schedulePump()
  }

  /// The line of the next message for a connection; nil if nothing waits.
  func nextLine(for id: Hub.ConnectionID) -> ByteBuffer? {
    guard let next = hub.next(for: id) else { return nil }
    count.sent += 1
    return encoder.line(next.message)
  }

  // MARK: The live page

  /// A browser that has shown the token asks for events; false where too many do.
  func openPage(_ handler: PageHandler) -> Bool {
    defer { schedulePump() }
    return page?.open(handler, &hub) ?? false
  }

  /// A browser's connection has ended.
  func closePage(_ handler: PageHandler) {
    page?.close(handler, &hub)
    schedulePump()
  }

  /// Tells the pages at once what there is.
  func tellPages() {
    page?.refresh(&hub)
    page?.tell(at: BootClock.now())
  }

  // MARK: VISS

  /// A client speaks VISS.
  func openVISS(_ handler: VISSHandler) {
    viss?.open(handler, &hub)
    schedulePump()
  }

  /// A client's connection has ended.
  func closeVISS(_ handler: VISSHandler) {
    viss?.close(handler, &hub)
    schedulePump()
  }

  /// What clients of VISS may be told now.
  var vissView: VISSSession.View {
    viss?.take(&hub)
    return viss?.view ?? .init(location: nil, isAllowed: false, utc: BootClock.utc())
  }

  // MARK: Handing out

  /// Hands out at the end of this time round, however much there still comes.
  func schedulePump() {
    if !isPumpScheduled { loop.assumeIsolated().execute { self.pump() } }
    isPumpScheduled = true
  }

  /// Gives every client what it has room for, and the storage what is to be kept.
  func pump() {
    isPumpScheduled = false
    store()
    for connection in connections.values { connection.pump() }
    for (id, local) in locals where hub.hasOutput(id) {
      local.take { hub.next(for: id)?.message }
    }
    page?.take(&hub)
    viss?.take(&hub)
    publisher?.take(&hub)
    report()
    let needed = hub.demand
    if needed != demand {
      demand = needed
      configuration.onDemand(needed)
    }
  }

  private func report() {
    count.connections = hub.connectionCount
    count.lostLocations = hub.lostLocations
    count.mqtt = publisher?.statistics
    count.vissClients = viss?.count
    gauge.set(count)
    count.worstDelivery = 0
  }

  // MARK: Storage

  private func store() {
    guard let (number, changes) = hub.takeStoreChanges() else { return }
    if let writer {
      writer.write(number, changes)
    } else {
      hub.stored(number)
    }
  }

  /// A write has ended, well or not; the writer says why not.
  func stored(_ number: UInt64, _ succeeded: Bool) {
    if !succeeded { count.storeFailures += 1 }
    hub.stored(number, succeeded: succeeded)
  }

  // MARK: The end

  func end() {
    for (id, connection) in connections {
      remove(id)
      connection.close()
    }
    publisher?.end()
    hub.tick(at: BootClock.now(), utc: BootClock.utc())
    hub.saveAll()
    store()
    writer?.finish()
    ownSocket?.remove()
    addresses.forEach { $0.remove() }
  }
}
