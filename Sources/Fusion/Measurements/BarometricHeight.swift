// Height by the pressure of the air. With H(p) the height of the standard atmosphere, up, and q = v²/2g:
//   H(p) = h + b − c q + white noise
// b is the bias (weather, the sensor's own, how the car is ventilated), c the pressure in the car over the
// dynamic pressure ρv²/2, and c q the height that it makes. A fix, whose height errs down by e, a
// Gauss-Markov process, says
//   H(p) − h_fix = b − c q + e + white noise
//
// Why b is none of the filter's states. An eleventh block of three would cost every car a fifth more of
// each step, with or without a barometer: the covariance of ten blocks has 55 of its own, that of eleven 66.
// And a barometer is better in the short run (0.25 m) than anything else is in the vertical (3 to 8 m a
// fix), so that two parts nearly separate: the height *in the barometer's frame*, H(p) − b, and the frame,
// b. The filter keeps the first: while a barometer is in use its vertical position error is against
// H(p) − b̂, known to decimetres. `BarometricBias` keeps (b, c, e) in 3×3, and takes the fixes' heights,
// which the filter does not see then: nothing is counted twice. What is neglected is that b and the height
// in the frame share errors, some 0.1 m against a σ_b of 1 to 3 m. The stated height has σ_b on top. (PX4's
// EKF2 too has a filter of one state beside its own for the bias of each height sensor.)
//
// Only the height takes a part of an innovation; all other states are considered, with a gain of 0. A
// barometer's errors last: the air that a car pushes through a tunnel is 30 Pa or 3 m for a minute. Taken
// for a climb, they tilt the car by 0.1°, and gravity makes 1.5 m/s of that in as long a tunnel. [measured
// on eight seeds of tunnel-and-garage: with the full gain the 95 % horizontal error was 7.6 to 30 m, without
// a barometer 6.1 to 10.5 m; the height was no better]
//
// c is Friedland's separate bias (1969): with a = ∂ĥ/∂c, which follows q as the filter follows the
// barometer, an innovation is off by −(q − a) δc, so that c is learned when the car changes its speed,
// and costs what it is not known.
import CLibrary
import LinearAlgebra
import Navigation

/// Height of the IMU by a barometer whose bias is known.
package enum BarometricHeight {
  /// - Parameters:
  ///   - excess: measured height less the estimate's, up, m.
  ///   - variance: of it, m².
  package static func measurement(excess: Double, variance: Double) -> Measurement<some Relation> {
    // The error of the position is down.
    Measurement(
      innovation: Vector3(excess, 0, 0),
      links: Term(StateBlock.position, Matrix3(rows: Vector3(0, 0, -1), .zero, .zero)),
      noise: Matrix3(diagonal: Vector3(variance, 1, 1)), dimension: 1)
  }

  /// The height v²/2g that the dynamic pressure at `speed` m/s stands for, m.
  package static func dynamicHeight(speed: Double) -> Double { speed * speed / (2 * 9.80665) }
}

/// Bias of a barometer, pressure coefficient of the car and lasting error of the fixes' heights, with their
/// covariance.
package struct BarometricBias: Sendable {
  /// b, m.
  package private(set) var bias: Double
  /// c.
  package private(set) var coefficient = 0.0
  /// e, m down.
  package private(set) var gnssPositionBias: Double
  /// Of (b, c, e).
  package private(set) var covariance: Matrix3
  /// ∂ĥ/∂c: q as the filter's height has followed it, m.
  package private(set) var sensitivity: Double
  /// Where the last climb began, m.
  private var level: Double

  /// The bias that makes the barometer agree with a height now.
  ///
  /// - Parameters:
  ///   - height: m, and its variance; `shared` with the error of the fixes of value `gnssPositionBias`
  ///     down and `fixVariance`.
  ///   - altitude: by the barometer, m.
  package init(
    height: Double, variance: Double, shared: Double, gnssPositionBias: Double, fixVariance: Double,
    altitude: Double,
    speed: Double, settings: BarometerConfiguration
  ) {
    bias = altitude - height
    self.gnssPositionBias = gnssPositionBias
    level = height
    sensitivity = BarometricHeight.dynamicHeight(speed: speed)
    let c = settings.pressureCoefficientSigma
    // What is not known of c at this speed is in the bias: c is 0 here.
    let lean = sensitivity * c * c
    covariance = Matrix3(
      rows: Vector3(variance + sensitivity * lean, lean, shared), Vector3(lean, c * c, 0),
      Vector3(shared, 0, fixVariance))
  }

  /// Variance of a height that rests on the bias, m².
  package var heightVariance: Double { max(0, spread(Vector3(1, -sensitivity, 0))) }

  /// Lets the weather and what the temperature makes of a climb change the bias for `dt` seconds at `height`.
  package mutating func advance(_ dt: Double, height: Double, settings: BarometerConfiguration) {
    let before = height - level
    level += before * min(1, dt / settings.climbMemory)
    let climbed = abs(climb.map { height - $0 } ?? 0)
    climb = height
    let scale = settings.temperatureError * settings.temperatureError
    covariance.x.x += settings.weather * settings.weather * dt + scale * climbed * abs(before)
  }
  private var climb: Double?

  /// What the barometer's height should be above or below the estimate's, less which it is an innovation: b
  /// − c q, m.
  package func offset(speed: Double) -> Double {
    bias - coefficient * BarometricHeight.dynamicHeight(speed: speed)
  }

  /// Variance that not knowing c adds to an innovation at `speed`, m².
  package func dynamicVariance(speed: Double) -> Double {
    let lag = BarometricHeight.dynamicHeight(speed: speed) - sensitivity
    return lag * lag * covariance.y.y
  }

  /// Learns c from an innovation of `variance` without what c adds, which moved the height by `gain` of it.
  ///
  /// - Returns: what to add to the height, m.
  package mutating func learn(
    innovation: Double, variance: Double, gain: Double, weight: Double, speed: Double
  ) -> Double {
    let lag = BarometricHeight.dynamicHeight(speed: speed) - sensitivity
    let change = update(Vector3(0, -lag, 0), innovation: innovation, variance: variance / max(weight, 1e-3))
    let move = change.y * sensitivity - change.x
    sensitivity += gain * lag
    return move
  }

  /// Takes the height of a fix that lies `distance` below the estimate, m.
  ///
  /// - Parameters:
  ///   - fade: what is left of the lasting error since the fix before, 0 to 1.
  ///   - white, lasting: variances of the parts of its error, m².
  /// - Returns: what to add to the height, m.
  package mutating func take(
    distance: Double, fade: Double, white: Double, lasting: Double, degreesOfFreedom: Double,
    settings: BarometerConfiguration
  ) -> Double {
    func weight(_ square: Double, _ variance: Double, _ degrees: Double) -> Double {
      RobustWeight.studentT(
        normalizedInnovationSquared: square / max(variance, 1e-9), dimension: 1, degreesOfFreedom: degrees)
    }
    // A height that is far off now has been for a while: what lasts has the tails.
    let lasts =
      lasting
      / weight(
        distance * distance, heightVariance + lasting + white, settings.lastingDegreesOfFreedom)
    gnssPositionBias *= fade
    covariance.z = covariance.z * fade
    (covariance.x.z, covariance.y.z, covariance.z.z) = (covariance.z.x, covariance.z.y, covariance.z.z * fade)
    covariance.z.z += lasts * (1 - fade * fade)
    let row = Vector3(1, -sensitivity, 1)
    let innovation = distance - gnssPositionBias
    let trust = weight(innovation * innovation, spread(row) + white, degreesOfFreedom)
    let change = update(row, innovation: innovation, variance: white / trust)
    return change.y * sensitivity - change.x
  }

  /// The bias has stepped by `size`, m.
  package mutating func step(by size: Double, sigma: Double) {
    bias += size
    covariance.x.x += sigma * sigma
  }

  private func spread(_ row: Vector3) -> Double { row.dot(covariance * row) }

  /// Conditions (b, c, e) on one measurement, and says what changed.
  private mutating func update(_ row: Vector3, innovation: Double, variance: Double) -> Vector3 {
    let shared = covariance * row
    let s = row.dot(shared) + variance
    guard s > 0, innovation.isFinite else { return .zero }
    let change = shared * (innovation / s)
    bias += change.x
    coefficient += change.y
    gnssPositionBias += change.z
    covariance = Matrix3(
      columns: covariance.x - shared * (shared.x / s), covariance.y - shared * (shared.y / s),
      covariance.z - shared * (shared.z / s))
    return change
  }
}

/// Tells an innovation of the same bias from a disturbance that passes, and from a bias that has stepped: a
/// window was opened, or the air of a tunnel is pushed along.
///
/// Hypotheses: the bias is the same, and ν has the variance S; or it stepped, and ν is anything, the same
/// for a while.
package struct BarometricStep: Sendable {
  /// What an innovation is.
  package enum Finding: Sendable, Equatable {
    /// Of the same bias.
    case same
    /// Of a disturbance, or the first of another bias.
    case outlier
    /// Of a bias that lies this much higher, m.
    case stepped(Double)
  }
  private var mean = 0.0, seconds = 0.0, count = 0.0

  package init() {}

  /// Takes an innovation in m, `elapsed` seconds after the one before.
  package mutating func test(
    _ innovation: Double, variance: Double, elapsed: Double, settings: BarometerConfiguration
  ) -> Finding {
    guard abs(innovation) > max(settings.leastGate, settings.gate * variance.squareRoot()) else {
      self = BarometricStep()
      return .same
    }
    if count > 0, abs(innovation - mean) < max(settings.leastGate, settings.gate * settings.noise) {
      seconds += elapsed
    } else {
      (seconds, count, mean) = (0, 0, 0)
    }
    count += 1
    mean += (innovation - mean) / count
    guard seconds >= settings.stepPatience else { return .outlier }
    defer { self = BarometricStep() }
    return .stepped(mean)
  }
}
