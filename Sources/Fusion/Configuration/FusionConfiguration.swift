import LinearAlgebra

/// What may be told to the engine; nothing has to be. Every drive runs with the same defaults.
///
/// Each default says where it is from: [measured …] on the drives or variants named, [data sheet], or
/// [chosen …] for a reason.
public struct FusionConfiguration: Sendable {
  /// Antenna from the IMU in vehicle axes (forward, right, down), metres, where it has been measured.
  public var antennaLeverArm: Vector3?

  /// Parts of the engine to do without.
  public var disabled: FusionModelSet = []

  /// The covariance follows the IMU's samples in steps that are no shorter than this, s; 0 for one a sample.
  ///
  /// It follows before any measurement too, so that only what is between them is coarser: 0.05 costs under a
  /// hundredth of the accuracy and saves most of the time (figures in the README of `Benchmarks`), but not of
  /// the longest step. [chosen: the exact one]
  public var covarianceInterval = 0.0
  /// A late sample up to this age is applied at its own time, s; 30 at the most.
  /// [chosen: receivers are up to 1.5 s late]
  public var window = 3.0
  /// The same as far as there is memory for it. [chosen: states of 30 s take some megabytes]
  var usableWindow: Double { window >= 0 ? min(window, 30) : 0 }
  /// Time without fixes after which the mode is dead reckoning, s. [chosen: two of a receiver of 1 Hz]
  public var deadReckoningAfter = 2.5
  /// What no car reaches, m/s: an estimate that does is wrong, and begins anew. [chosen]
  public var highestSpeed = 120.0

  /// Noise of an IMU in a car.
  public var processNoise = ProcessNoise()
  /// Noise of wheel speed and yaw rate where they stand in for an IMU: the force is a
  /// derivative of the speed.
  public var odometryNoise: ProcessNoise = {
    var noise = ProcessNoise()
    noise.gyroHorizontal = 0.005
    noise.accel = 0.5
    noise.gyroBias = 1e-4
    return noise
  }()
  /// Noise of a car that goes on with no sensor at all: it may brake or turn.
  public var coastingNoise = CoastingNoise()
  /// Noise of a bridge over missing samples.
  public var bridgingNoise = BridgingNoise()
  /// What the filter's covariances leave out.
  public var modelError = ModelError()

  /// What is known at the start.
  public var start = StartConfiguration()
  /// Which gaps in the samples are bridged.
  public var gaps = GapConfiguration()
  /// What is assumed of the errors of fixes.
  public var fixes = FixConfiguration()
  /// When other headings get a chance.
  public var challenge = ChallengeConfiguration()
  /// How a car moves.
  public var vehicle = VehicleConfiguration()
  /// What is assumed of wheel speed.
  public var wheel = WheelConfiguration()
  /// When a car stands.
  public var standstill = StandstillConfiguration()
  /// When a car is moved by something else.
  public var carriage = CarriageConfiguration()
  /// What is assumed of a barometer, where there is one.
  public var barometer = BarometerConfiguration()

  /// The defaults.
  public init() {}
}
