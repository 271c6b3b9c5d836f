import LinearAlgebra
import Navigation

/// What the navigators of a bank take, each in its turn.
enum BankStep: Sendable {
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
  case fix(GNSSFix, delay: SIMD2<Double>?)

  /// Work that it is for one navigator, in steps of the strapdown.
  var work: Int {
    switch self {
    case .propagate, .coast: 1
    case .fix, .wheel: 6
    case .watchStandstill, .shake, .note: 0
    }
  }

  /// Whether the navigators explain it more or less well.
  var isMeasurement: Bool {
    switch self {
    case .fix, .wheel: true
    case .propagate, .coast, .watchStandstill, .shake, .note: false
    }
  }
}

extension Navigator {
  /// Takes what the other navigators of a bank take.
  mutating func take(_ step: BankStep) {
    switch step {
    case .propagate(let end, let from, let towards): propagate(to: end, from: from, to: towards)
    case .coast(let end): coast(to: end)
    case .watchStandstill(let sample): watchStandstill(sample) { _ in }
    case .shake(let gyro, let accel): (noise.aliasedGyro, noise.aliasedAccel) = (gyro, accel)
    case .note(let wheel): note(wheel)
    case .wheel(let wheel): update(wheel) { _ in }
    case .fix(let fix, let delay):
      if let delay { recallDelay((delay.x, delay.y)) }
      update(fix) { _ in }
    }
  }
}
