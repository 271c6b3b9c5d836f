import Fusion
import SensorEvents

/// All that a person or a program may want to know of a live engine at one moment.
public struct LiveStatus: Sendable {
  /// How one of the clocks stands to the host's.
  public struct Clock: Sendable, Equatable {
    /// Which.
    public var kind: ClockKind
    /// Of which receiver, if it is one's.
    public var source: SourceID?
    /// Host less clock, s.
    public var offset: Double
    /// Bound of its error, s.
    public var uncertainty: Double
    /// Seconds that it grows by in a second.
    public var drift: Double
    /// How often the clock was set, or leapt.
    public var steps: Int
  }

  /// When it holds, on the host clock.
  public var time: Timestamp
  /// UTC, where anything tells.
  public var utc: UTCReading?
  /// The position of the IMU, predicted to `time`; nil before the first fix.
  public var solution: NavigationSolution?
  /// Seconds since the newest sample of any kind came; nil before the first.
  public var quietFor: Double?
  /// Seconds since the newest fix came; nil before the first.
  public var fixAge: Double?
  /// The sources in the order of their configuration.
  public var sources: [SourceHealth]
  /// The sources in use of each kind.
  public var inertialSource: SourceID?, fixSource: SourceID?, wheelSource: SourceID?,
    pressureSource: SourceID?
  /// The satellites, where the receiver has told of them within ten seconds.
  public var sky: SkyReading?
  /// What has been learned; nil until heading is known.
  public var calibration: Calibration?
  /// What is still needed.
  public var needs: [Need]
  /// The clocks that are in use.
  public var clocks: [Clock]
  /// What became of the measurements.
  public var measurements: MeasurementTally
  /// What became of the saved state; nil where there was none.
  public var warmStart: WarmStartReport?
  /// How often the fixes contradicted the solution until it was given up.
  public var recoveries: Int
  /// What a later engine could start from; nil until heading and mounting are known.
  public var savedState: SavedState?
  /// Blocks of memory that the engine has taken from the heap while it took samples; nil where nobody counts
  /// them (``LoopConfiguration/allocations``).
  public var allocations: UInt64?
}

extension LiveEngine {
  /// How everything stands at `host` on the host clock.
  public func status(at host: Timestamp) -> LiveStatus {
    let seen = sources.map { $0.seen(at: host) }
    let solution = solution(at: host)
    let calibration = fusion.calibration
    let lastSample = sources.compactMap(\.lastSample).max()
    let fixAge = fixesUsed ? lastFix.map { max(0, host.seconds(since: $0.arrival)) } : nil
    return LiveStatus(
      time: host, utc: utc(at: host), solution: solution,
      quietFor: lastSample.map { max(0, host.seconds(since: $0)) }, fixAge: fixAge, sources: seen,
      inertialSource: inertialSource, fixSource: fixSource, wheelSource: wheelSource,
      pressureSource: pressureSource,
      sky: skyArrival.flatMap { host.seconds(since: $0) < 10 ? sky : nil },
      calibration: calibration,
      needs: Need.list(
        sources: seen, hasFix: lastFix.map { $0.reading.dimensions != .none } ?? false, solution: solution,
        calibration: calibration, isInertialTrusted: fusion.isInertialTrusted),
      clocks: clockHealth(at: host), measurements: measurements, warmStart: fusion.warmStart,
      recoveries: fusion.recoveries, savedState: fusion.savedState)
  }

  private var fixesUsed: Bool { lastFix.map { $0.reading.dimensions != .none } ?? false }

  private func clockHealth(at host: Timestamp) -> [LiveStatus.Clock] {
    var list: [LiveStatus.Clock] = []
    for kind in [ClockKind.realtime, .monotonic, .tai] {
      guard let relation = clocks.relation(kind), let offset = relation.offset(at: host) else { continue }
      list.append(
        .init(
          kind: kind, source: nil, offset: Double(offset) * 1e-9,
          uncertainty: Double(relation.uncertainty(at: host) ?? 0) * 1e-9, drift: relation.drift,
          steps: relation.steps))
    }
    for source in sources {
      guard let clock = clocks.receiverClock(source.id), let offset = clock.offset(at: host) else { continue }
      list.append(
        .init(
          kind: .receiver, source: source.id, offset: Double(offset) * 1e-9,
          uncertainty: Double(clock.uncertainty(at: host) ?? 0) * 1e-9, drift: clock.drift,
          steps: clock.jumps))
    }
    return list
  }
}
