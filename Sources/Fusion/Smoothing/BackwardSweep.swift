import LinearAlgebra
import Navigation

/// Goes back over recorded histories and smooths their estimates.
struct BackwardSweep {
  /// Time to smooth: only estimates from just before `from` to just after `to` are worked out.
  let from: Timestamp, to: Timestamp
  /// From here on the heading was not known at the end of the history.
  private let undecidedSince: Timestamp?
  /// The heading is known from this standard deviation on, rad.
  private let alignmentSigma: Double
  /// What was smoothed, newest first.
  private(set) var points: [SmoothedPoint] = []
  private var isTurned = false
  private var mounting: SmoothedPoint.Mounting?
  /// Estimates from this time on belong to a filter that took over from the one swept now.
  private var limit: Timestamp?
  private var isDone = false
  /// The newest estimate that the way back has met.
  private var last: (point: RecordedPoint, adjoint: Adjoint)?

  /// Estimates this long after `to` are worked out too, to interpolate to it, s. [chosen]
  private static let margin = 1.5

  /// Goes back from the newest that `state` has seen.
  init(_ state: FusionState<RecordedHistory>, from: Timestamp, to: Timestamp) {
    self.from = from
    self.to = to
    alignmentSigma = state.settings.start.alignmentSigma
    undecidedSince = state.isNavigating ? nil : state.bank?.start
    if !state.isNavigating, let bank = state.bank, let match = state.match?.result {
      let end = SmoothedPoint(match, time: bank.time)
      add(end)
      lay(state.past.track.ended(at: bank.time, match), before: end)
    }
    let current = state.isNavigating ? state.navigator : state.bank?.winner
    if let current, !isDone { sweep(current.filter.recorder) }
    for history in state.past.earlier.reversed() where !isDone { sweep(history) }
  }

  private mutating func sweep(_ history: RecordedHistory) {
    isTurned = false
    mounting = nil
    last = nil
    history.goBack { step in
      switch step {
      case .point(let point, let adjoint): take(point, adjoint)
      case .isolated(let block):
        // The attitude before has nothing to do with the one that the mounting was found with.
        if block == StateBlock.attitude { mounting = nil }
        if block == StateBlock.mountingAndOdometer { isTurned = false }
      case .turnedAround: isTurned.toggle()
      case .laid(let track):
        guard let (point, adjoint) = last else { break }
        lay(track, before: SmoothedPoint(point, adjoint, isTurned: isTurned, later: mounting))
      }
      return !isDone
    }
    limit = [limit, history.start].compactMap { $0 }.min()
  }

  private mutating func take(_ point: RecordedPoint, _ adjoint: Adjoint) {
    last = (point, adjoint)
    guard point.time.seconds(since: to) < Self.margin else { return }
    if let limit, point.time >= limit { return }
    var smoothed = SmoothedPoint(point, adjoint, isTurned: isTurned, later: mounting)
    mounting = smoothed.mounting
    let isGuess = point.mode == .aligning && smoothed.solution.headingAccuracy > alignmentSigma
    let isUndecided = undecidedSince.map { point.time >= $0 } ?? false
    if isGuess || isUndecided { smoothed.solution.mode = .aligning }
    add(smoothed)
  }

  private mutating func add(_ point: SmoothedPoint) {
    guard point.solution.time.seconds(since: to) < Self.margin, !isDone else { return }
    points.append(point)
    if point.solution.time <= from { isDone = true }
  }

  /// Lays a track to where the car was at its end: what was estimated on it without a heading is worth less.
  private mutating func lay(_ track: DeadReckonedTrack, before end: SmoothedPoint) {
    for point in track.points(before: end) { add(point) }
    limit = [limit, track.start].compactMap { $0 }.min()
  }
}
