// Noise, bias and temperature: data sheets of the makers as collected for this project. Compared again:
// ICM-20602 with TDK DS-000176 revision 1.0 (4 mdps/√Hz, 100 µg/√Hz, sensitivity ±1 %); BMI160 and
// ICM-20602 with a published comparison of the sheets (0.008 and 0.004 °/s/√Hz, typical ±3 and ±1 °/s,
// 0.08 and 0.01 °/s/K, 150 and 100 µg/√Hz, ±60 and ±40 mg, 0.4 and 0.5 mg/K). A figure "typical" counts
// as one standard deviation (so ST defines it), a tolerance without that word as two. Scale 1 % to 3 % for
// consumer parts before and 0.1 % to 0.3 % after calibration; g-sensitivity 0.1 °/s/g: usual figures of such
// parts. [chosen]: misalignment where no sheet states it, instability where only another part's is known, and
// the temperature of MPU-6050 and ADIS16465.
import Navigation

/// IMU parts with known errors.
public enum IMUPart: String, Sendable, CaseIterable {
  /// Bosch BMI160, in phones.
  case bmi160 = "BMI160"
  /// TDK ICM-20602, in phones and flight controllers.
  case icm20602 = "ICM-20602"
  /// ST LSM6DSO, in phones and trackers.
  case lsm6dso = "LSM6DSO"
  /// TDK MPU-6050, on hobby boards.
  case mpu6050 = "MPU-6050"
  /// ST ASM330LHH class, automotive.
  case asm330lhh = "ASM330LHH"
  /// Analog Devices ADIS16465 class, industrial.
  case adis16465 = "ADIS16465"
  /// White noise, constant bias and a random walk of it: what a filter assumes, for tests of consistency.
  case idealWhite = "ideal-white"
  /// No errors at all.
  case perfect

  private static let degree = Double.pi / 180
  private static let g = Gravity.standard

  /// Errors of the gyroscopes (rad/s) and accelerometers (m/s²).
  package var triads: (gyroscope: TriadModel, accelerometer: TriadModel) {
    switch self {
    case .bmi160:
      Self.consumer(noise: 0.008, bias: 3, drift: 0.08, noiseMicroG: 150, biasMilliG: 30, driftMilliG: 0.4)
    case .icm20602:
      Self.consumer(noise: 0.004, bias: 1, drift: 0.01, noiseMicroG: 100, biasMilliG: 20, driftMilliG: 0.5)
    case .lsm6dso:
      Self.consumer(noise: 0.0038, bias: 1, drift: 0.01, noiseMicroG: 70, biasMilliG: 20, driftMilliG: 0.1)
    case .mpu6050:
      Self.consumer(noise: 0.005, bias: 10, drift: 0.16, noiseMicroG: 400, biasMilliG: 30, driftMilliG: 0.5)
    case .asm330lhh: Self.automotive
    case .adis16465: Self.industrial
    case .idealWhite: Self.ideal
    case .perfect: (TriadModel(), TriadModel())
    }
  }

  /// °/s/√Hz, °/s, °/s/K; µg/√Hz, mg, mg/K.
  private static func consumer(
    noise: Double, bias: Double, drift: Double, noiseMicroG: Double, biasMilliG: Double, driftMilliG: Double
  ) -> (TriadModel, TriadModel) {
    var gyroscope = TriadModel()
    gyroscope.noise = noise * degree
    gyroscope.bias = bias * degree
    gyroscope.temperatureCoefficient = drift * degree
    // 10 °/h at the bottom of the Allan deviation of an ICM-20602; 200 °/h over 1 h
    // as tuned for it in a car.
    gyroscope.instability = 200 * degree / 3600
    gyroscope.scale = 0.01
    gyroscope.misalignment = 0.005
    gyroscope.gSensitivity = 0.1 * degree / g
    gyroscope.quantum = degree / 131  // 16 bits over ±250 °/s
    var accelerometer = TriadModel()
    accelerometer.noise = noiseMicroG * 1e-6 * g
    accelerometer.bias = biasMilliG * 1e-3 * g
    accelerometer.temperatureCoefficient = driftMilliG * 1e-3 * g
    accelerometer.instability = 1e-3 * g  // 1 mg as tuned for an ICM-20602 in a car
    accelerometer.scale = 0.01
    accelerometer.misalignment = 0.005
    accelerometer.quantum = g / 8192  // 16 bits over ±4 g
    return (gyroscope, accelerometer)
  }

  private static var automotive: (TriadModel, TriadModel) {
    var (gyroscope, accelerometer) = consumer(
      noise: 0.005, bias: 1, drift: 0.005, noiseMicroG: 60, biasMilliG: 10, driftMilliG: 0.1)
    // The sheet's 3 °/h at the bottom of the Allan deviation, ten times that over an hour [chosen].
    gyroscope.instability = 30 * degree / 3600
    gyroscope.scale = 0.005
    accelerometer.scale = 0.005
    return (gyroscope, accelerometer)
  }

  private static var industrial: (TriadModel, TriadModel) {
    var (gyroscope, accelerometer) = consumer(
      noise: 0.1 / 60, bias: 0.07, drift: 0.001, noiseMicroG: 0, biasMilliG: 0.2, driftMilliG: 0.01)
    accelerometer.noise = 0.1 / 60  // 0.1 m/s/√h, as the part was tuned for in published filters
    gyroscope.instability = 25 * degree / 3600
    accelerometer.instability = 0.2e-3 * g
    calibrate(&gyroscope)
    calibrate(&accelerometer)
    return (gyroscope, accelerometer)
  }

  private static func calibrate(_ triad: inout TriadModel) {
    triad.scale = 0.001
    triad.misalignment = 0.0005
    triad.quantum = 0
  }

  private static var ideal: (TriadModel, TriadModel) {
    var gyroscope = TriadModel()
    gyroscope.noise = 0.004 * degree
    gyroscope.bias = 0.3 * degree
    gyroscope.randomWalk = 1e-5
    var accelerometer = TriadModel()
    accelerometer.noise = 100e-6 * g
    accelerometer.bias = 0.1
    accelerometer.randomWalk = 1e-4
    return (gyroscope, accelerometer)
  }
}
