import EigenPeer
import LinearAlgebra

/// A second of driving at 100 Hz through a curve, as the couplings of a 21-state error filter: what
/// both sides work on. States by blocks: position, velocity, attitude, gyroscope bias,
/// accelerometer bias, their two scales.
struct PeerInputs {
  /// How far one IMU sample moves the error, in our types.
  struct Transition {
    var dt: Double
    var gravityGradient: Vector3
    var coriolis, forceCross, forceFromBias, forceFromScale: Matrix3
    var frameRate, rateFromBias, rateFromScale: Matrix3
    /// Variances of the blocks from velocity on.
    var noise: InlineArray<6, Vector3>
  }

  /// A fix of an antenna's position and velocity, in our types.
  struct Fix {
    var positionFromAttitude, velocityFromAttitude: Matrix3
    var positionNoise, velocityNoise: Vector3
    var positionInnovation, velocityInnovation: Vector3
  }

  static let count = 64
  let transitions: [Transition]
  let fixes: [Fix]
  /// Covariance at the start, 21 × 21 numbers column by column.
  let covariance: [Double]

  init() {
    transitions = (0..<Self.count).map { Self.transition(at: Double($0) * 0.01) }
    fixes = (0..<Self.count).map { Self.fix(at: Double($0)) }
    // Correlated as after a while of driving: a diagonal that some steps have mixed.
    var filter = BlockFilter(diagonal: [4, 0.04, 1e-3, 1e-6, 1e-3, 1e-5, 1e-5])
    for round in 0..<5 {
      for transition in transitions { filter.predict(transition) }
      _ = filter.update(fixes[round])
    }
    covariance = filter.covariance
  }

  private static func transition(at time: Double) -> Transition {
    let dt = 0.01
    let navFromBody = Quaternion(roll: 0.03, pitch: -0.02, yaw: 0.7 + 0.2 * time).matrix
    let force = Vector3(0.8 + time, -1.9 + 0.5 * time, -9.7)
    let rate = Vector3(0.01, -0.02 + 0.01 * time, 0.2)
    let earth = Vector3(4.9e-5, 0, -5.4e-5)
    let transport = Vector3(1.2e-6, -1.5e-6, -1.3e-6)
    return Transition(
      dt: dt, gravityGradient: Vector3(-1.5e-8, -1.5e-8, 3.1e-8),
      coriolis: Matrix3(crossProductOf: (earth * 2 + transport) * -dt),
      forceCross: Matrix3(crossProductOf: navFromBody * force * -dt),
      forceFromBias: navFromBody * -dt, forceFromScale: navFromBody * Matrix3(diagonal: force) * -dt,
      frameRate: Matrix3(crossProductOf: (earth + transport) * -dt),
      rateFromBias: navFromBody * -dt, rateFromScale: navFromBody * Matrix3(diagonal: rate) * -dt,
      noise: [
        Vector3(repeating: 4e-6), Vector3(1e-8, 1e-8, 1e-9), Vector3(repeating: 6e-12),
        Vector3(repeating: 2.5e-9),
        Vector3(repeating: 1e-12), Vector3(repeating: 1e-12),
      ])
  }

  private static func fix(at time: Double) -> Fix {
    let arm = Vector3(1.1, 0.2 + 0.01 * time, -1.4)
    return Fix(
      positionFromAttitude: Matrix3(crossProductOf: -arm),
      velocityFromAttitude: Matrix3(crossProductOf: Vector3(0.28, -0.22, 0.01 * time)),
      positionNoise: Vector3(2, 2, 5), velocityNoise: Vector3(0.01, 0.01, 0.04),
      positionInnovation: Vector3(1, -0.5, 0.3), velocityInnovation: Vector3(0.05, -0.02, 0.1))
  }
}

extension PeerInputs.Transition {
  /// The same in the peer's types.
  var forPeer: PeerTransition {
    var t = PeerTransition()
    t.dt = dt
    fill(&t.gravity_gradient, [gravityGradient])
    fill(&t.coriolis, coriolis.columns)
    fill(&t.force_cross, forceCross.columns)
    fill(&t.force_from_bias, forceFromBias.columns)
    fill(&t.force_from_scale, forceFromScale.columns)
    fill(&t.frame_rate, frameRate.columns)
    fill(&t.rate_from_bias, rateFromBias.columns)
    fill(&t.rate_from_scale, rateFromScale.columns)
    fill(&t.noise, (0..<6).map { noise[$0] })
    return t
  }
}

extension PeerInputs.Fix {
  /// The same in the peer's types.
  var forPeer: PeerMeasurement {
    var m = PeerMeasurement()
    fill(&m.position_from_attitude, positionFromAttitude.columns)
    fill(&m.velocity_from_attitude, velocityFromAttitude.columns)
    fill(&m.noise, [positionNoise, velocityNoise])
    fill(&m.innovation, [positionInnovation, velocityInnovation])
    return m
  }
}

extension Matrix3 {
  fileprivate var columns: [Vector3] { [x, y, z] }
}

/// Fills an array of C, which Swift sees as a tuple of numbers.
private func fill<Tuple>(_ tuple: inout Tuple, _ vectors: [Vector3]) {
  withUnsafeMutableBytes(of: &tuple) { bytes in
    let numbers = bytes.assumingMemoryBound(to: Double.self)
    precondition(numbers.count == vectors.count * 3, "as many numbers as the array holds")
    for (i, vector) in vectors.enumerated() {
      (numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]) = (vector.x, vector.y, vector.z)
    }
  }
}
