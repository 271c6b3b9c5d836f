/// Errors of three gyroscopes (unit u = rad/s) or three accelerometers (u = m/s²). All 0 is a perfect triad.
public struct TriadModel: Sendable, Equatable {
  /// White noise in u/√Hz, as a walk of the integral in u·√s: a sample has this
  /// divided by √(sample interval).
  public var noise = 0.0
  /// Standard deviation of the bias at switch-on, u.
  public var bias = 0.0
  /// Standard deviation of the part of the bias that wanders as a Gauss-Markov process, u.
  public var instability = 0.0
  /// Correlation time of that part, s.
  public var instabilityTime = 3600.0
  /// Random walk of the bias, u/√s.
  public var randomWalk = 0.0
  /// Standard deviation of the scale error, as a share.
  public var scale = 0.0
  /// Standard deviation of each of the six cross-axis terms, as a share.
  public var misalignment = 0.0
  /// Standard deviation of the change of bias with temperature, u/K.
  public var temperatureCoefficient = 0.0
  /// Standard deviation of the entries of the gyroscopes' response to specific force, u per m/s².
  public var gSensitivity = 0.0
  /// Smallest step of the output, u; 0 for none.
  public var quantum = 0.0

  /// A perfect triad.
  public init() {}

  init(_ reader: inout ScenarioReader, default model: TriadModel) throws(SimulationError) {
    let r = 0.0...1000.0
    noise = try reader.number("noise", in: r, default: model.noise)
    bias = try reader.number("bias", in: r, default: model.bias)
    instability = try reader.number("instability", in: r, default: model.instability)
    instabilityTime = try reader.number("instabilityTime", in: 1e-3...1e9, default: model.instabilityTime)
    randomWalk = try reader.number("randomWalk", in: r, default: model.randomWalk)
    scale = try reader.number("scale", in: 0...1, default: model.scale)
    misalignment = try reader.number("misalignment", in: 0...1, default: model.misalignment)
    temperatureCoefficient = try reader.number(
      "temperatureCoefficient", in: r, default: model.temperatureCoefficient)
    gSensitivity = try reader.number("gSensitivity", in: r, default: model.gSensitivity)
    quantum = try reader.number("quantum", in: r, default: model.quantum)
    try reader.finish()
  }
}
