import Drives
import Fusion

/// Cuts the fixes for a while, again and again, each time on a copy of the engine as it stood then.
///
/// A window starts every `spacing` seconds. Its copy takes every sample but the fixes that hold after its
/// start; a fix that held before and comes late may still be used, as it would be in a car that drives
/// into a tunnel. The copies run along with the drive, so no sample is stored, and one copy serves all
/// lengths that start together.
package struct OutageStudy: Sendable {
  private struct Window: Sendable {
    var engine: FusionEngine
    let start: Timestamp
    /// Index of the shortest length that has not ended.
    var next = 0
    var trace: OutageTrace
  }

  /// No window starts in a pause of all sensors that is longer than this, s.
  private static let longestPause = 10.0

  private let lengths: [Double]
  private let spacing: Double
  private let earliest: Double
  private let leverArm: Vector3
  private let truth: TruthTrack
  private var nextStart: Timestamp?
  private var windows: [Window] = []
  /// Results of each length.
  private var results: [[OutageResult]]
  /// Outages of each length that ended without a finite solution.
  private var lost: [Int]
  /// Arrival of the last sample of any kind.
  private var lastArrival: Timestamp?
  private var lastInertial: Timestamp?
  private var lastWheel: Timestamp?
  /// Whether to keep how the error grows.
  package var keepsTraces = false
  /// Whether windows start at multiples of the spacing.
  package var isOnGrid = false
  /// How the error grew, an outage a trace, if that was to be kept.
  package private(set) var traces: [OutageTrace] = []
  /// Seconds from one point of a trace to the next: as many as suffice for a figure.
  private var traceStep: Double { max(0.5, (lengths.last ?? 0) / 60) }

  /// A study of outages of `lengths` seconds that start every `spacing` seconds, not before `earliest` on the
  /// drive's time line; solutions are moved by `leverArm` to the point truth refers to.
  package init(lengths: [Double], spacing: Double, earliest: Double, leverArm: Vector3, truth: TruthTrack) {
    self.lengths = lengths.sorted()
    self.spacing = spacing
    self.earliest = earliest
    self.leverArm = leverArm
    self.truth = truth
    results = lengths.map { _ in [] }
    lost = lengths.map { _ in 0 }
  }

  /// Heading became known at `time`: the first window starts 10 s later, if not after the earliest start.
  package mutating func aligned(at time: Timestamp) {
    guard nextStart == nil, !lengths.isEmpty, !truth.samples.isEmpty else { return }
    let first = max(time.advanced(bySeconds: 10), Timestamp(seconds: earliest))
    nextStart = isOnGrid ? Timestamp(seconds: (first.seconds / spacing).rounded(.up) * spacing) : first
  }

  /// Passes `sample` on to the windows. `engine` is the drive's own before it takes the sample: windows that
  /// start before the sample's arrival get a copy of it.
  package mutating func take(_ sample: SensorSample, engine: FusionEngine) {
    let arrival = sample.arrival
    close { $0 < arrival }
    // Where nothing at all comes there is nothing to study, however long that lasts.
    if let last = lastArrival, let start = nextStart,
      arrival.seconds(since: max(last, start)) > Self.longestPause
    {
      let steps = (arrival.seconds(since: start) / spacing).rounded(.up)
      nextStart = start.advanced(bySeconds: max(0, steps) * spacing)
    }
    lastArrival = max(lastArrival ?? arrival, arrival)
    while let start = nextStart, start < arrival {
      windows.append(
        Window(engine: engine, start: start, trace: OutageTrace(start: start.seconds, step: traceStep)))
      nextStart = start.advanced(bySeconds: spacing)
    }
    for i in windows.indices {
      if case .gnss(let fix) = sample, fix.time > windows[i].start { continue }
      windows[i].engine.process(sample)
      while windows[i].engine.nextVerdict() != nil {}
    }
    switch sample {
    case .inertial: lastInertial = arrival
    case .wheel: lastWheel = arrival
    case .gnss, .pressure: break
    }
  }

  /// The scores, the shortest length first, after the last sample. A window counts only if the motion sensors
  /// (the IMU, or the wheels of a car without one) last as long as it does.
  package mutating func finish() -> [OutageScore] {
    let last = lastInertial ?? lastWheel
    if let last { close { $0 <= last } }
    return lengths.indices.map { i in
      OutageScore(
        length: lengths[i], lost: lost[i],
        results: results[i].filter { result in
          last.map { Timestamp(seconds: result.start + lengths[i]) <= $0 } ?? false
        })
    }
  }

  /// Scores the windows at each end that `isOver`.
  private mutating func close(where isOver: (Timestamp) -> Bool) {
    for i in windows.indices {
      if keepsTraces { windows[i].trace = traced(windows[i], where: isOver) }
      while windows[i].next < lengths.count {
        let end = windows[i].start.advanced(bySeconds: lengths[windows[i].next])
        guard isOver(end) else { break }
        score(windows[i], at: end)
        windows[i].next += 1
      }
    }
    if keepsTraces { traces += windows.filter { $0.next == lengths.count }.map(\.trace) }
    windows.removeAll { $0.next == lengths.count }
  }

  /// The trace of a window with the points that are due.
  private func traced(_ window: Window, where isOver: (Timestamp) -> Bool) -> OutageTrace {
    var trace = window.trace
    while case let elapsed = Double(trace.errors.count) * trace.step,
      elapsed <= (lengths.last ?? 0) + 1e-9,
      case let time = window.start.advanced(bySeconds: elapsed), isOver(time)
    {
      let solution = window.engine.solution(at: time)?.moved(byVehicleOffset: leverArm)
      let truth = truth.sample(at: time)
      let error = solution.flatMap { here in
        truth.map { here.position.displacement(from: $0.position).horizontalNorm }
      }
      trace.errors.append(error ?? .nan)
      trace.radii95.append(solution?.horizontalAccuracy95 ?? .nan)
    }
    return trace
  }

  private mutating func score(_ window: Window, at end: Timestamp) {
    guard let truthAtEnd = truth.sample(at: end) else { return }
    guard let solution = window.engine.solution(at: end)?.moved(byVehicleOffset: leverArm), solution.isFinite
    else {
      lost[window.next] += 1
      return
    }
    let error = solution.position.displacement(from: truthAtEnd.position)
    results[window.next].append(
      OutageResult(
        start: window.start.seconds, endError: error.horizontalNorm,
        along: truthAtEnd.velocityNED.flatMap { error.trackComponents(along: $0)?.ahead },
        distance: truth.distance(from: window.start, to: end),
        accuracy68: solution.horizontalAccuracy, accuracy95: solution.horizontalAccuracy95,
        motion: Self.motion(truth.samples(from: window.start, to: end))))
  }

  /// How the car moved, by the true velocity.
  package static func motion(_ samples: ArraySlice<TruthSample>) -> OutageResult.Motion {
    var turned = 0.0
    var last: Double?
    for sample in samples {
      guard let velocity = sample.velocityNED else { continue }
      if velocity.horizontalNorm < 0.5 { return .stopAndGo }
      if velocity.horizontalNorm > 2 {
        let course = velocity.courseAngle
        if let last { turned += Angle.wrapped(course - last) }
        last = course
      }
    }
    return abs(turned) > .pi / 4 ? .curve : .steady
  }
}
