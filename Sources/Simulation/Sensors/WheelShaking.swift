import CLibrary
import LinearAlgebra

/// What one wheel, out of balance and out of round, shakes into the body: lines at whole multiples of its
/// turns, whose size comes and goes with the road and whose phase wanders as the tyre's contact does.
struct WheelShaking: Sendable {
  private static let harmonics = 5
  /// Wheel hop: an unsprung mass resonates at 10 to 15 Hz, well damped.
  private static let hop = (frequency: 12.0, damping: 0.35)

  private let model: VibrationModel
  private let turnsPerMetre: Double
  /// To the right of the middle, m.
  private let offset: Double
  /// Size of each harmonic over the model's, and its phases forward, right and down.
  private let sizes: [Double]
  private let phases: [Vector3]
  private var fading: GaussMarkov
  private var drift: [Double]
  private var turns = 0.0
  private var random: RandomSource

  /// A wheel `offset` metres to the right, of tyres that turn `pace` times as often as the model says.
  init(_ model: VibrationModel, offset: Double, pace: Double, random: RandomSource) {
    var random = random
    self.model = model
    self.offset = offset
    turnsPerMetre = model.wheelTurnsPerMetre * pace * (1 + model.wheelSpread * 0.5 * random.normal())
    sizes = (0..<Self.harmonics).map { _ in random.logNormal(median: 1, logSigma: 0.5) }
    phases = (0..<Self.harmonics).map { _ in
      Vector3(random.uniform(), random.uniform(), random.uniform()) * (2 * .pi)
    }
    drift = Array(repeating: 0, count: Self.harmonics)
    fading = GaussMarkov(&random)
    self.random = random
  }

  /// Force in vehicle axes, m/s², `step` seconds after the one before, through a low-pass of `cutoff` Hz.
  mutating func next(_ state: VehicleState, step: Double, cutoff: Double) -> Vector3 {
    let speed = abs(state.speed - state.angularRateNav.z * offset)
    guard speed > 0 else { return .zero }
    let way = speed * step
    turns = (turns + turnsPerMetre * way).truncatingRemainder(dividingBy: 1)
    fading.advance(by: way, correlation: model.wheelFadingLength, &random)
    let presence = max(0, 1 + model.wheelFading * fading.value)
    // Four wheels of random phase make twice the force of one.
    let first = 0.5 * model.wheelForce * min(speed / 10, 2) * presence
    var force = Vector3.zero
    for k in 0..<Self.harmonics {
      drift[k] += model.wheelPhaseDrift * way.squareRoot() * random.normal()
      let harmonic = Double(k + 1)
      let frequency = harmonic * turnsPerMetre * speed
      let size = first * sizes[k] / harmonic * Self.hopGain(frequency) * Self.lowPass(frequency, cutoff)
      let phase = 2 * .pi * harmonic * turns + drift[k]
      force +=
        Vector3(
          0.5 * sin(phase + phases[k].x), 0.7 * sin(phase + phases[k].y), sin(phase + phases[k].z)) * size
    }
    return force
  }

  private static func hopGain(_ frequency: Double) -> Double {
    let r = frequency / hop.frequency
    let damped = 2 * hop.damping * r
    return ((1 + damped * damped) / ((1 - r * r) * (1 - r * r) + damped * damped)).squareRoot()
  }

  static func lowPass(_ frequency: Double, _ cutoff: Double) -> Double {
    1 / (1 + (frequency / cutoff) * (frequency / cutoff))
  }
}
