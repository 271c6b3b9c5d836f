import Fusion
import SensorEvents

/// Everything between what sensors say and where the car is: clocks, health of the
/// sources, and the fusion engine.
///
/// A value without a clock, a file or a thread: the same events in the same order give the same bits, live
/// and in replay, and a copy is a snapshot to go on from.
public struct LiveEngine: Sendable {
  /// What it was told at the start.
  public let configuration: LiveConfiguration
  /// The engine.
  public private(set) var fusion: FusionEngine
  /// The clocks.
  public private(set) var clocks: ClockBook
  /// What became of the measurements.
  public private(set) var measurements = MeasurementTally()
  /// The satellites that the receiver in use saw last.
  public private(set) var sky: SkyReading?
  /// When it said so.
  private(set) var skyArrival: Timestamp?
  /// The newest fix that the receiver in use told of, and when it came.
  public private(set) var lastFix: (reading: FixReading, arrival: Timestamp)?
  /// The sample that the newest event became, on the host clock; nil where it became none.
  public private(set) var fused: SensorSample?
  /// When the newest event came, on the host clock.
  public private(set) var newestArrival: Timestamp?
  private(set) var sources: [SourceHealth] = []
  private var choices = SourceChoices()

  /// An engine that knows nothing yet, or what an earlier one knew.
  public init(configuration: LiveConfiguration = LiveConfiguration(), savedState: SavedState? = nil) {
    self.configuration = configuration
    fusion = FusionEngine(configuration: configuration.fusion, savedState: savedState)
    clocks = ClockBook(limits: configuration.receiver)
    sources.reserveCapacity(32)
    for source in configuration.sources {
      sources.append(SourceHealth(id: source.id, name: source.name, role: source.role))
    }
  }

  /// The position of the IMU at `host` on the host clock, predicted from the newest samples;
  /// nil before the first fix.
  public func solution(at host: Timestamp) -> NavigationSolution? { fusion.solution(at: host) }

  /// The sources in use of each kind; nil where none has spoken.
  public var inertialSource: SourceID? { choices[.inertial].source }
  /// See ``inertialSource``.
  public var fixSource: SourceID? { choices[.fix].source }
  /// See ``inertialSource``.
  public var wheelSource: SourceID? { choices[.wheel].source }

  /// See ``inertialSource``.
  public var pressureSource: SourceID? { choices[.pressure].source }

  /// UTC at `host` on the host clock; nil where nothing tells.
  public func utc(at host: Timestamp) -> UTCReading? {
    clocks.utc(at: host, receiver: choices[.fix].source)
  }

  // MARK: Events

  /// Takes the next event.
  public mutating func process(_ event: SensorEvent) {
    fused = nil
    newestArrival = max(newestArrival ?? event.arrival, event.arrival)
    if case .clocks(let comparison) = event.content {
      clocks.add(comparison, from: event.source, arrival: event.arrival)
      return
    }
    let i = index(of: event.source)
    sources[i].lastSeen = max(sources[i].lastSeen ?? event.arrival, event.arrival)
    switch event.content {
    case .inertial(let reading): process(reading, event, i)
    case .fix(let reading): process(reading, event, i)
    case .wheel(let reading): process(reading, event, i)
    case .pressure(let reading): process(reading, event, i)
    case .sky(let reading):
      if choices[.fix].source == nil || choices[.fix].source == event.source {
        (sky, skyArrival) = (reading, event.arrival)
      }
    case .temperature(let celsius): sources[i].temperature = celsius
    case .clocks: break
    case .lost(let count): sources[i].lost += max(0, count)
    case .status(let status): process(status, i)
    }
  }

  private mutating func process(_ status: SourceStatus, _ i: Int) {
    (sources[i].state, sources[i].message) = (status.state, status.message)
    switch status.state {
    case .connecting, .lost, .failed, .off:
      clocks.restart(sources[i].id)
      sources[i].forgetRhythm()
    case .connected: sources[i].forgetRhythm()
    case .streaming, .faulty: break
    }
  }

  private mutating func process(_ reading: InertialReading, _ event: SensorEvent, _ i: Int) {
    sources[i].role = .inertial
    sources[i].note(arrival: event.arrival)
    // What its reader knows to be wrong, a stuck axis for one, would lead the engine away.
    guard reading.angularRate.isFinite, reading.specificForce.isFinite, sources[i].state != .faulty else {
      sources[i].refusals.unusable += 1
      return
    }
    guard let time = hostTime(reading.time, reading.clock, event, i) else { return }
    switch choose(.inertial, event, i) {
    case .use: break
    case .takeOver:
      // Another IMU is mounted in another way, and has other faults.
      fusion = FusionEngine(configuration: configuration.fusion)
    case .spare: return
    }
    fuse(
      .inertial(
        InertialSample(
          time: time, angularRate: reading.angularRate, specificForce: reading.specificForce)))
  }

  private mutating func process(_ reading: PressureReading, _ event: SensorEvent, _ i: Int) {
    let isUsable = PressureSample.range.contains(reading.pressure) && sources[i].state != .faulty
    // Another barometer has another bias: the engine finds it out.
    guard let time = take(reading.time, reading.clock, isUsable: isUsable, .pressure, event, i) else {
      return
    }
    fuse(.pressure(PressureSample(time: time, pressure: reading.pressure)))
  }

  private mutating func process(_ reading: WheelReading, _ event: SensorEvent, _ i: Int) {
    let isUsable = reading.speed.isFinite && reading.yawRate?.isFinite ?? true
    guard let time = take(reading.time, reading.clock, isUsable: isUsable, .wheel, event, i) else { return }
    fuse(.wheel(WheelSample(time: time, speed: reading.speed, yawRate: reading.yawRate)))
  }

  private mutating func process(_ reading: FixReading, _ event: SensorEvent, _ i: Int) {
    sources[i].role = .fix
    sources[i].note(arrival: event.arrival, isMeasured: reading.dimensions != .none)
    guard reading.dimensions != .none else {
      if choices[.fix].source == nil || choices[.fix].source == event.source {
        lastFix = (reading, event.arrival)
      }
      return
    }
    let placing = clocks.place(receiverTime: reading.fix.time, arrival: event.arrival, of: event.source)
    guard case .at(let told) = placing else {
      sources[i].refusals.untimed += 1
      return
    }
    guard let time = hostTime(told, .host, event, i) else { return }
    guard choose(.fix, event, i) != .spare else { return }
    lastFix = (reading, event.arrival)
    var fix = reading.fix
    fix.time = time
    fix.received = event.arrival
    if reading.dimensions == .two { fix.position.height = .nan }
    fuse(.gnss(fix))
  }

  /// When a sample held that needs no more than its time, `told` or that of its arrival; nil, and counted,
  /// where it is not to be used.
  private mutating func take(
    _ told: Timestamp?, _ clock: ClockKind, isUsable: Bool, _ role: SourceRole, _ event: SensorEvent, _ i: Int
  ) -> Timestamp? {
    sources[i].role = sources[i].role ?? role
    sources[i].note(arrival: event.arrival)
    guard isUsable else {
      sources[i].refusals.unusable += 1
      return nil
    }
    guard let time = hostTime(told ?? event.arrival, told == nil ? .host : clock, event, i),
      choose(role, event, i) != .spare
    else { return nil }
    return time
  }

  /// Whether the event is of the source in use of its role; counted where it is not.
  private mutating func choose(_ role: SourceRole, _ event: SensorEvent, _ i: Int) -> SourceChoice.Verdict {
    let verdict = choices[role].consider(
      event.source, at: event.arrival, patience: configuration.patience(role))
    if verdict == .spare { sources[i].refusals.spare += 1 }
    return verdict
  }

  private mutating func fuse(_ sample: SensorSample) {
    fused = sample
    fusion.process(sample)
    while let verdict = fusion.nextVerdict() { measurements.add(verdict) }
  }

  // MARK: Time

  /// When a sample held on the host clock; nil, and counted, where that cannot be.
  private mutating func hostTime(
    _ told: Timestamp, _ clock: ClockKind, _ event: SensorEvent, _ i: Int
  ) -> Timestamp? {
    guard
      let host = clocks.host(
        of: told, on: clock, arrival: event.arrival, delay: sources[i].delay, source: event.source)
    else {
      sources[i].refusals.untimed += 1
      return nil
    }
    let age = event.arrival.seconds(since: host)
    if age > configuration.fusion.window {
      sources[i].refusals.late += 1
      return nil
    }
    if age < -configuration.earliest {
      sources[i].refusals.early += 1
      return nil
    }
    // Nothing holds after it has come.
    let time = min(host, event.arrival)
    sources[i].note(time: time, arrival: event.arrival)
    return time
  }

  private mutating func index(of source: SourceID) -> Int {
    if let i = sources.firstIndex(where: { $0.id == source }) { return i }
    sources.append(SourceHealth(id: source, name: "source \(source.rawValue)", role: nil))
    return sources.count - 1
  }
}
