import LinearAlgebra

/// How the body leans and slips. All 0 is a car on rails.
public struct VehicleModel: Sendable, Equatable {
  /// Nose up per forward acceleration, rad per m/s²: 0.31° measured on a real drive.
  public var pitchPerAcceleration = 0.31 * .pi / 180
  /// Outward lean per sideways acceleration, rad per m/s²: 0.5°, about 5° per g,
  /// usual for a saloon [chosen].
  public var rollPerAcceleration = 0.5 * .pi / 180
  /// Slip angle of the rear axle per sideways acceleration, rad per m/s²: 0.29° measured on a real drive.
  public var slipPerAcceleration = 0.29 * .pi / 180
  /// Natural frequency of the suspension in Hz; bodies lie between 1 and 2 Hz [chosen].
  public var suspensionFrequency = 1.4
  /// Damping ratio of the suspension; comfortable cars lie between 0.3 and 0.7 [chosen].
  public var suspensionDamping = 0.5

  /// A saloon.
  public init() {}

  /// A car on rails: no lean, no slip.
  public static var rigid: VehicleModel {
    var model = VehicleModel()
    model.pitchPerAcceleration = 0
    model.rollPerAcceleration = 0
    model.slipPerAcceleration = 0
    return model
  }

  init(_ reader: inout ScenarioReader) throws(SimulationError) {
    func degrees(_ key: String, _ fallback: Double) throws(SimulationError) -> Double {
      try reader.number(key, in: 0...5, default: fallback * 180 / .pi) * .pi / 180
    }
    pitchPerAcceleration = try degrees("pitchDegreesPerAcceleration", pitchPerAcceleration)
    rollPerAcceleration = try degrees("rollDegreesPerAcceleration", rollPerAcceleration)
    slipPerAcceleration = try degrees("slipDegreesPerAcceleration", slipPerAcceleration)
    suspensionFrequency = try reader.number("suspensionHertz", in: 0.3...5, default: suspensionFrequency)
    suspensionDamping = try reader.number("suspensionDamping", in: 0.05...2, default: suspensionDamping)
    try reader.finish()
  }
}
