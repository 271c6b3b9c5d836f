import LinearAlgebra
import Navigation

/// What the navigators of a bank take, each in its turn.
enum BankStep: Sendable {
  /// Its direction, as the bank's ``BankOrientation`` says: each becomes a copy of the first, turned.
  case orient
  /// Rate and force that go from one sample to the next.
  case propagate(to: Timestamp, from: InertialSample, towards: InertialSample)
  /// A stretch without them.
  case coast(to: Timestamp)
  case watchStandstill(InertialSample)
  /// Densities of the shaking that the IMU cannot follow.
  case shake(gyro: Vector3, accel: Double)
  /// A wheel speed to look at only.
  case note(WheelSample)
  case wheel(WheelSample)
  /// A fix, and the lag of the receiver's velocity with its variance where it is known.
  case fix(GNSSFix, lag: KnownLag?)

  /// Work that a fix is, a wheel speed, and a direction with its copies of a navigator, in steps of the
  /// strapdown.
  /// [measured: 24 and 9 thousand instructions, 5 thousand a step; and 20 µs for eight directions]
  private static let fixWork = 6, wheelWork = 2, orientationWork = 6
  /// The same of a standstill, which only shows once it is taken. [measured: 13 thousand instructions]
  static let standstillWork = 3

  /// Work that it is for one navigator, in steps of the strapdown.
  @inline(__always) var work: Int {
    switch self {
    case .propagate, .coast: 1
    case .orient: Self.orientationWork
    case .fix: Self.fixWork
    case .wheel: Self.wheelWork
    case .watchStandstill, .shake, .note: 0
    }
  }

  /// Whether the navigators explain it more or less well.
  @inline(__always) var isMeasurement: Bool {
    switch self {
    case .fix, .wheel: true
    case .orient, .propagate, .coast, .watchStandstill, .shake, .note: false
    }
  }
}

/// What the directions of a bank are made of besides the first navigator.
struct BankOrientation: Sendable {
  /// Where level is from.
  enum Level: Sendable {
    /// The mean specific force in body axes, m/s², with the standard deviation of the tilt that it gives,
    /// rad; and a saved state whose parts, as far as they were borne out, are known from the start.
    case force(
      Vector3, tiltSigma: Double, recalling: WarmStart?, gyroBias: (value: Vector3, variance: Double)?)
    /// A car without an IMU is level.
    case odometry
  }
  let level: Level
  /// Angle from one direction to the next, rad.
  let spacing: Double

  /// Gives a navigator that knows no direction the `i`-th.
  func orient(_ navigator: inout Navigator<some StepRecorder>, as i: Int) {
    let yaw = Angle.wrapped(Double(i) * spacing)
    switch level {
    case .force(let force, let tiltSigma, let warm, let gyroBias):
      navigator.orient(
        yaw: yaw, yawSigma: spacing / 2, force: force, tiltSigma: tiltSigma, recalling: warm,
        gyroBias: gyroBias)
    case .odometry: navigator = navigator.odometry(yaw: yaw, yawSigma: spacing / 2)
    }
  }
}

extension Navigator {
  /// Takes what the other navigators of a bank take.
  ///
  /// - Returns: whether it has shown a standstill.
  @discardableResult mutating func take(_ step: BankStep) -> Bool {
    var isStandstill = false
    switch step {
    case .orient: break
    case .propagate(let end, let from, let towards): propagate(to: end, from: from, to: towards)
    case .coast(let end): coast(to: end)
    case .watchStandstill(let sample): watchStandstill(sample) { _ in isStandstill = true }
    case .shake(let gyro, let accel): (noise.aliasedGyro, noise.aliasedAccel) = (gyro, accel)
    case .note(let wheel): note(wheel)
    case .wheel(let wheel): update(wheel, growth: 0, resolution: 0) { _ in }
    case .fix(let fix, let lag):
      if let lag { recallDelay(lag) }
      update(fix) { _ in }
    }
    return isStandstill
  }
}
