import LinearAlgebra

/// A piece of the numeric core, too short to time one call at a time.
struct Kernel: Sendable {
  let name: String
  /// Runs that many calls and returns something that depends on all of them.
  let run: @Sendable (_ calls: Int) -> Double

  /// Times `readings` batches of 64 calls after a warm-up of as many; adds to `checksum` what they computed.
  func row(readings count: Int, stopwatch: Stopwatch, checksum: inout Double) -> LatencyRow {
    let calls = 64
    var readings = [Int]()
    readings.reserveCapacity(count)
    for _ in 0..<count { checksum += run(calls) }
    for _ in 0..<count {
      let start = Stopwatch.now
      checksum += run(calls)
      readings.append(stopwatch.elapsed(since: start))
    }
    return LatencyRow(name: name, readings: Distribution(readings), callsPerReading: calls)
  }
}

extension Kernel {
  /// The kernels that an IMU sample and a fix are made of.
  static let all: [Kernel] = [
    Kernel(name: "Quaternion from rotation vector, product") { calls in
      var attitude = Quaternion.identity
      let turn = Vector3(1e-3, -2e-3, 3e-3)
      for _ in 0..<calls { attitude = attitude * Quaternion(rotationVector: turn) }
      return attitude.w
    },
    Kernel(name: "Covariance predict, 15 states") { predict(Covariance<5>(), $0) },
    Kernel(name: "Covariance predict, 27 states") { predict(Covariance<9>(), $0) },
    Kernel(name: "Covariance update, 15 states, 3 rows") { update(Covariance<5>(), $0) },
    Kernel(name: "Covariance update, 27 states, 3 rows") { update(Covariance<9>(), $0) },
  ]

  /// Position, velocity, attitude, accelerometer and gyroscope bias; blocks beyond these five ride along.
  private static func predict<let n: Int>(_ zero: Covariance<n>, _ calls: Int) -> Double {
    let step = 0.01
    let navFromBody = Quaternion(roll: 0.02, pitch: -0.01, yaw: 0.7).matrix
    let forceCross = Matrix3(crossProductOf: Vector3(0.3, -0.1, -9.81)) * -step
    var covariance = diagonal(zero)
    for _ in 0..<calls {
      covariance.couple(0, [Link(1, Matrix3(scalar: step))])
      covariance.couple(1, [Link(2, forceCross), Link(3, navFromBody * step)])
      covariance.couple(2, [Link(4, navFromBody * step)])
      for block in 1..<5 { covariance.addNoise(block, variances: Vector3(repeating: 1e-6)) }
    }
    return covariance[0, 0].trace
  }

  /// A position fix with a lever arm.
  private static func update<let n: Int>(_ zero: Covariance<n>, _ calls: Int) -> Double {
    let lever = Matrix3(crossProductOf: Vector3(1, 0.2, -1.5))
    let noise = Matrix3(scalar: 4)
    var covariance = diagonal(zero)
    var sum = 0.0
    for _ in 0..<calls {
      let projection = covariance.project([Link(0, .identity), Link(2, lever)])
      let correction = covariance.update(projection, noise: noise, innovation: Vector3(1, -0.5, 0.3))
      sum += correction?[0].x ?? 0
    }
    return sum + covariance[0, 0].trace
  }

  private static func diagonal<let n: Int>(_ zero: Covariance<n>) -> Covariance<n> {
    var covariance = zero
    for block in 0..<n { covariance.isolate(block, Matrix3(scalar: 1)) }
    return covariance
  }
}
