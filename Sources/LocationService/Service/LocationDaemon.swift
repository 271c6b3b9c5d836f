import CLibrary
import Fusion
import Location
import Locks
import Logging

/// The service as a whole: the host, its feed and its database, brought up and down in order.
public final class LocationDaemon: Sendable {
  private let host: LocationHost
  private let feed: any LocationFeed
  private let lock: StoreLock?
  private let store: SQLiteStore?
  private let coarse: CoarseFeed?
  private let log: Logger
  private let configuration: Mutex<ServiceConfiguration>
  private struct Times {
    var health = BootClock.now()
    var saved = BootClock.now()
    /// How many times the database was begun anew.
    var begun = 0
    /// Why the engine's state could not be saved, as it was said; nil while it can be.
    var failure: String?
  }
  private let times = Mutex(Times())

  /// Port of the metrics; nil where there are none.
  public var metricsPort: UInt16? { host.metricsPort }

  /// Opens what is needed. `listener` is a socket that listens already.
  public init(
    _ configuration: ServiceConfiguration, feed: any LocationFeed, listener: Int32? = nil,
    log: Logger
  ) throws {
    self.configuration = Mutex(configuration)
    self.feed = feed
    self.log = log
    lock = configuration.database.isEmpty ? nil : try StoreLock(database: configuration.database)
    store =
      configuration.database.isEmpty
      ? nil : try SQLiteStore.recovering(path: configuration.database) { log.warning("\($0)") }
    var stored = try store?.read { log.warning("\($0)") } ?? StoredState()
    stored.lastLocation = stored.cached(now: BootClock.now(), utc: BootClock.utc())
    let hub = Hub(
      stored: stored,
      policy: AuthorizationPolicy(
        locationServicesEnabled: configuration.locationServicesEnabled, rules: configuration.rules,
        trustedUser: configuration.trustOwnUser ? geteuid() : nil),
      administrators: [0, geteuid()])
    var settings = LocationHost.Configuration()
    settings.socket = configuration.socket
    settings.socketMode = configuration.socketMode
    settings.listener = listener
    settings.limits = configuration.limits
    settings.onDemand = { [feed] in feed.demand($0) }
    settings.log = log
    settings.metricsPort = configuration.metricsPort == 0 ? nil : configuration.metricsPort
    settings.page =
      configuration.web.port == 0
      ? nil : .init(port: configuration.web.port, addressFile: configuration.pageAddressFile)
    settings.page?.streets = configuration.web.streets
    settings.viss =
      configuration.viss.port == 0
      ? nil : .init(port: configuration.viss.port, addressFile: configuration.vissAddressFile)
    if !configuration.mqtt.host.isEmpty {
      settings.broker = .init(mqtt: configuration.mqtt, password: try configuration.mqtt.password())
    }
    host = LocationHost(hub: hub, store: store, configuration: settings)
    let coarse = configuration.coarse
    self.coarse =
      coarse.isAny
      ? try CoarseFeed(database: coarse.database, socket: coarse.socket, mode: coarse.mode) {
        log.warning("\($0)")
      } : nil
  }

  /// Starts the host, then what feeds it.
  public func start() throws {
    var saved: SavedState?
    do { saved = try store?.savedState(unixTime: BootClock.utc().seconds) } catch {
      log.warning("a cold start: \(error)")
    }
    try host.start()
    try feed.start(host: host, savedState: saved)
    try coarse?.start(host: host)
  }

  /// To be called about once a second: health, and what the engine knows every minute. Whether all is alive.
  public func beat() -> Bool {
    let now = BootClock.now()
    let interval = configuration.withLock { $0.healthInterval }
    let (isHealthDue, isSaveDue) = times.withLock { times in
      let due = (
        interval > 0 && now.seconds(since: times.health) >= interval, now.seconds(since: times.saved) >= 60
      )
      if due.0 { times.health = now }
      if due.1 { times.saved = now }
      return due
    }
    if isHealthDue { log.info("\(host.takeStatistics().health)") }
    if isSaveDue || hasBegunAnew { saveState() }
    if store?.isGone == true { host.storeEverything() }
    return host.isAlive(within: 5)
  }

  /// Takes another configuration as far as that goes without a restart: who may know.
  /// Returns what would need one.
  public func reload(_ new: ServiceConfiguration) -> [String] {
    let old = configuration.withLock { old in
      defer { old = new }
      return old
    }
    host.setRules(
      new.rules, locationServicesEnabled: new.locationServicesEnabled,
      trustedUser: new.trustOwnUser ? geteuid() : nil)
    var fixed: [String] = []
    if old.socket != new.socket || old.socketMode != new.socketMode { fixed.append("socket") }
    if old.database != new.database { fixed.append("database") }
    if old.metricsPort != new.metricsPort { fixed.append("metrics_port") }
    if old.sensors != new.sensors { fixed.append("[sensors]") }
    if old.coarse != new.coarse { fixed.append("[coarse]") }
    if old.outputs != new.outputs { fixed.append("[outputs]") }
    if old.web != new.web { fixed.append("[web]") }
    if old.viss != new.viss { fixed.append("[viss]") }
    if old.mqtt != new.mqtt { fixed.append("[mqtt]") }
    if old.limits != new.limits { fixed.append("[limits]") }
    return fixed
  }

  /// Ends in order: the feed, the clients, the database. Whether all ended in time.
  public func stop(within seconds: Double) -> Bool {
    feed.stop(within: seconds / 2)
    coarse?.stop()
    saveState()
    let hasEnded = host.stop(within: seconds / 2)
    do { try store?.close() } catch { log.error("storage: \(error)") }
    if hasEnded { lock?.release() }
    return hasEnded
  }

  /// Whether the database is another than at the last question.
  private var hasBegunAnew: Bool {
    let begun = store?.begun ?? 0
    return times.withLock { times in
      defer { times.begun = begun }
      return times.begun != begun
    }
  }

  private func saveState() {
    // What a replayed drive has taught is nothing about this car.
    guard let store, !(feed is ReplayFeed), let state = feed.savedState else { return }
    var failure: String?
    do { try store.write(state, unixTime: BootClock.utc().seconds) } catch {
      failure = "\(error)"
      if (error as? StoreError)?.asksForEverything == true { host.storeEverything() }
    }
    let said = times.withLock { times in
      defer { times.failure = failure }
      return times.failure
    }
    if let failure, failure != said { log.error("storage: \(failure)") }
  }
}
