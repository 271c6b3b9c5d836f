// Dead reckoning by wheel speed v and yaw rate ω gives a track p(t) from an unknown start in an unknown
// direction. Fixes z along it are matched by the rigid motion z ≈ a + R(ψ) (1 − κ) p(t; b) with
// the yaw rate's bias b and the speed's scale κ: least squares with Student weights, linearized in (ψ,
// b, κ) after a closed-form first ψ; the constants a drop out when track and fixes are taken relative
// to their weighted means.
import CLibrary
import LinearAlgebra
import Navigation

/// Finds position and heading of a car without an IMU by laying its dead-reckoned track on all fixes so far.
///
/// A whole track at once, since the stated accuracy of the first fixes may be far too small: the spread about
/// the match shows how good they are before anything is believed of a single one.
package struct TrackMatch: Sendable {
  /// A fix, averaged over the fixes near the same place.
  private struct Point: Sendable {
    /// Dead-reckoned metres ahead and to the right of the first pose, and their change per
    /// bias of the yaw rate, m s.
    var track: Vector3
    var perBias: Vector3
    /// Metres north and east of the origin.
    var fix: Vector3
    var count = 1.0
    /// 1 at first, less where the fix lies far off the match.
    var weight = 1.0
  }

  /// Room for points; a longer track keeps every other one. [chosen]
  private static let capacity = 256
  /// Metres over which the error of urban fixes stays the same: fixes closer than this are not independent.
  /// [chosen]
  static let correlationDistance = 40.0
  /// Degrees of freedom of the residuals' t distribution. [chosen]
  private static let degreesOfFreedom = 4.0
  /// Standard deviations of the yaw rate's bias, rad/s, and of the speed's scale before anything is seen.
  /// [chosen]
  private static let biasSigma = 0.003, scaleSigma = 0.03

  /// Where north and east are counted from.
  private let origin: GeodeticPosition
  private var start: Timestamp?
  private var points: [Point] = []
  private var spacing = 2.0
  private var track = Vector3.zero
  private var perBias = Vector3.zero
  private var yaw = 0.0
  /// Of the newest wheel sample.
  private(set) var time: Timestamp?
  private(set) var travelled = 0.0
  private var speed = 0.0
  private var height: Double?
  private var last: (track: Vector3, fix: Vector3)?
  private var jumps = (sum: 0.0, count: 0.0)

  /// What the match says so far.
  package struct Result: Sendable {
    /// Position and velocity, level, north and east, and heading, rad.
    package var position: GeodeticPosition
    package var velocity: Vector3
    package var heading: Double
    /// Covariance of the position north and east, m², variance of the heading, and covariance of both.
    package var positionCovariance: Matrix3
    package var headingVariance: Double
    package var positionHeading: Vector3
    /// Yaw rate's bias, rad/s, and the speed's scale, with variances.
    package var bias: Double, scale: Double
    package var biasVariance: Double, scaleVariance: Double
    /// Variances per axis of the fixes about the match: all of it, and the part that changes
    /// from one fix to the next.
    package var spread: Double, white: Double
    /// Number of fixes that count as independent.
    package var independent: Double
  }
  private var fit: Fit?

  package init(origin: GeodeticPosition) {
    self.origin = origin
    points.reserveCapacity(Self.capacity)
  }

  /// Moves the track on to a wheel sample's time at its speed and yaw rate.
  package mutating func advance(_ wheel: WheelSample) {
    defer { time = wheel.time }
    let from = start ?? wheel.time
    start = from
    speed = wheel.speed
    guard let time, let rate = wheel.yawRate else { return }
    let dt = wheel.time.seconds(since: time)
    guard dt > 0, dt < 2 else { return }
    let middle = yaw + rate * dt / 2
    let length = wheel.speed * dt
    let step = Vector3(cos(middle), sin(middle), 0) * length
    let elapsed = time.seconds(since: from) + dt / 2
    track += step
    perBias += Vector3(step.y, -step.x, 0) * elapsed
    yaw += rate * dt
    travelled += abs(wheel.speed) * dt
  }

  /// Takes a fix near the end of the track, with the speed and the time since the last
  /// wheel sample between them.
  package mutating func add(_ fix: GNSSFix) {
    guard let time else { return }
    let late = max(-2, min(2, fix.time.seconds(since: time)))
    let here = track + Vector3(cos(yaw), sin(yaw), 0) * (speed * late)
    var north = fix.position
    if north.height.isFinite { height = north.height }
    north.height = origin.height
    let place = north.ned(from: origin)
    if let near = points.last, (near.track - here).norm < spacing {
      let i = points.count - 1
      points[i].count += 1
      points[i].fix += (place - points[i].fix) * (1 / points[i].count)
    } else {
      if points.count == Self.capacity { thin() }
      points.append(Point(track: here, perBias: perBias, fix: place))
    }
    solve(stated: fix.positionSigma?.horizontalNorm ?? 2)
    if let fit, let last {
      jumps.sum += (place - last.fix - turned(here - last.track, by: fit.psi)).squaredNorm / 4
      jumps.count += 1
    }
    last = (here, place)
  }

  private mutating func thin() {
    var kept = 0
    for i in stride(from: 0, to: points.count, by: 2) {
      points[kept] = points[i]
      kept += 1
    }
    points.removeLast(points.count - kept)
    spacing *= 2
  }

  private func turned(_ v: Vector3, by angle: Double) -> Vector3 {
    let (s, c) = (sin(angle), cos(angle))
    return Vector3(c * v.x - s * v.y, s * v.x + c * v.y, 0)
  }

  /// Weighted means of track, its change per bias, and fixes.
  private var means: (track: Vector3, perBias: Vector3, fix: Vector3, weight: Double) {
    var (p, s, z, sum) = (Vector3.zero, Vector3.zero, Vector3.zero, 0.0)
    for point in points {
      p += point.track * point.weight
      s += point.perBias * point.weight
      z += point.fix * point.weight
      sum += point.weight
    }
    return (p / sum, s / sum, z / sum, sum)
  }

  private mutating func solve(stated: Double) {
    guard points.count >= 3 else { return }
    var (along, across) = (0.0, 0.0)
    let first = means
    for point in points {
      let (p, z) = (point.track - first.track, point.fix - first.fix)
      along += point.weight * (p.x * z.x + p.y * z.y)
      across += point.weight * (p.x * z.y - p.y * z.x)
    }
    var psi = atan2(across, along)
    var (bias, scale) = (0.0, 0.0)
    var information = Matrix3.zero
    var variance = stated * stated / 2
    for _ in 0..<6 {
      let mean = means
      information = .zero
      var gradient = Vector3.zero
      var squares = 0.0
      for i in points.indices {
        let p = points[i].track - mean.track + (points[i].perBias - mean.perBias) * bias
        let model = turned(p * (1 - scale), by: psi)
        let residual = points[i].fix - mean.fix - model
        squares += points[i].weight * residual.squaredNorm
        points[i].weight =
          (Self.degreesOfFreedom + 2) / (Self.degreesOfFreedom + residual.squaredNorm / variance)
        let w = points[i].weight
        let byBias = turned(points[i].perBias - mean.perBias, by: psi)
        let jx = Vector3(-model.y, byBias.x, -model.x)
        let jy = Vector3(model.x, byBias.y, -model.y)
        information += (Matrix3(outer: jx, jx) + Matrix3(outer: jy, jy)) * w
        gradient += (jx * residual.x + jy * residual.y) * w
      }
      // The stated accuracy counts as four fixes.
      variance = (squares + 4 * stated * stated / 2) / (2 * Double(points.count) - 4 + 4)
      let repeats = self.repeats
      let prior = Vector3(
        0, variance * repeats / (Self.biasSigma * Self.biasSigma),
        variance * repeats / (Self.scaleSigma * Self.scaleSigma))
      information += Matrix3(diagonal: prior + Vector3(1e-9, 0, 0))
      gradient += Vector3(0, -prior.y * bias, -prior.z * scale)
      guard let inverse = information.inverse else { return }
      let step = inverse * gradient
      psi += step.x
      bias = max(-0.02, min(0.02, bias + step.y))
      scale = max(-0.2, min(0.2, scale + step.z))
    }
    finish(psi: psi, bias: bias, scale: scale, variance: variance, information: information)
  }

  /// Points that say the same as one: those within the distance over which an error lasts.
  private var repeats: Double { Double(points.count) / independent }
  private var independent: Double {
    max(1, min(Double(points.count), travelled / Self.correlationDistance))
  }

  private mutating func finish(
    psi: Double, bias: Double, scale: Double, variance: Double, information: Matrix3
  ) {
    guard let inverse = information.inverse else { return }
    let mean = means
    // The weights take the tails away: of normal errors a third; and the match takes
    // up five of their numbers.
    let variance = variance * 1.5 * (2 * independent) / max(2 * independent - 5, 1)
    fit = Fit(
      track: mean.track, perBias: mean.perBias, fix: mean.fix, psi: psi, bias: bias, scale: scale,
      covariance: inverse * (variance * repeats), variance: variance, own: variance * repeats / mean.weight)
  }
}

extension TrackMatch {
  /// How the track lies on the fixes, as of the newest of them.
  private struct Fit: Sendable {
    /// Weighted means.
    let track: Vector3, perBias: Vector3, fix: Vector3
    /// Direction of the track, rad, the yaw rate's bias, rad/s, and the speed's scale; and their covariance.
    let psi: Double, bias: Double, scale: Double
    let covariance: Matrix3
    /// Variances per axis of the fixes about the match, and of its means, m².
    let variance: Double, own: Double
  }

  /// What the match says at the newest wheel sample; nil before it says anything.
  package var result: Result? {
    guard let fit, let time, let start else { return nil }
    let age = time.seconds(since: start)
    let p = track - fit.track + (perBias - fit.perBias) * fit.bias
    let ahead = turned(p * (1 - fit.scale), by: fit.psi)
    let byBias = turned(perBias - fit.perBias, by: fit.psi)
    let jx = Vector3(-ahead.y, byBias.x, -ahead.x)
    let jy = Vector3(ahead.x, byBias.y, -ahead.y)
    let (cx, cy) = (fit.covariance * jx, fit.covariance * jy)
    // Heading now: ψ + yaw − b · age.
    let turn = Vector3(1, -age, 0)
    let ct = fit.covariance * turn
    let heading = fit.psi + yaw - fit.bias * age
    var position = origin.moved(byNED: fit.fix + ahead)
    position.height = height ?? origin.height
    let jumpy = jumps.count > 0 ? jumps.sum / jumps.count : fit.variance
    return Result(
      position: position, velocity: turned(Vector3(speed * (1 - fit.scale), 0, 0), by: heading),
      heading: Angle.wrapped(heading),
      positionCovariance: Matrix3(
        rows: Vector3(jx.dot(cx) + fit.own, jx.dot(cy), 0), Vector3(jx.dot(cy), jy.dot(cy) + fit.own, 0),
        Vector3(0, 0, fit.variance * 4)),
      headingVariance: turn.dot(ct), positionHeading: Vector3(jx.dot(ct), jy.dot(ct), 0),
      bias: fit.bias, scale: fit.scale, biasVariance: fit.covariance.y.y,
      scaleVariance: fit.covariance.z.z, spread: fit.variance, white: min(jumpy, fit.variance),
      independent: independent)
  }

  /// That as a solution, predicted to `time`; nil once the newest sample is `patience` seconds old.
  func solution(at time: Timestamp, within patience: Double) -> NavigationSolution? {
    guard let held = self.time, let result, time.seconds(since: held) < patience else { return nil }
    return result.solution(at: time, holding: held)
  }
}

extension TrackMatch.Result {
  /// The match as a solution of a car whose heading is not believed yet.
  func solution(at time: Timestamp, holding: Timestamp) -> NavigationSolution {
    let ahead = max(-5, min(5, time.seconds(since: holding)))
    return NavigationSolution(
      time: time, mode: .aligning, position: position.moved(byNED: velocity * ahead), velocityNED: velocity,
      navFromVehicle: Quaternion(rotationVector: Vector3(0, 0, heading)), angularRate: .zero,
      positionCovariance: positionCovariance,
      velocityCovariance: Matrix3(scalar: 0.25 + velocity.squaredNorm * min(headingVariance, 4)),
      attitudeCovariance: Matrix3(diagonal: Vector3(0.1, 0.1, min(headingVariance, .pi * .pi))))
  }
}
