import LinearAlgebra
import Measuring

/// A piece of the numeric core, too short to time one call at a time.
struct Kernel: Sendable {
  let name: String
  /// Runs that many calls and returns something that depends on all of them.
  let run: @Sendable (_ calls: Int) -> Double

  /// Times 500 batches of 64 calls, `repeats` times after a warm-up; adds to `checksum` what they computed.
  func row(repeats: Int, stopwatch: Stopwatch, checksum: inout Double) -> LatencyRow {
    let calls = 64
    var readings = Readings()
    for _ in 0..<500 { checksum += run(calls) }
    for _ in 0..<repeats {
      readings.beginRepeat()
      for _ in 0..<500 {
        let start = Stopwatch.now
        checksum += run(calls)
        readings.add(stopwatch.elapsed(since: start))
      }
    }
    return LatencyRow(name: name, readings: readings, callsPerReading: calls)
  }
}

extension Kernel {
  /// The kernels that an IMU sample and a fix are made of, and what they cost by the number of states.
  static let all: [Kernel] = [
    Kernel(name: "quaternion from rotation vector, product") { calls in
      var attitude = Quaternion.identity
      let turn = Vector3(1e-3, -2e-3, 3e-3)
      for _ in 0..<calls { attitude = attitude * Quaternion(rotationVector: turn) }
      return attitude.w
    },
    Kernel(name: "predict, 15 states") { predict(Covariance<5>(), $0) },
    Kernel(name: "predict, 21 states") { predict(Covariance<7>(), $0) },
    Kernel(name: "predict, 30 states") { predict(Covariance<10>(), $0) },
    Kernel(name: "predict, 42 states") { predict(Covariance<14>(), $0) },
    Kernel(name: "update by 3, 15 states") { update(Covariance<5>(), $0) },
    Kernel(name: "update by 3, 21 states") { update(Covariance<7>(), $0) },
    Kernel(name: "update by 3, 30 states") { update(Covariance<10>(), $0) },
    Kernel(name: "update by 3, 42 states") { update(Covariance<14>(), $0) },
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
