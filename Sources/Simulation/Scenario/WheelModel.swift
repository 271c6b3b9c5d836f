/// Wheel speed as a car reports it.
public struct WheelModel: Sendable, Equatable {
  /// Samples per second.
  public var rate = 20.0
  /// Scale error: 0.01 reads 1 % too much (tyres worn, cold or not the book's).
  public var scaleError = 0.01
  /// Smallest step, m/s; 0 for none. Cars report 0.01 km/h to 0.1 m/s [chosen].
  public var quantum = 0.02
  /// White noise, m/s [chosen].
  public var noise = 0.02
  /// Slip of driven wheels: share of the speed per m/s² of acceleration [chosen].
  public var slipPerAcceleration = 0.002
  /// Speed in m/s below which the sensors give no pulses and the car reports 0 [chosen].
  public var deadband = 0.3
  /// Whether reverse is negative; many cars report no sign.
  public var isSigned = false
  /// Whether the car reports yaw rate too.
  public var hasYawRate = false
  /// White noise and constant bias of the yaw rate, rad/s [chosen].
  public var yawRateNoise = 0.003
  /// Standard deviation of the yaw rate's bias, rad/s [chosen].
  public var yawRateBias = 0.003

  /// A usual car.
  public init() {}

  init(_ reader: inout ScenarioReader) throws(SimulationError) {
    rate = try reader.number("rateHz", in: 0.1...200, default: rate)
    scaleError = try reader.number("scaleError", in: -0.5...0.5, default: scaleError)
    quantum = try reader.number("quantum", in: 0...10, default: quantum)
    noise = try reader.number("noise", in: 0...10, default: noise)
    slipPerAcceleration = try reader.number("slipPerAcceleration", in: 0...1, default: slipPerAcceleration)
    deadband = try reader.number("deadband", in: 0...10, default: deadband)
    isSigned = try reader.bool("signed", default: isSigned)
    hasYawRate = try reader.bool("yawRate", default: hasYawRate)
    yawRateNoise = try reader.number("yawRateNoise", in: 0...1, default: yawRateNoise)
    yawRateBias = try reader.number("yawRateBias", in: 0...1, default: yawRateBias)
    try reader.finish()
  }
}
