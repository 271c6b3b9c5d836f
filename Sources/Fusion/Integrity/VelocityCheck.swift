import LinearAlgebra
import Navigation

/// Finds a receiver whose velocity is not its own: zero while it goes, in knots or km/h, or of swapped axes.
///
/// The way that the velocities say is compared with the one between the positions, over some hundred metres:
/// more than multipath moves a position by. What it is instead shows sooner: ``VelocityHypotheses``. Neither
/// IMU nor filter is asked.
struct VelocityCheck: Sendable {
  /// Whether the velocities can be used.
  private(set) var isTrusted = true
  /// Whether one of them has been other than exactly zero: a column of zeros is no velocity.
  private(set) var isAlive = false

  /// Metres of a way that is compared, and longest time for it, s. [chosen]
  private static let way = 300.0, longest = 120.0
  /// Part of the longer of both ways by which they may differ: knots are off by 0.49, km/h by 0.72. [chosen]
  private static let share = 0.45
  /// Ways that contradict until it is certain, those between that agree taken off; and as many to be
  /// believed again. [chosen]
  private static let certain = 2

  private struct Point {
    var time: Timestamp
    var position: GeodeticPosition
    var velocity: Vector3
  }

  private var start: Point?, last: Point?
  private var said = Vector3.zero
  /// Where the step that runs began, and the ways of both up to there.
  private var stepStart: Point?, stepMoved = Vector3.zero, stepSaid = Vector3.zero
  private var nearbyCurvature = NearbyCurvature()
  private var contradictions = 0
  private var hypotheses = VelocityHypotheses()

  /// Takes a fix as the receiver gave it.
  mutating func add(_ fix: GNSSFix) {
    guard let velocity = fix.velocityNED else { return forget() }
    isAlive = isAlive || velocity.x != 0 || velocity.y != 0
    let point = Point(time: fix.time, position: fix.position, velocity: velocity)
    guard let last, let start, 0..<FixMotion.gap ~= fix.time.seconds(since: last.time) else {
      hypotheses.interrupt()
      return begin(at: point)
    }
    let mean = (last.velocity + velocity) * 0.5
    said += Vector3(mean.x, mean.y, 0) * fix.time.seconds(since: last.time)
    let moved = fix.position.ned(from: start.position, by: nearbyCurvature.at(start.position))
    self.last = point
    let isStuck =
      fix.position.latitude == last.position.latitude && fix.position.longitude == last.position.longitude
    // A position that has stuck tells nothing of the velocity.
    guard !isStuck, fix.time.seconds(since: start.time) < Self.longest else {
      hypotheses.interrupt()
      return begin(at: point)
    }
    weighStep(to: point, moved: moved)
    let longer = max(said.horizontalNorm, moved.horizontalNorm)
    guard longer > Self.way else { return }
    let isOff = (moved - said).horizontalNorm > Self.share * longer
    contradictions = max(0, min(Self.certain, contradictions + (isOff ? 1 : -1)))
    if contradictions == 0, !isTrusted { (isTrusted, hypotheses) = (true, VelocityHypotheses()) }
    if contradictions == Self.certain { isTrusted = false }
    begin(at: point)
  }

  /// Weighs what the velocity may be instead, where it has gone far enough since it was last weighed.
  private mutating func weighStep(to point: Point, moved: Vector3) {
    guard let stepStart, point.time.seconds(since: stepStart.time) > VelocityHypotheses.shortest else {
      return
    }
    let step = VelocityHypotheses.Step(
      moved: moved - stepMoved, said: said - stepSaid, change: point.velocity - stepStart.velocity,
      elapsed: point.time.seconds(since: stepStart.time))
    guard hypotheses.isDue(step) else { return }
    hypotheses.add(step)
    (self.stepStart, stepMoved, stepSaid) = (point, moved, said)
    if isTrusted, hypotheses.isRefuted { (isTrusted, contradictions) = (false, Self.certain) }
  }

  private mutating func begin(at point: Point) {
    (start, last, said) = (point, point, .zero)
    (stepStart, stepMoved, stepSaid) = (point, .zero, .zero)
  }

  private mutating func forget() {
    (start, last, said) = (nil, nil, .zero)
    hypotheses.interrupt()
  }
}
