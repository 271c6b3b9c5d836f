/// What is assumed of a barometer in a car.
public struct BarometerConfiguration: Sendable {
  /// Samples are averaged over this time before they are used, s. [chosen: the noise of a BMP280 at 10 Hz,
  /// 1.3 Pa or 0.11 m by its data sheet, falls to 0.05 m, and gusts last about as long]
  public var window = 0.5
  /// A sample holds at a height that is no older than this, s. [chosen: 0.1 m of a climb of 10 % at 72 km/h]
  public var slack = 0.05
  /// Standard deviation of such a mean, m: gusts, ventilation, doors. [chosen: 3 Pa]
  public var noise = 0.25
  /// How fast the weather moves the bias, m/√s. [chosen: 1.2 m in an hour; a passing front is 1 hPa or 8 m
  /// in one]
  public var weather = 0.02
  /// Error of differences of height: the air is not as warm as the standard's, 0.36 % a kelvin. [chosen: 11
  /// K]
  public var temperatureError = 0.04
  /// Time over which a climb counts as one, s. [chosen]
  public var climbMemory = 120.0
  /// Standard deviation of the pressure in the car over the dynamic pressure ρv²/2. [chosen: a window that
  /// is opened changes it by 0.1 to 0.3; PX4 corrects multicopters by up to 0.5]
  public var pressureCoefficientSigma = 0.03
  /// Degrees of freedom of the fixes' lasting height error about the bias: it has the tails
  /// of urban fixes. [chosen]
  public var lastingDegreesOfFreedom = 3.0
  /// Degrees of freedom of the barometer's own innovations. [chosen]
  public var degreesOfFreedom = 4.0
  /// Innovations beyond this many standard deviations, and metres, are none of the same bias. [chosen]
  public var gate = 5.0, leastGate = 1.0
  /// They have to agree with one another for this long before the bias counts as stepped, s. [chosen: a
  /// slammed door is over]
  public var stepPatience = 2.0
  /// A barometer that is off for this long, each time by another amount, measures nothing, s. [chosen]
  public var longestAstray = 6.0
  /// Standard deviation of the size of a step, m. [chosen]
  public var stepSigma = 0.5
  /// Steps within this many seconds that make a barometer that is not believed. [chosen]
  public var mostSteps = 4, stepMemory = 60.0
  /// A barometer that moves the height by more than this within the memory, m and s, and more than so much
  /// of the way driven, leaks: no slope is less well known. [chosen: 1.7° of mounting]
  public var mostMoved = 3.0, moveMemory = 60.0, unknownSlope = 0.03
  /// Fixes whose heights lie this many standard deviations off, for so long, are right, s. [chosen]
  public var largestFixRatio = 4.0, fixPatience = 20.0
  /// It is left alone for this long then, s, and each time for twice as long, up to the longest. [chosen]
  public var rest = 60.0, longestRest = 960.0
  /// The same value for this long of a moving car is no measurement, s. [chosen: 24 bits never repeat, 12
  /// bits do for 2 s]
  public var stuckAfter = 10.0
  /// Smallest step of a barometer that tells a height, m. [chosen: a storey]
  public var coarsestStep = 3.0
  /// Without a sample for so long it is gone, s. [chosen: 20 samples]
  public var lostAfter = 2.0
  /// A height worse known than this says nothing of the bias, m. [chosen]
  public var largestStartSigma = 100.0
  /// Height of a storey of a car park, m. [chosen: 2.6 to 3.4 m are built]
  public var storey = 3.0
  /// Without a fix for this long the car is under a roof, s, and nothing slower than this is a car park's,
  /// m/s. [chosen]
  public var coveredAfter = 10.0, fastestParking = 10.0

  /// The defaults.
  public init() {}
}
