import CLibrary
import CompatibleOutputs
import Dispatch
import Drives
import Fusion
import Live
import Location
import LocationService
import Locks
import Logging
import SensorEvents
import Sensors

/// Feeds a host from the sensors of this computer, for as long as anybody needs them.
///
/// A thread of its own passes on what the fusion thread says, as soon as it says it, and looks then who needs
/// what. While nobody needs anything, no sensor is open; the next who does starts from what was learned.
final class LiveFeed: LocationFeed {
  /// Locations a second.
  static let rate = 10.0
  /// The live page is told twice a second.
  static let detailsInterval = 0.5
  /// Fixes that wait for it at most.
  static let mostFixes = 32
  /// A receiver tracks on between its fixes: less than one a second would spare it nothing, and its
  /// loss would be seen late.
  static let leastFixRate = 1.0
  /// Sensors that the system refused are tried again after so long, s.
  static let retryInterval = 5.0

  private struct State {
    var demand = HardwareDemand.off
    var isStopping = false
    var hasEnded = true
    var saved: SavedState?
    /// When `saved` was as old as it says, on the boot clock.
    var savedAsOf = BootClock.now()
  }

  /// What the readers say that no status tells.
  private struct Heard {
    var geoidSeparation: Double?
    var isCorrected = false
    var sky: SkyReading?
    /// Those that the live page has not been told.
    var fixes: [EngineDetails.Fix] = []
  }

  /// One time that sensors are read.
  private struct Session {
    let loop: FusionThread
    let sensors: SensorSet
    /// What runs.
    var running: HardwareDemand
    /// What was said last of the saved state.
    var warmStart = ""
    /// When the live page was told last.
    var lastDetails: Timestamp?
  }

  private let settings: SensorSettings
  private let configuration: ServiceConfiguration.SensorConfiguration
  private let outputs: OutputService?
  private let log: Logger
  private let state: Mutex<State>
  private let heard = Mutex(Heard())
  /// Rung where there is something to do before the time is over: a place, other needs, the end.
  private let bell = DispatchSemaphore(value: 0)

  /// The sensors of `configuration`; `outputs` are told as the host is, and need the sensors always.
  init(
    _ configuration: ServiceConfiguration.SensorConfiguration, outputs: OutputService?,
    log: Logger
  ) throws {
    settings = try configuration.settings()
    self.configuration = configuration
    self.outputs = outputs
    self.log = log
    state = Mutex(State())
    demand(.off)
  }

  /// As old as it is by now.
  var savedState: SavedState? {
    state.withLock { state in
      guard var saved = state.saved else { return nil }
      saved.age = saved.age.map { $0 + BootClock.now().seconds(since: state.savedAsOf) }
      return saved
    }
  }

  func demand(_ demand: HardwareDemand) {
    let isAlways = configuration.always || outputs != nil
    state.withLock { $0.demand = isAlways ? .strictest([demand, .standard(.bestForNavigation)]) : demand }
    bell.signal()
  }

  func start(host: LocationHost, savedState: SavedState?) throws {
    state.withLock { ($0.hasEnded, $0.saved, $0.savedAsOf) = (false, savedState, BootClock.now()) }
    let failure = PlainThread.start { [self] in
      run(host)
      state.withLock { $0.hasEnded = true }
    }
    if failure != 0 { throw LocationError.serviceUnreachable("no thread could be started") }
  }

  func stop(within seconds: Double) {
    state.withLock { $0.isStopping = true }
    bell.signal()
    for _ in 0..<Int(seconds * 500) where !state.withLock({ $0.hasEnded }) { pause(milliseconds: 2) }
  }

  // MARK: The thread

  private func run(_ host: LocationHost) {
    let sources = settings.descriptions.count
    var session: Session?
    var hardware = HardwareSwitch(patience: configuration.patience)
    var diary = SourceDiary()
    var nextTry = BootClock.now()
    host.publish(.init(location: nil, sources: sources), utc: nil)
    while case let state = state.withLock({ $0 }), !state.isStopping {
      let now = BootClock.now()
      let wanted = hardware.update(state.demand, at: now)
      switch session {
      case let open? where wanted == .off:
        end(open)
        session = nil
        host.publish(.init(location: nil, sources: sources), utc: nil)
        host.publish(health: EngineHealth())
        if host.hasPage { host.publish(details: EngineDetails()) }
        log.info("sensors: nobody needs them")
      case var open?:
        if open.running != wanted, now >= nextTry, !adjust(&open, to: wanted) {
          nextTry = now.advanced(bySeconds: Self.retryInterval)
        }
        tell(&open)
        show(&open, to: host)
        session = open
        pass(open, to: host, sources: sources, diary: &diary)
      case nil where wanted != .off && now >= nextTry:
        session = begin(wanted)
        nextTry = now.advanced(bySeconds: Self.retryInterval)
      default: break
      }
      // Where the fusion thread says nothing it is late, and what there is counts.
      _ = bell.wait(timeout: .now() + (session == nil ? 1 : 2) / Self.rate)
    }
    if let session { end(session) }
  }

  private func begin(_ demand: HardwareDemand) -> Session? {
    let saved = savedState
    let engine = LiveEngine(
      configuration: LiveConfiguration(sources: settings.descriptions), savedState: saved)
    var running = LoopConfiguration(realtime: configuration.realtime, outputRate: Self.rate)
    running.allocations = HeapCount.ofThread
    let loop = FusionThread(engine: engine, loop: running)
    _ = loop.subscribe { [bell] _ in bell.signal() }
    guard loop.start() else {
      log.error("the system has no thread left")
      return nil
    }
    let sensors = SensorSet(settings) { [self, mailbox = loop.mailbox] event in
      hear(event)
      mailbox.post(event)
    }
    var session = Session(loop: loop, sensors: sensors, running: .off)
    guard adjust(&session, to: demand) else {
      end(session)
      return nil
    }
    for message in loop.messages { log.notice("\(message)") }
    let start = saved == nil ? "a cold start" : "from the saved state, as far as they bear it out"
    log.info("sensors: \(start)")
    return session
  }

  /// Runs what `demand` needs, and no more; false where the system refuses.
  private func adjust(_ session: inout Session, to demand: HardwareDemand) -> Bool {
    // Without a receiver there is nothing that would do for those who need little.
    let isWhole = demand.isInertialOn || settings.gpsd == nil
    session.sensors.want(isWhole ? nil : max(Self.leastFixRate, demand.gnssRate))
    let roles = isWhole ? Set(settings.descriptions.map(\.role)) : [.fix]
    guard roles != session.sensors.roles else {
      session.running = demand
      return true
    }
    let had = session.sensors.roles
    do {
      let loop = LoopConfiguration(realtime: configuration.realtime)
      try RealTime.forThreads(startedAt: loop.readerPriority) { try session.sensors.run(roles) }
    } catch {
      log.error("\(error)")
      return false
    }
    session.running = demand
    if !had.isEmpty {
      log.info("sensors: \(isWhole ? "all are needed again" : "the receiver is enough for those who ask")")
    }
    return true
  }

  /// Says what becomes of the saved state.
  private func tell(_ session: inout Session) {
    guard let report = session.loop.status?.warmStart, report.stage != .waiting,
      case let text = report.text, text != session.warmStart
    else { return }
    session.warmStart = text
    log.notice("\(text)")
  }

  /// Tells the live page, where there is one.
  private func show(_ session: inout Session, to host: LocationHost) {
    guard host.hasPage, let status = session.loop.status else { return }
    if let last = session.lastDetails, status.time.seconds(since: last) < Self.detailsInterval { return }
    session.lastDetails = status.time
    let fixes = heard.withLock { heard in
      defer { heard.fixes = [] }
      return heard.fixes
    }
    host.publish(details: EngineDetails(status, fixes: fixes))
  }

  private func end(_ session: Session) {
    session.sensors.stop(within: 1)
    guard let engine = session.loop.stop(within: 1) else {
      return log.error("the engine did not end in time; what it knew a moment ago is kept")
    }
    remember(engine.status(at: LoopClock.system.now()))
  }

  private func remember(_ status: LiveStatus) {
    guard var saved = status.savedState else { return }
    saved.age = max(0, status.time.seconds(since: saved.time))
    state.withLock { ($0.saved, $0.savedAsOf) = (saved, status.time) }
  }

  /// On a reader's thread.
  private func hear(_ event: SensorEvent) {
    switch event.content {
    case .fix(let reading) where reading.dimensions != .none:
      let separation = PositionReport.geoidSeparation(of: reading)
      heard.withLock {
        $0.geoidSeparation = separation ?? $0.geoidSeparation
        $0.isCorrected = reading.isCorrected
        $0.fixes = ($0.fixes + [EngineDetails.Fix(reading.fix, at: event.arrival)]).suffix(Self.mostFixes)
      }
    case .sky(let reading): heard.withLock { $0.sky = reading }
    default: break
    }
  }

  private func pass(_ session: Session, to host: LocationHost, sources: Int, diary: inout SourceDiary) {
    guard let output = session.loop.newest, let status = session.loop.status else { return }
    remember(status)
    for line in diary.news(status) { log.notice("\(line)") }
    let lost = status.sources.filter { !$0.isDelivering }.map(\.name)
    let heard = heard.withLock { heard in
      defer { heard.sky = nil }
      return heard
    }
    let geoid = heard.geoidSeparation ?? output.solution.map { EGM96.separation($0.position) }
    let location = output.solution.map {
      Location($0, utc: output.utc?.time, sources: status.locationSources, geoidHeight: geoid)
    }
    host.publish(
      .init(location: location, sources: sources, lostSources: lost), utc: output.utc?.time)
    host.publish(health: status.engineHealth)
    guard let outputs else { return }
    // The computer's own clock may be off by years: programs that expect a receiver are not
    // told it as a receiver's.
    let utc = output.utc.flatMap { $0.authority == .system ? nil : $0.time.nanoseconds }
    var report = PositionReport(utcNanoseconds: utc, solution: output.solution, isAided: status.hasFix)
    report.geoidSeparation = geoid
    report.isCorrected = heard.isCorrected
    outputs.publish(report, sky: heard.sky)
  }
}

extension LiveStatus {
  /// Whether fixes are recent enough to hold the position.
  fileprivate var hasFix: Bool {
    // A status is up to 0.2 s older than the solution that comes with it; the first solution rests on a fix.
    if solution == nil { return true }
    guard let fixAge, let health = sources.first(where: { $0.id == fixSource }) else { return false }
    return fixAge < max(2, health.longestSilence)
  }

  fileprivate var locationSources: LocationSources {
    func streams(_ id: SourceID?) -> Bool {
      id != nil && sources.contains { $0.id == id && $0.state == .streaming }
    }
    var list: LocationSources = []
    if hasFix { list.insert(.gnss) }
    if streams(inertialSource) { list.insert(.inertial) }
    if streams(wheelSource) { list.insert(.wheel) }
    return list
  }
}
