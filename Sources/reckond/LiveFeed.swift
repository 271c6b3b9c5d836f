import CompatibleOutputs
import Fusion
import Live
import Location
import LocationService
import Navigation
import SensorEvents
import Synchronization

/// Feeds a host from the sensors of this computer, for as long as anybody needs them.
///
/// A thread of its own looks ten times a second who needs what, and passes on what the fusion thread says. While nobody needs
/// anything, no sensor is open; the next who does starts from what was learned.
final class LiveFeed: LocationFeed {
  /// Locations a second.
  static let rate = 10.0
  /// Seconds for which sensors are read on after the last need: a client that comes again finds all as it was.
  static let patience = 60.0

  private struct State {
    var isNeeded: Bool
    var isStopping = false
    var hasEnded = true
    var savedState: SavedState?
  }

  /// What the readers say that no status tells.
  private struct Heard {
    var geoidSeparation: Double?
    var isCorrected = false
    var sky: SkyReading?
  }

  /// One time that sensors are read.
  private struct Session {
    let loop: FusionThread
    let sensors: SensorChoice.Running
  }

  private let sensors: SensorChoice
  private let configuration: ServiceConfiguration.SensorConfiguration
  private let outputs: OutputService?
  private let log: @Sendable (String) -> Void
  private let state: Mutex<State>
  private let heard = Mutex(Heard())

  /// The sensors of `configuration`; `outputs` are told as the host is, and need the sensors always.
  init(
    _ configuration: ServiceConfiguration.SensorConfiguration, outputs: OutputService?,
    log: @escaping @Sendable (String) -> Void
  ) throws {
    sensors = try SensorChoice(configuration)
    self.configuration = configuration
    self.outputs = outputs
    self.log = log
    state = Mutex(State(isNeeded: configuration.always || outputs != nil))
  }

  var savedState: SavedState? { state.withLock { $0.savedState } }

  func demand(_ demand: HardwareDemand) {
    let isNeeded = configuration.always || outputs != nil || demand.gnssRate > 0 || demand.isInertialOn
    state.withLock { $0.isNeeded = isNeeded }
  }

  func start(host: LocationHost, savedState: SavedState?) throws {
    state.withLock { ($0.hasEnded, $0.savedState) = (false, savedState) }
    let hasThread = PlainThread.start { [self] in
      run(host)
      state.withLock { $0.hasEnded = true }
    }
    if !hasThread { throw LocationError.serviceUnreachable("no thread could be started") }
  }

  func stop(within seconds: Double) {
    state.withLock { $0.isStopping = true }
    for _ in 0..<Int(seconds * 500) where !state.withLock({ $0.hasEnded }) { pause(milliseconds: 2) }
  }

  // MARK: The thread

  private func run(_ host: LocationHost) {
    let sources = sensors.descriptions.count
    var session: Session?
    var diary = SourceDiary()
    var lastNeed: Timestamp?
    var nextTry = BootClock.now()
    host.publish(.init(location: nil, sources: sources), utc: nil)
    while case let state = state.withLock({ $0 }), !state.isStopping {
      let now = BootClock.now()
      if state.isNeeded { lastNeed = now }
      let isWanted = lastNeed.map { now.seconds(since: $0) < Self.patience } ?? false
      switch session {
      case let open? where !isWanted:
        end(open)
        session = nil
        lastNeed = nil
        host.publish(.init(location: nil, sources: sources), utc: nil)
        log("sensors: nobody needs them")
      case let open?: pass(open, to: host, sources: sources, diary: &diary)
      case nil where isWanted && now >= nextTry:
        session = begin(from: state.savedState)
        nextTry = now.advanced(bySeconds: 5)
      default: break
      }
      pause(milliseconds: Int32(1000 / Self.rate))
    }
    if let session { end(session) }
  }

  private func begin(from saved: SavedState?) -> Session? {
    let engine = LiveEngine(
      configuration: LiveConfiguration(sources: sensors.descriptions), savedState: saved)
    var settings = LoopConfiguration()
    settings.priority = configuration.realtime ? 50 : nil
    settings.locksMemory = configuration.realtime
    let loop = FusionThread(engine: engine, loop: settings)
    guard loop.start() else {
      log("error: the system has no thread left")
      return nil
    }
    do {
      let running = try RealTime.forThreads(startedAt: configuration.realtime ? 51 : nil) {
        try sensors.start { [self, mailbox = loop.mailbox] event in
          hear(event)
          mailbox.post(event)
        }
      }
      for message in loop.messages { log("note: \(message)") }
      log(
        saved == nil ? "sensors: a cold start" : "sensors: from the saved state, as far as they bear it out")
      return Session(loop: loop, sensors: running)
    } catch {
      log("error: \(error)")
      _ = loop.stop(within: 1)
      return nil
    }
  }

  private func end(_ session: Session) {
    session.sensors.stop()
    guard let engine = session.loop.stop(within: 1) else {
      return log("error: the engine did not end in time; what it knew a moment ago is kept")
    }
    remember(engine.status(at: LoopClock.system.now()).savedState)
  }

  private func remember(_ saved: SavedState?) {
    if let saved { state.withLock { $0.savedState = saved } }
  }

  /// On a reader's thread.
  private func hear(_ event: SensorEvent) {
    switch event.content {
    case .fix(let reading) where reading.dimensions != .none:
      let separation = PositionReport.geoidSeparation(of: reading)
      heard.withLock {
        $0.geoidSeparation = separation ?? $0.geoidSeparation
        $0.isCorrected = reading.isCorrected
      }
    case .sky(let reading): heard.withLock { $0.sky = reading }
    default: break
    }
  }

  private func pass(_ session: Session, to host: LocationHost, sources: Int, diary: inout SourceDiary) {
    guard let output = session.loop.newest, let status = session.loop.status else { return }
    remember(status.savedState)
    for line in diary.news(status) { log(line) }
    let lost = status.sources.filter { !$0.isDelivering }.map(\.name)
    let heard = heard.withLock { heard in
      defer { heard.sky = nil }
      return heard
    }
    let location = output.solution.map {
      Location(
        $0, utc: output.utc?.time, sources: status.locationSources, geoidHeight: heard.geoidSeparation)
    }
    host.publish(
      .init(location: location, sources: sources, lostSources: lost), utc: output.utc?.time)
    guard let outputs else { return }
    // The computer's own clock may be off by years: programs that expect a receiver are not told it as a receiver's.
    let utc = output.utc.flatMap { $0.authority == .system ? nil : $0.time.nanoseconds }
    var report = PositionReport(utcNanoseconds: utc, solution: output.solution, isAided: status.hasFix)
    report.geoidSeparation = heard.geoidSeparation
    report.isCorrected = heard.isCorrected
    outputs.publish(report, sky: heard.sky)
  }
}

/// Says in the log what becomes of the sources, each at most every ten seconds.
private struct SourceDiary {
  private var said: [SourceID: (state: SourceStatus.State, time: Timestamp)] = [:]

  mutating func news(_ status: LiveStatus) -> [String] {
    status.sources.compactMap { source in
      if let last = said[source.id] {
        guard last.state != source.state, status.time.seconds(since: last.time) >= 10 else { return nil }
      } else if source.state == .connecting {
        return nil
      }
      said[source.id] = (source.state, status.time)
      return "\(source.name): \(source.state)" + (source.message.isEmpty ? "" : ": \(source.message)")
    }
  }
}

extension SourceHealth {
  /// Whether it gives something, or may be about to.
  fileprivate var isDelivering: Bool {
    switch state {
    case .connecting, .connected, .streaming: true
    case .faulty, .lost, .failed: false
    }
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
