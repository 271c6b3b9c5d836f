import CLibrary
import LinearAlgebra

/// What one wheel, out of balance and out of round, shakes into the body: lines at whole multiples of its
/// turns, whose size comes and goes with the road and whose phase wanders as the tyre's contact does.
struct WheelShaking: Sendable {
  /// Sizes of the harmonics over the first, ahead of the IMU's low-pass [measured on boulder and
  /// ontario-long, windows of 60 m, middle of both: 1, 1.15, 0.9, 0.6 and 0.3 behind it].
  private static let usual = [1, 1.2, 1.2, 1, 0.5]

  private let model: VibrationModel
  private let turnsPerMetre: Double
  /// Forward, to the right and below the centre of mass, m.
  private let place: Vector3
  /// Size of each harmonic over the model's, and its phases forward, right and down.
  private let sizes: [Double]
  private let phases: [Vector3]
  private var fading: GaussMarkov
  private var drift: [Double]
  private var turns = 0.0
  private var random: RandomSource

  /// A wheel at `place`, m from the centre of mass, of a tyre that turns `pace` times as often as the model
  /// says.
  init(_ model: VibrationModel, place: Vector3, pace: Double, random: RandomSource) {
    var random = random
    self.model = model
    self.place = place
    turnsPerMetre = model.wheelTurnsPerMetre * pace * (1 + model.wheelSpread * 0.5 * random.normal())
    sizes = Self.usual.map { $0 * random.logNormal(median: 1, logSigma: 0.5) }
    phases = Self.usual.map { _ in
      Vector3(random.uniform(), random.uniform(), random.uniform()) * (2 * .pi)
    }
    drift = Self.usual.map { _ in 0 }
    fading = GaussMarkov(&random)
    self.random = random
  }

  /// Shaking `step` seconds after the one before, through a low-pass of `cutoff` Hz.
  mutating func next(_ state: VehicleState, step: Double, cutoff: Double) -> BodyShaking {
    var shaking = BodyShaking()
    let speed = abs(state.speed - state.angularRateNav.z * place.y)
    guard speed > 0 else { return shaking }
    let way = speed * step
    turns = (turns + turnsPerMetre * way).truncatingRemainder(dividingBy: 1)
    fading.advance(by: way, correlation: model.wheelFadingLength, &random)
    let presence = max(0, 1 + model.wheelFading * fading.value)
    // Four wheels of random phase make twice the force of one.
    let first = 0.5 * model.wheelForce * min(speed / model.saturationSpeed, 1) * presence
    for k in sizes.indices {
      drift[k] += model.wheelPhaseDrift * way.squareRoot() * random.normal()
      let harmonic = Double(k + 1)
      let frequency = harmonic * turnsPerMetre * speed
      let size = first * sizes[k] * Self.lowPass(frequency, cutoff)
      let phase = 2 * .pi * harmonic * turns + drift[k]
      shaking += BodyShaking(
        size: Vector3(size, size, size), phase: phases[k] + Vector3(phase, phase, phase),
        frequency: frequency, at: place)
    }
    return shaking
  }

  static func lowPass(_ frequency: Double, _ cutoff: Double) -> Double {
    1 / (1 + (frequency / cutoff) * (frequency / cutoff))
  }
}
