import Fusion
import Measuring

/// Every bit that the engine puts out over a short drive, in one number: two builds that
/// agree in it agree in all.
struct Digest {
  /// FNV-1a of 64 bits.
  private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

  var hexadecimal: String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Runs over two minutes without wheel speeds and over two with them, both with fixes that are 0.2 s late.
  init() {
    for wheel in [0, 10] {
      var drive = SyntheticDrive(.init(inertial: 50, wheel: wheel), lateness: 0.2)
      var engine = FusionEngine()
      for sample in drive.samples(seconds: 120) {
        engine.process(sample)
        while let verdict = engine.nextVerdict() { add(verdict) }
        if let solution = engine.solution(at: sample.arrival) { add(solution) }
      }
    }
  }

  private mutating func add(_ verdict: MeasurementVerdict) {
    add(UInt64(bitPattern: verdict.time.nanoseconds))
    add(UInt64(verdict.dimension))
    add(verdict.normalizedInnovationSquared)
  }

  private mutating func add(_ solution: NavigationSolution) {
    add(solution.position.latitude)
    add(solution.position.longitude)
    add(solution.position.height)
    add(solution.velocityNED)
    add(solution.navFromVehicle.vector)
    add(solution.navFromVehicle.w)
    add(solution.angularRate)
    for covariance in [
      solution.positionCovariance, solution.velocityCovariance, solution.attitudeCovariance,
    ] {
      add(covariance.x)
      add(covariance.y)
      add(covariance.z)
    }
  }

  private mutating func add(_ vector: Vector3) {
    add(vector.x)
    add(vector.y)
    add(vector.z)
  }

  private mutating func add(_ value: Double) { add(value.bitPattern) }

  private mutating func add(_ word: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) {
      hash = (hash ^ (word >> UInt64(shift)) & 0xff) &* 0x100_0000_01b3
    }
  }
}
