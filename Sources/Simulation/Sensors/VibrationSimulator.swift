import LinearAlgebra

/// Shaking over time, in vehicle axes.
package struct VibrationSimulator: Sendable {
  private let model: VibrationModel
  private let rate: Double
  private var random: RandomSource
  private var previousForce = Vector3.zero
  private var previousRate = Vector3.zero
  private var wheels: [WheelShaking]
  private var engine: EngineShaking
  /// From the centre of mass forward to an axle, to the right to a wheel and down to its hub, m [chosen: a
  /// middle-sized car].
  private static let wheel = Vector3(1.35, 0.78, 0.25)

  /// The shaking of an IMU with `rate` samples a second.
  package init(_ model: VibrationModel, rate: Double, seed: UInt64) {
    self.model = model
    self.rate = rate
    random = RandomSource(seed: seed, stream: "vibration")
    var tyres = RandomSource(seed: seed, stream: "tyres")
    let paces = [1 + model.wheelSpread * tyres.normal(), 1 + model.wheelSpread * tyres.normal()]
    wheels = (0..<4).map { wheel in
      let place = Self.wheel.scaled(by: Vector3(wheel < 2 ? 1 : -1, wheel.isMultiple(of: 2) ? -1 : 1, 1))
      return WheelShaking(
        model, place: place, pace: paces[wheel / 2],
        random: RandomSource(seed: seed, stream: "wheel \(wheel)"))
    }
    engine = EngineShaking(model)
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
    let cutoff = 0.4 * self.rate  // of the IMU's own low-pass
    var lines = engine.next(state, step: 1 / self.rate, cutoff: cutoff)
    for i in wheels.indices { lines += wheels[i].next(state, step: 1 / self.rate, cutoff: cutoff) }
    let shakenForce = (force - previousForce) * (forceSigma * half) + lines.force * model.strength
    let rateScale = rateSigma * half
    let shakenRate =
      (rate - previousRate).scaled(by: Vector3(1, 1, 1.0 / 3)) * rateScale + lines.rate * model.strength
    return (shakenForce, shakenRate)
  }
}
