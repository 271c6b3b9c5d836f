import Drives
import Fusion

/// Plays a drive folder through the engine as it would have run live.
public struct DriveReplay: Sendable {
  /// What a replay came to.
  public struct Summary: Sendable {
    /// What drive.json says.
    public var description: DriveDescription
    /// Samples taken, by sensor.
    public var samples = ByKind(repeating: 0)
    /// Seconds from the first sample to the last.
    public var duration = 0.0
    /// Seconds from the first sample to the first solution and to known heading; nil if it never came.
    public var firstSolutionAfter: Double?, alignedAfter: Double?
    /// The newest solution at the end.
    public var last: NavigationSolution?
    /// How often another heading had to take over.
    public var recoveries = 0
    /// What was learned of the sensors; nil if heading was never known.
    public var calibration: Calibration?
    /// What a later engine could start from; nil if heading or mounting were not known at the end.
    public var savedState: SavedState?
    /// What became of the saved state that the engine was started from, if there was one.
    public var warmStart: WarmStartReport?
    /// What became of the measurements, by kind.
    public var measurements = MeasurementVerdict.Kind.allCases.map(MeasurementCounts.init(kind:))
    /// When the motion sensors and the fixes hold.
    public var spans = SampleSpans()
    /// Whether the fixes move as they say.
    public var places = PlaceAgreement()
    /// Samples of an IMU that was found broken.
    public var inertialDistrust = InertialDistrust()
    /// What was found of the times that samples are stamped with.
    public var timing = SensorTiming()
    /// Rows of each file that could not be used, with remarks.
    public var rejections: [RowRejections] = []
  }

  /// Solutions a second of drive time.
  public var rate: Double
  /// Axes of imu.csv, where they differ from what drive.json says.
  public var imuFrame: IMUFrame?

  /// What the engine starts from.
  public var savedState: SavedState?

  /// A replay with `rate` solutions a second.
  public init(rate: Double = 10, imuFrame: IMUFrame? = nil, savedState: SavedState? = nil) {
    self.rate = rate
    self.imuFrame = imuFrame
    self.savedState = savedState
  }

  /// Plays the drive in the folder `path`: `solution` gets the engine's answer at every output time, made of
  /// what had arrived by then, and `verdict` every measurement's fate.
  public func run(
    path: String, solution: (NavigationSolution) throws -> Void = { _ in },
    verdict: (MeasurementVerdict) throws -> Void = { _ in }
  ) throws -> Summary {
    let reader = try DriveReader(path: path, imuFrame: imuFrame)
    var configuration = FusionConfiguration()
    configuration.antennaLeverArm = reader.description.antennaLeverArm
    var engine = FusionEngine(configuration: configuration, savedState: savedState)
    var summary = Summary(description: reader.description)
    var samples = try reader.samples()
    var clock: (first: Timestamp, now: Timestamp)?
    var outputs = 0

    func put(until isDue: (Timestamp) -> Bool) throws {
      guard let first = clock?.first else { return }
      while case let time = first.advanced(bySeconds: Double(outputs) / rate), isDue(time) {
        outputs += 1
        if let answer = engine.solution(at: time) { try solution(answer) }
      }
    }

    while let sample = try samples.next() {
      if let clock, sample.arrival.seconds(since: clock.now) > 3600 {
        // A clock that leapt is not filled with output.
        outputs = Int((sample.arrival.seconds(since: clock.first) * rate).rounded(.up))
      }
      try put { $0 < sample.arrival }
      let first = clock?.first ?? sample.arrival
      let now = max(clock?.now ?? first, sample.arrival)
      clock = (first, now)
      engine.process(sample)
      summary.inertialDistrust.add(sample, isTrusted: engine.isInertialTrusted)
      while let measurement = engine.nextVerdict() {
        summary.count(measurement)
        try verdict(measurement)
      }
      summary.samples[sample.kind] += 1
      summary.spans.add(sample)
      if case .gnss(let fix) = sample { summary.places.add(fix) }
      guard summary.alignedAfter == nil, let answer = engine.solution(at: now) else { continue }
      summary.firstSolutionAfter = summary.firstSolutionAfter ?? now.seconds(since: first)
      if answer.isAligned { summary.alignedAfter = now.seconds(since: first) }
    }
    guard let clock else { throw EvaluationError.emptyDrive(path) }
    try put { $0 <= clock.now }
    summary.duration = clock.now.seconds(since: clock.first)
    summary.take(engine, at: clock.now)
    summary.rejections = samples.rejections
    return summary
  }
}

extension DriveReplay.Summary {
  /// How the engine stands at the end.
  fileprivate mutating func take(_ engine: FusionEngine, at end: Timestamp) {
    last = engine.solution(at: end)
    calibration = engine.calibration
    savedState = engine.savedState
    warmStart = engine.warmStart
    recoveries = engine.recoveries
    timing = engine.timing
  }

  mutating func count(_ verdict: MeasurementVerdict) {
    if let i = measurements.firstIndex(where: { $0.kind == verdict.kind }) { measurements[i].add(verdict) }
  }
}
