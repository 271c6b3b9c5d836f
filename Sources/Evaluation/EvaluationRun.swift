import CLibrary
import Drives
import Fusion

/// One pass over a drive: feeds the engine in order of arrival and scores what it knew at each time.
///
/// The causal solution at a time t is the engine's after every sample that arrived at or before t and
/// none later. Scoring times are truth's own; a drive without truth is asked at 10 Hz for its
/// availability and track only.
package struct EvaluationRun: Sendable {
  /// Where the points of the drive are.
  package struct Geometry: Sendable {
    /// The point truth refers to.
    package enum Reference: Sendable {
      case antenna, imu
      /// A point with no known arm, such as a camera: taken as it is.
      case other
    }
    /// Antenna from the IMU in vehicle axes, metres, where it is known.
    package var antenna: Vector3?
    package var reference: Reference

    package init(antenna: Vector3? = nil, reference: Reference = .antenna) {
      self.antenna = antenna
      self.reference = reference
    }
    var truthFromIMU: Vector3 { reference == .antenna ? antenna ?? .zero : .zero }

    /// The same truth at the antenna, as far as the truth's attitude and the lever arm are known.
    func atAntenna(_ truth: TruthSample) -> TruthSample {
      guard reference == .imu, let antenna else { return truth }
      return truth.moved(byVehicleOffset: antenna) ?? truth
    }
  }

  /// Of arrival: of the first sample, the last so far, and the one that gave the heading.
  private struct Times {
    var first, last, aligned: Timestamp?
  }
  /// The next scoring time: an index into the truth, or without one a time.
  private struct Next {
    var truth = 0
    var tick: Timestamp?
  }
  /// The receiver's fixes.
  private struct Fixes {
    var count = 0
    var path = PathLength(step: 10)
    var errors = ErrorSeries()
  }
  /// What the engine said when it was asked.
  private struct Causal {
    var asked = 0, answered = 0, nonFinite = 0
    var errors = ErrorSeries()
  }
  /// What its steps took; allocations are nil where they are not counted.
  private struct Cost {
    var latencies = SampleLatencies()
    var allocations: Int?
  }

  private let truth: TruthTrack, otherSystem: TruthTrack
  private let geometry: Geometry
  private let settings: EvaluationSettings
  private var engine: FusionEngine
  private var degrader: FixDegrader?
  private var outages: OutageStudy
  private var receiver: ReceiverScorer
  private var realGaps: RealGapStudy

  private var times = Times()
  private var next = Next()
  private var fixes = Fixes()
  private var causal = Causal()
  private var cost = Cost()
  private var measurements = MeasurementVerdict.Kind.allCases.map(MeasurementCounts.init(kind:))
  private var inertialDistrust = InertialDistrust()
  private var spans = SampleSpans()
  private var places = PlaceAgreement()
  private var tracks = TrackCollector()
  private var diagnostics = DiagnosticsCollector()
  private var smoother: FusionSmoother?
  private var smootherScorers: [SmootherScorer]

  /// A run before its first sample.
  package init(
    truth: TruthTrack, receiver: TruthTrack = TruthTrack([]), geometry: Geometry,
    settings: EvaluationSettings
  ) {
    (self.truth, otherSystem) = (truth, receiver)
    self.geometry = geometry
    self.settings = settings
    var configuration = FusionConfiguration()
    configuration.disabled = settings.disabled
    configuration.covarianceInterval = settings.covarianceInterval
    configuration.antennaLeverArm = geometry.antenna
    settings.configure?(&configuration)
    engine = FusionEngine(configuration: configuration, savedState: settings.savedState)
    if !settings.smoothers.isEmpty {
      smoother = FusionSmoother(configuration: configuration, reaches: settings.smoothers.map(\.reach))
    }
    smootherScorers = settings.smoothers.map { choice in
      SmootherScorer(
        role: choice.role, truth: truth, truthFromIMU: geometry.truthFromIMU, keepsTrack: settings.keepsTracks
      )
    }
    // An outage goes on with a copy of the engine, whose buffers the engine itself then has to copy.
    if settings.allocationCount != nil, settings.outageLengths.isEmpty { cost.allocations = 0 }
    degrader = settings.degradation.map(FixDegrader.init)
    outages = OutageStudy(
      lengths: settings.outageLengths, spacing: settings.outageSpacing, earliest: settings.outagesFrom,
      leverArm: geometry.truthFromIMU, truth: truth)
    outages.keepsTraces = settings.keepsTracks
    outages.isOnGrid = settings.pairsOutages
    self.receiver = ReceiverScorer(receiver, keepsTrack: settings.keepsTracks)
    (spans.truth, spans.receiver) = (truth.span, receiver.span)
    realGaps = RealGapStudy(antenna: geometry.antenna ?? .zero, receiver: receiver)
  }

  /// Takes the next sample in order of arrival.
  package mutating func take(_ original: SensorSample) {
    realGaps.take(original, engine: engine)
    spans.add(original)
    var sample = original
    switch original {
    case .inertial, .pressure: break
    case .wheel: if !settings.usesWheel { return }
    case .gnss(let fix):
      places.add(fix, truth: truth, receiver: otherSystem)
      guard degrader != nil else { break }
      guard let degraded = degrader?.degrade(fix) else { return }
      sample = .gnss(degraded)
    }
    let arrival = sample.arrival
    times.first = times.first ?? arrival
    times.last = max(times.last ?? arrival, arrival)
    score { $0 < arrival }
    if case .gnss(let fix) = sample { take(fix) }
    outages.take(sample, engine: engine)
    process(sample)
    smoother?.process(sample) { [now = times.last ?? arrival] in smootherScorers[$0].take($1, last: now) }
    if times.aligned == nil, engine.solution(at: arrival)?.isAligned == true {
      times.aligned = arrival
      outages.aligned(at: arrival)
    }
  }

  /// Scores what is left after the last sample; `name` and the like are the caller's to fill in.
  package mutating func finish() -> EvaluationFigures {
    if let last = times.last { score { [ticks = truth.samples.isEmpty] in !ticks || $0 <= last } }
    var figures = EvaluationFigures()
    figures.start = times.first
    if let first = times.first, let last = times.last { figures.duration = last.seconds(since: first) }
    figures.distance = truth.distance ?? (fixes.count > 0 ? fixes.path.metres : nil)
    figures.gnss = fixes.errors.score
    if truth.samples.isEmpty { figures.gnss.count = fixes.count }
    figures.causal = causal.errors.score
    if truth.samples.isEmpty { figures.causal.count = causal.answered }
    if causal.asked > 0 {
      figures.causal.availability = Double(causal.answered) / Double(causal.asked)
    }
    if let first = times.first { figures.causal.alignedAfter = times.aligned?.seconds(since: first) }
    figures.receiver = receiver.score(from: times.first)
    figures.realGaps = realGaps.gaps
    figures.nonFiniteSolutions = causal.nonFinite
    figures.outages = outages.finish()
    figures.measurements = measurements
    figures.inertialDistrust = inertialDistrust
    figures.timing = engine.timing
    (figures.spans, figures.places) = (spans, places)
    figures.latencies = cost.latencies
    figures.allocations = cost.allocations
    figures.warmStart = engine.warmStart
    figures.tracks = tracks.tracks
    if receiver.isThere, !receiver.points.track.points.isEmpty {
      figures.tracks.append(receiver.points.track)
    }
    finishSmoothers(&figures)
    if settings.keepsTracks {
      var diagnostics = diagnostics.diagnostics
      diagnostics.outages = outages.traces
      if settings.measuresLatency { diagnostics.latencies = cost.latencies }
      figures.diagnostics = diagnostics
    }
    return figures
  }

  private mutating func finishSmoothers(_ figures: inout EvaluationFigures) {
    guard let last = times.last else { return }
    smoother?.finish { smootherScorers[$0].take($1, last: last) }
    for (choice, scorer) in zip(settings.smoothers, smootherScorers) {
      switch choice {
      case .fixedLag: figures.fixedLag = scorer.score
      case .full: figures.full = scorer.score
      }
      if settings.keepsTracks, !scorer.track.track.points.isEmpty {
        figures.tracks.append(scorer.track.track)
      }
    }
  }

  /// Asks the engine at every scoring time that is `due`.
  private mutating func score(where due: (Timestamp) -> Bool) {
    if truth.samples.isEmpty {
      var tick = next.tick ?? times.first
      // A clock that leapt is not scored all the way.
      while let time = tick, due(time.advanced(bySeconds: 3600)) { tick = time.advanced(bySeconds: 600) }
      while let time = tick, due(time) {
        ask(at: time, truth: nil)
        tick = time.advanced(bySeconds: 0.1)
      }
      next.tick = tick
      return
    }
    while next.truth < truth.samples.count, due(truth.samples[next.truth].time) {
      let sample = truth.samples[next.truth]
      ask(at: sample.time, truth: sample)
      next.truth += 1
    }
  }

  private mutating func ask(at time: Timestamp, truth: TruthSample?) {
    causal.asked += 1
    if let truth { receiver.add(truth) }
    if settings.keepsTracks, let truth { tracks.add(truth) }
    guard let solution = engine.solution(at: time)?.moved(byVehicleOffset: geometry.truthFromIMU) else {
      return
    }
    guard solution.isFinite else {
      causal.nonFinite += 1
      return
    }
    causal.answered += 1
    if let truth { causal.errors.add(solution, truth: truth) }
    guard settings.keepsTracks else { return }
    tracks.add(solution, truth: truth)
    if let truth { diagnostics.add(solution, truth: truth) }
  }

  private mutating func take(_ fix: GNSSFix) {
    fixes.count += 1
    _ = fixes.path.add(fix.position)
    let truth = truth.sample(at: fix.time).map(geometry.atAntenna)
    if let truth { fixes.errors.add(fix, truth: truth) }
    if settings.keepsTracks { tracks.add(fix, truth: truth) }
  }

  private mutating func process(_ sample: SensorSample) {
    if settings.keepsTracks, case .gnss(let fix) = sample { diagnostics.add(fix, before: engine) }
    let before = settings.allocationCount?() ?? 0
    let start = settings.measuresLatency ? monotonicNanoseconds() : 0
    engine.process(sample)
    if settings.measuresLatency { cost.latencies.record(sample, nanoseconds: monotonicNanoseconds() - start) }
    inertialDistrust.add(sample, isTrusted: engine.isInertialTrusted)
    if times.aligned != nil { cost.allocations? += (settings.allocationCount?() ?? 0) - before }
    while let verdict = engine.nextVerdict() {
      if let i = measurements.firstIndex(where: { $0.kind == verdict.kind }) { measurements[i].add(verdict) }
      if settings.keepsTracks { diagnostics.add(verdict) }
    }
    if settings.keepsTracks { diagnostics.look(at: engine, sample.arrival) }
  }
}

/// Nanoseconds of the clock that never steps.
private func monotonicNanoseconds() -> Int64 { SystemClock.nanoseconds(CLOCK_MONOTONIC) }
