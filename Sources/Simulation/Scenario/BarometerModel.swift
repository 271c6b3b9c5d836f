/// A barometer in the car, its noise and what makes it err. [data sheet]: Bosch BMP280, BST-BMP280-DS001.
/// [chosen]: no published figure found.
public struct BarometerModel: Sendable, Equatable {
  /// Samples per second.
  public var rate = 10.0
  /// White noise, Pa: 1.3 Pa without filter [data sheet].
  public var noise = 1.3
  /// Smallest step, Pa; 0 for none: 0.16 Pa at 20 bits [data sheet].
  public var quantum = 0.16
  /// Standard deviation of the sensor's own offset, Pa: ±1 hPa [data sheet].
  public var offset = 100.0
  /// Standard deviation of the weather's pressure against the standard atmosphere, Pa [chosen].
  public var weather = 800.0
  /// Standard deviation of its steady change, Pa in an hour: 1 hPa is a passing front [chosen].
  public var trend = 60.0
  /// Standard deviation of its wandering beside that, Pa, and its correlation, s [chosen].
  public var wandering = 6.0, wanderingTime = 600.0
  /// Standard deviation of the air's temperature against the standard's, K: differences of height err by
  /// 0.35 % a kelvin [chosen].
  public var temperature = 10.0
  /// Standard deviation of the pressure in the car over the dynamic pressure, windows closed [chosen].
  public var pressureCoefficient = 0.03
  /// Gusts: share of the dynamic pressure, and correlation in s [chosen].
  public var gusts = 0.015, gustTime = 1.0
  /// Pressure in a tunnel over the dynamic pressure, which the car's own pushing of the air makes, and the
  /// time in s that it takes to build up and to go [chosen].
  public var piston = 0.1, pistonTime = 3.0
  /// A window that is open from and to these times, s, and the pressure over the dynamic one that it adds
  /// [chosen: −0.1 to −0.3].
  public var windowFrom = Double.infinity, windowTo = Double.infinity, windowCoefficient = -0.2

  /// A usual part in a usual car.
  public init() {}

  init(_ reader: inout ScenarioReader) throws(SimulationError) {
    rate = try reader.number("rateHz", in: 0.1...200, default: rate)
    noise = try reader.number("noisePascal", in: 0...1000, default: noise)
    quantum = try reader.number("quantumPascal", in: 0...1000, default: quantum)
    offset = try reader.number("offsetPascal", in: 0...10_000, default: offset)
    weather = try reader.number("weatherPascal", in: 0...10_000, default: weather)
    trend = try reader.number("trendPascalPerHour", in: 0...10_000, default: trend)
    wandering = try reader.number("wanderingPascal", in: 0...1000, default: wandering)
    wanderingTime = try reader.number("wanderingSeconds", in: 1...1e6, default: wanderingTime)
    temperature = try reader.number("temperatureKelvin", in: 0...60, default: temperature)
    pressureCoefficient = try reader.number("pressureCoefficient", in: 0...1, default: pressureCoefficient)
    gusts = try reader.number("gusts", in: 0...1, default: gusts)
    gustTime = try reader.number("gustSeconds", in: 0.01...1000, default: gustTime)
    piston = try reader.number("piston", in: -1...1, default: piston)
    pistonTime = try reader.number("pistonSeconds", in: 0.01...1000, default: pistonTime)
    if var window = try reader.object("window") {
      windowFrom = try window.number("fromSeconds", in: 0...1e6)
      windowTo = try window.number("toSeconds", in: 0...1e6)
      windowCoefficient = try window.number("coefficient", in: -1...1, default: windowCoefficient)
      try window.finish()
    }
    try reader.finish()
  }
}
