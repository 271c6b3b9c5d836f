import CLibrary
import Drives
import Fusion
import Location
import Locks
import Logging

/// Plays a drive folder through an engine as if it happened now, for tests and demonstrations: every location
/// is flagged as simulated.
public final class ReplayFeed: LocationFeed {
  /// Locations a second.
  public static let rate = 10.0

  /// The live page is told twice a second.
  private static let outputsPerDetails = 5

  /// Gets what the host gets: the solution, UTC and whether fixes hold it; on the feed's thread,
  /// which it must not hold up.
  public typealias Listener = @Sendable (NavigationSolution?, _ utc: Timestamp?, _ hasFix: Bool) -> Void

  private struct State {
    var isStopping = false
    var hasEnded = true
    var savedState: SavedState?
  }

  private let reader: DriveReader
  private let speed: Double
  private let repeats: Bool
  private let allocations: (@Sendable () -> UInt64)?
  private let onSolution: Listener
  private let state = Mutex(State())

  /// The drive in the folder `path`, `speed` times as fast as it was driven, once or, if it can be read to
  /// its end, again and again.
  /// `allocations` tells how many blocks of memory the thread that asks has taken from the heap so far,
  /// where anybody counts them.
  public init(
    path: String, speed: Double = 1, repeats: Bool = false, allocations: (@Sendable () -> UInt64)? = nil,
    onSolution: @escaping Listener = { _, _, _ in }
  ) throws {
    reader = try DriveReader(path: path)
    self.speed = speed
    self.repeats = repeats
    self.allocations = allocations
    self.onSolution = onSolution
  }

  /// What was learned so far.
  public var savedState: SavedState? { state.withLock { $0.savedState } }

  /// Begins to play.
  public func start(host: LocationHost, savedState: SavedState?) throws {
    state.withLock { $0.hasEnded = false }
    let failure = PlainThread.start { [self] in
      var start = savedState
      var isWorthwhile = false
      repeat {
        do { isWorthwhile = try play(to: host, from: start) } catch {
          host.configuration.log.error("replay: \(error)")
          isWorthwhile = false
        }
        start = nil
      } while repeats && isWorthwhile && !isStopping
      if !isStopping { host.configuration.log.info("the drive that is replayed has ended") }
      while !isStopping { rest(host) }
      state.withLock { $0.hasEnded = true }
    }
    if failure != 0 { throw LocationError.serviceUnreachable("no thread could be started") }
  }

  /// Ends playing.
  public func stop(within seconds: Double) {
    state.withLock { $0.isStopping = true }
    for _ in 0..<Int(seconds * 500) where !state.withLock({ $0.hasEnded }) { pause(milliseconds: 2) }
  }

  private var isStopping: Bool { state.withLock { $0.isStopping } }

  /// The drive is over: its source is lost, and says so. What was its last place stays known, as cached.
  private func rest(_ host: LocationHost) {
    host.publish(.init(location: nil, sources: 1, lostSources: ["replay"], hasEnded: true), utc: nil)
    host.publish(health: EngineHealth())
    if host.hasPage { host.publish(details: EngineDetails()) }
    onSolution(nil, nil, false)
    pause(milliseconds: 100)
  }

  /// Plays it once; whether there was anything to play.
  private func play(to host: LocationHost, from start: SavedState?) throws -> Bool {
    var configuration = FusionConfiguration()
    configuration.antennaLeverArm = reader.description.antennaLeverArm
    var engine = FusionEngine(configuration: configuration, savedState: start)
    var samples = try reader.samples()
    var origin: (drive: Timestamp, boot: Timestamp)?
    var outputs = 0
    var taken: UInt64 = 0
    var lastFix: Timestamp?
    var fixes: [EngineDetails.Fix] = []
    while !isStopping, let sample = try samples.next() {
      let first = origin ?? (sample.arrival, BootClock.now())
      origin = first
      func boot(_ time: Timestamp) -> Timestamp {
        first.boot.advanced(bySeconds: time.seconds(since: first.drive) / speed)
      }
      while case let time = first.drive.advanced(bySeconds: Double(outputs) / Self.rate),
        time < sample.arrival, !isStopping
      {
        outputs += 1
        let ahead = boot(time).seconds(since: BootClock.now())
        if ahead > 0 { pause(milliseconds: Int32(min(ahead, 1) * 1000)) }
        let fixAge = lastFix.map { time.seconds(since: $0) }
        publish(engine.solution(at: time), at: boot(time), fixAge: fixAge, taken: taken, to: host)
        if host.hasPage, outputs % Self.outputsPerDetails == 0 {
          host.publish(details: EngineDetails(replay: engine.calibration, fixAge: fixAge, fixes: fixes))
          fixes = []
        }
        if outputs % 100 == 0 { remember(engine.savedState) }
      }
      if case .gnss(let fix) = sample {
        lastFix = fix.time
        if host.hasPage { fixes.append(EngineDetails.Fix(fix, at: boot(fix.time))) }
      }
      let before = allocations?() ?? 0
      engine.process(sample)
      taken += (allocations?() ?? before) - before
    }
    remember(engine.savedState)
    return outputs > 0
  }

  private func remember(_ saved: SavedState?) { state.withLock { $0.savedState = saved ?? $0.savedState } }

  private func publish(
    _ solution: NavigationSolution?, at time: Timestamp, fixAge: Double?, taken: UInt64,
    to host: LocationHost
  ) {
    let hasFix = fixAge.map { $0 < 2 } ?? false
    guard var solution else {
      host.publish(.init(location: nil, mode: nil, sources: 1), utc: nil)
      onSolution(nil, nil, false)
      return
    }
    var sources: LocationSources = hasFix ? [.simulated, .gnss] : .simulated
    if reader.hasInertial { sources.insert(.inertial) }
    if reader.hasWheel { sources.insert(.wheel) }
    solution.time = time
    let age = BootClock.now().seconds(since: time)
    let utc = BootClock.utc().advanced(bySeconds: -age)
    let location = Location(
      solution, utc: utc, sources: sources, geoidHeight: EGM96.separation(solution.position))
    host.publish(.init(location: location, sources: 1), utc: utc)
    host.publish(health: health(solution, fixAge: fixAge, taken: taken))
    onSolution(solution, utc, hasFix)
  }

  private func health(_ solution: NavigationSolution, fixAge: Double?, taken: UInt64) -> EngineHealth {
    var health = EngineHealth()
    health.isRunning = true
    health.mode = solution.mode
    health.horizontalAccuracy = solution.horizontalAccuracy.isFinite ? solution.horizontalAccuracy : nil
    health.fixAge = fixAge
    health.allocations = allocations == nil ? nil : taken
    health.sources = [.init(name: "replay", role: "drive", isDelivering: true)]
    return health
  }
}
