import LinearAlgebra

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Shaking over time, in vehicle axes.
package struct VibrationSimulator: Sendable {
  private let model: VibrationModel
  private let rate: Double
  private var random: RandomSource
  private var previousForce = Vector3.zero
  private var previousRate = Vector3.zero
  private let phases: [Double]

  /// The shaking of an IMU with `rate` samples a second.
  package init(_ model: VibrationModel, rate: Double, seed: UInt64) {
    self.model = model
    self.rate = rate
    var random = RandomSource(seed: seed, stream: "vibration")
    phases = (0..<10).map { _ in random.uniform(in: 0...(2 * .pi)) }
    self.random = random
  }

  /// Shaking of specific force (m/s²) and angular rate (rad/s) at the next sample.
  package mutating func next(_ state: VehicleState) -> (force: Vector3, rate: Vector3) {
    let force = Vector3(random.normal(), random.normal(), random.normal())
    let rate = Vector3(random.normal(), random.normal(), random.normal())
    defer {
      previousForce = force
      previousRate = rate
    }
    guard model.strength > 0, state.engineRuns else { return (.zero, .zero) }
    let speed = min(abs(state.speed), model.saturationSpeed)
    let forceSigma = max(model.idleForce, model.drivingForce * min(1, speed / 10))
    let rateSigma = max(model.idleRate, model.ratePerSpeed * speed)
    // A difference of two draws has twice their variance.
    let half = 0.5.squareRoot() * model.strength
    let shakenForce = (force - previousForce) * (forceSigma * half) + wheelLines(state) * model.strength
    let shakenRate = (rate - previousRate).scaled(by: Vector3(1, 1, 1.0 / 3)) * (rateSigma * half)
    return (shakenForce, shakenRate)
  }

  /// Forward and downward force of the wheels' lines, through the IMU's own low-pass at 0.4 of its rate.
  private func wheelLines(_ state: VehicleState) -> Vector3 {
    let speed = abs(state.speed)
    let first = model.wheelForce * min(speed / 10, 2)
    var (forward, down) = (0.0, 0.0)
    for harmonic in 1...5 {
      let turns = model.wheelTurnsPerMetre * Double(harmonic)
      let relative = turns * speed / (0.4 * rate)
      let size = first / Double(harmonic) / (1 + relative * relative)
      let phase = (turns * state.distance).truncatingRemainder(dividingBy: 1) * 2 * .pi
      forward += 0.5 * size * sin(phase + phases[harmonic - 1])
      down += size * sin(phase + phases[harmonic + 4])
    }
    return Vector3(forward, 0, down)
  }
}
