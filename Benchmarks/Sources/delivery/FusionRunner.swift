import Drives
import Fusion
import Location
import LocationService
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Fuses a bundled drive (IMU at 100 Hz, fixes at 4 Hz) as fast as it was driven, on a thread of its own, and
/// publishes ten times a second.
final class FusionRunner: Sendable {
  /// Seconds of the drive that are fused at once, so that the engine has found its
  /// mounting when it is measured.
  static let before = 120.0

  /// What was measured since the last taking, in nanoseconds.
  struct Readings: Sendable {
    /// What each sample took, by the clock: being interrupted counts.
    var costs: [Int] = []
    /// How much later than it was due the thread had each IMU sample.
    var lateness: [Int] = []
    var published = 0

    static func + (a: Readings, b: Readings) -> Readings {
      Readings(
        costs: a.costs + b.costs, lateness: a.lateness + b.lateness, published: a.published + b.published)
    }
  }

  private let host: LocationHost
  private let samples: [SensorSample]
  private let leverArm: Vector3?
  private let readings = Mutex(Readings())

  init(_ host: LocationHost) throws {
    self.host = host
    let reader = try DriveReader(path: "datasets/open-sky-commute")
    var stream = try reader.samples()
    var list: [SensorSample] = []
    while let sample = try stream.next() { list.append(sample) }
    (samples, leverArm) = (list, reader.description.antennaLeverArm)
  }

  func take() -> Readings {
    readings.withLock { readings in
      defer { readings = Readings() }
      return readings
    }
  }

  func start() { thread { [self] in run() } }

  private func run() {
    var configuration = FusionConfiguration()
    configuration.antennaLeverArm = leverArm
    var engine = FusionEngine(configuration: configuration, savedState: nil)
    guard let first = samples.first?.arrival else { return }
    let begin = first.advanced(bySeconds: Self.before)
    var index = 0
    while index < samples.count, samples[index].arrival < begin {
      engine.process(samples[index])
      index += 1
    }
    let start = BootClock.now()
    var outputs = 0
    for sample in samples[index...] {
      let due = start.advanced(bySeconds: sample.arrival.seconds(since: begin))
      usleep(UInt32(max(0, due.seconds(since: BootClock.now())) * 1e6))
      let woken = BootClock.now()
      engine.process(sample)
      let done = BootClock.now()
      readings.withLock {
        $0.costs.append(Int(done.nanoseconds - woken.nanoseconds))
        if case .inertial = sample { $0.lateness.append(max(0, Int(woken.nanoseconds - due.nanoseconds))) }
      }
      guard sample.arrival >= begin.advanced(bySeconds: Double(outputs) / 10) else { continue }
      outputs += 1
      guard let solution = engine.solution(at: sample.arrival) else { continue }
      var location = Location(solution, utc: BootClock.utc(), sources: [.gnss, .inertial])
      location.timestamp = BootClock.now()
      host.publish(.init(location: location, sources: 1), utc: location.utc)
      readings.withLock { $0.published += 1 }
    }
  }
}

/// Runs `body` on a thread of the system's.
func thread(_ body: @escaping @Sendable () -> Void) {
  final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
  var thread = pthread_t()
  pthread_create(
    &thread, nil,
    { argument in
      guard let argument else { return nil }
      Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
      return nil
    }, Unmanaged.passRetained(Body(body)).toOpaque())
}
