import Navigation

/// The engine with hindsight, for evaluation and for making maps: every solution is
/// corrected by what came after it.
///
/// It takes the very steps of the live engine, with the same configuration, remembers them and goes back over
/// them. It needs about 170 kB a second of driving, for as far back as it has to go, and allocates as it
/// goes: it is not for live use.
public struct FusionSmoother: Sendable {
  /// How much of what comes later a solution is corrected by.
  public enum Reach: Sendable, Equatable {
    /// All that had arrived this many seconds after it, and nothing later.
    case lag(seconds: Double)
    /// All of the drive; on drives longer than an hour and ten minutes, at least ten minutes.
    case full
  }

  /// The stretches that one sweep backward gives.
  package struct Plan: Sendable {
    /// Length of a stretch, s.
    private(set) var length: Double
    /// A sweep begins with what had arrived this long after the start of its stretch, s.
    private(set) var ahead: Double
    /// Start of the next stretch.
    fileprivate var next: Timestamp?

    package init(length: Double, ahead: Double) {
      self.length = length
      self.ahead = ahead
    }

    init(_ reach: Reach) {
      switch reach {
      case .lag(let seconds): self.init(length: min(1, seconds / 4), ahead: seconds)
      case .full: self.init(length: 3600, ahead: 4200)
      }
    }
  }

  private let settings: FusionConfiguration
  private var state: FusionState<RecordedHistory>
  private var queue: SampleQueue
  private var bursts = BurstStamps()
  private var plans: [Plan]
  /// Time of the newest sample used.
  private var newest: Timestamp?

  /// A smoother for each of `reaches`, before their first sample.
  public init(configuration: FusionConfiguration = FusionConfiguration(), reaches: [Reach]) {
    self.init(configuration: configuration, plans: reaches.map(Plan.init))
  }

  package init(configuration: FusionConfiguration = FusionConfiguration(), plans: [Plan]) {
    settings = configuration
    state = FusionState(settings: configuration)
    queue = SampleQueue(window: configuration.usableWindow)
    self.plans = plans
  }

  /// What the engine whose steps it takes has learned so far; nil until its heading is known.
  public var calibration: Calibration? { state.calibration }

  /// Takes one sample, in order of arrival; `smoothed` gets the stretches that are ready, in order of time,
  /// each with the place of its reach among `reaches`.
  public mutating func process(
    _ sample: SensorSample, smoothed: (_ reach: Int, SmoothedTrack) -> Void
  ) {
    let arrival = sample.arrival
    var sample = sample
    if case .inertial(var inertial) = sample {
      inertial.time = bursts.corrected(inertial.time)
      sample = .inertial(inertial)
    }
    let usability = sample.usability
    guard usability != .unusable else { return }
    let possible = usability == .withoutHeight ? sample.withoutHeight : sample
    guard let sample = state.fixTimeOffset.corrected(possible) else { return }
    if case .beginsAnew = queue.insert(sample, arrival: arrival) {
      drain(isEnd: true, smoothed)
      if let newest { sweepAll(to: newest, smoothed) }
      state = FusionState(settings: settings)
      for i in plans.indices { plans[i].next = nil }
      queue.begin(with: sample, arrival: arrival)
    }
    drain(isEnd: false, smoothed)
  }

  /// Smooths what is left; the last stretch never ends.
  public mutating func finish(smoothed: (_ reach: Int, SmoothedTrack) -> Void) {
    drain(isEnd: true, smoothed)
    sweepAll(to: Timestamp(nanoseconds: .max), smoothed)
  }

  private mutating func drain(isEnd: Bool, _ smoothed: (Int, SmoothedTrack) -> Void) {
    while let (entry, following) = queue.next(isEnd: isEnd) {
      sweepIfDue(before: entry.arrival, smoothed)
      for i in plans.indices where plans[i].next == nil { plans[i].next = entry.sample.time }
      newest = entry.sample.time
      let offset = state.fixTimeOffset.value
      state.process(entry.sample, following: following) { _ in }
      queue.setBack(state.fixTimeOffset, by: state.fixTimeOffset.value - offset)
    }
  }

  /// Works out the stretches that must not know of a sample that arrived at `arrival`.
  private mutating func sweepIfDue(before arrival: Timestamp, _ smoothed: (Int, SmoothedTrack) -> Void) {
    for i in plans.indices {
      while let start = plans[i].next, arrival.seconds(since: start) > plans[i].ahead {
        var end = start.advanced(bySeconds: plans[i].length)
        // Where there is nothing for long there is nothing to work out.
        if let newest, newest < start { end = max(end, arrival.advanced(bySeconds: -plans[i].ahead)) }
        smoothed(i, SmoothedTrack(BackwardSweep(state, from: start, to: end)))
        plans[i].next = end
        forget()
      }
    }
  }

  private mutating func sweepAll(to end: Timestamp, _ smoothed: (Int, SmoothedTrack) -> Void) {
    for i in plans.indices {
      guard let start = plans[i].next, start < end else { continue }
      smoothed(i, SmoothedTrack(BackwardSweep(state, from: start, to: end)))
      plans[i].next = end
    }
  }

  /// Drops what no stretch to come needs.
  private mutating func forget() {
    guard let needed = (plans.compactMap { $0.next }).min() else { return }
    state.forgetHistory(before: needed)
  }
}
