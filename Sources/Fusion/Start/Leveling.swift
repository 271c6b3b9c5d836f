import LinearAlgebra
import Navigation

/// Finds which way is down in body axes, and the gyroscope's bias, before anything else is known.
///
/// Any mounting will do: sideways or upside down. The gyroscope carries the direction from sample to sample; gravity
/// corrects it, fully while the car is steady and weakly while it moves.
package struct Leveling: Sendable {
  /// Direction of gravity in body axes.
  package private(set) var down = Vector3(0, 0, 1)
  /// Size of the specific force at rest as this accelerometer measures it, m/s².
  package private(set) var gravity = 9.81
  /// Gyroscope bias in body axes, rad/s.
  package private(set) var gyroBias = Vector3.zero
  /// Its standard deviation per axis, rad/s: 3 °/s for a part that nothing is known of.
  package private(set) var gyroBiasSigma = 0.05
  /// Standard deviation of the tilt, rad.
  package private(set) var tiltSigma = 0.1
  private var isInitialized = false
  private var detector = StillnessDetector()
  private var last: InertialSample?

  package init() {}

  /// Takes a sample.
  ///
  /// - Parameter isStanding: whether other sensors say that the car stands; nil where they say nothing.
  package mutating func process(_ sample: InertialSample, isStanding: Bool?) {
    if let last {
      let dt = min(max(sample.time.seconds(since: last.time), 0), 0.1)
      let rate = (last.angularRate + sample.angularRate) * 0.5 - gyroBias
      down = normalized(down - rate.cross(down) * dt)
      tiltSigma = min(0.2, tiltSigma + 0.002 * dt)
    }
    last = sample
    guard detector.process(sample) else { return }
    correct(isStanding: isStanding)
  }

  private mutating func correct(isStanding: Bool?) {
    let up = detector.meanForce.norm
    guard up > 5, up < 15 else { return }
    let measured = normalized(-detector.meanForce)
    guard isInitialized else {
      down = measured
      gravity = up
      isInitialized = true
      return
    }
    if detector.steadyFor >= 0.75, isStanding != false, let means = detector.steadyMeans, means.rate.norm < 0.5 {
      down = normalized(-means.force)
      gravity = means.force.norm
      // Standing, the rate is the bias. Where nothing says that the car stands, it may drive in a wide curve.
      let sigma = (isStanding == true ? 0.001 : 0.01) / min(detector.steadyFor, 10).squareRoot()
      tiltSigma = isStanding == true ? 0.02 : 0.05
      if sigma <= gyroBiasSigma {
        gyroBias = means.rate
        gyroBiasSigma = sigma
      }
    } else {
      down = normalized(down + (measured - down) * (StillnessDetector.binLength / 10))
    }
  }

  /// Level axes: forward is the body axis that lies flattest, turned into the horizontal.
  package var levelFromBody: Matrix3 {
    let ahead = abs(down.x) < 0.8 ? Vector3(1, 0, 0) : Vector3(0, 1, 0)
    let forward = normalized(ahead - down * ahead.dot(down))
    return Matrix3(rows: forward, down.cross(forward), down)
  }

  private func normalized(_ v: Vector3) -> Vector3 { v / max(v.norm, 1e-9) }
}
