import CLibrary
import LinearAlgebra

/// What the engine shakes into the body: lines at its turns and twice that, in a gear that keeps them few.
/// They go with the speed only as long as the gear does.
struct EngineShaking: Sendable {
  /// Turns of the crankshaft per metre by gear: 13 to 2.6 times those of a wheel.
  private static let gears = [7.0, 4.2, 2.9, 2.1, 1.6, 1.3]
  /// Idle and highest turns per second that the driver lets it reach: 800 and 2400 a minute.
  private static let range = 13.3...40.0

  /// From the centre of mass, m: between the front wheels [chosen].
  private static let place = Vector3(1.3, 0.1, 0)

  private let model: VibrationModel
  private var phase = 0.0

  init(_ model: VibrationModel) { self.model = model }

  /// Shaking `step` seconds after the one before, through a low-pass of `cutoff` Hz.
  mutating func next(_ state: VehicleState, step: Double, cutoff: Double) -> BodyShaking {
    let speed = abs(state.speed)
    let gear = Self.gears.first { $0 * speed < Self.range.upperBound } ?? 1.3
    let frequency = max(Self.range.lowerBound, gear * speed)
    phase = (phase + 2 * .pi * frequency * step).truncatingRemainder(dividingBy: 2 * .pi)
    let first = 0.5 * model.engineForce * WheelShaking.lowPass(frequency, cutoff)
    let second = model.engineForce * WheelShaking.lowPass(2 * frequency, cutoff)
    var shaking = BodyShaking(
      size: Vector3(0.3 * first, first, first), phase: Vector3(phase, phase + 0.5, phase),
      frequency: frequency, at: Self.place)
    let twice = 2 * phase + 1
    shaking += BodyShaking(
      size: Vector3(0.3 * second, 0, second), phase: Vector3(twice, twice, twice),
      frequency: 2 * frequency, at: Self.place)
    return shaking
  }
}
