import LinearAlgebra
import Navigation

extension SavedState {
  /// Why a saved state cannot be used at all.
  public enum Fault: Sendable, Equatable {
    /// A value is infinite or not a number.
    case nonFinite
    /// A value is none that an engine could have learned.
    case outOfRange(Quantity)

    /// The quantity out of range.
    public enum Quantity: String, Sendable {
      /// The place, its covariance, the velocity or the age.
      case position, positionCovariance = "position covariance", velocity, age
      /// A rotation or an axis.
      case attitude, mounting, verticalAxis = "vertical axis"
      /// Something learned of the sensors.
      case gyroBias = "gyroscope bias", accelBias = "accelerometer bias", gyroScale = "gyroscope scale"
      case odometerScale = "wheel speed scale", leverArm = "lever arm", chassis, delay = "receiver's lag"
      case receiverNoise = "receiver's noise"
      /// A standard deviation.
      case sigma = "standard deviation"
    }
  }

  /// What makes the state unusable; nil for one that may be tried. The limits are far beyond any sensor in a car: they
  /// are to find what was never learned, not what is wrong today.
  public var fault: Fault? {
    guard isFinite else { return .nonFinite }
    let c = calibration
    func bad(_ quantity: Fault.Quantity) -> Fault { .outOfRange(quantity) }
    func isUnit(_ squaredNorm: Double) -> Bool { abs(squaredNorm - 1) < 1e-3 }
    if !position.isValid { return bad(.position) }
    if positionCovariance.symmetrized.cholesky == nil || positionCovariance.trace > 1e12 {
      return bad(.positionCovariance)
    }
    if velocityNED.norm > 150 { return bad(.velocity) }
    if let age, age < 0 { return bad(.age) }
    if !isUnit(navFromBody.squaredNorm) { return bad(.attitude) }
    guard let mounting = c.vehicleFromBody, isUnit(mounting.squaredNorm) else { return bad(.mounting) }
    if !isUnit(verticalAxis.squaredNorm) { return bad(.verticalAxis) }
    // 20 °/s, 0.3 g: five times the worst consumer parts.
    if c.gyroBias.value.norm > 0.35 { return bad(.gyroBias) }
    if c.accelBias.value.norm > 3 { return bad(.accelBias) }
    if abs(c.gyroScale.value) > 0.1 { return bad(.gyroScale) }
    if abs(c.odometerScale.value) > 0.15 { return bad(.odometerScale) }
    if c.leverArm.value.norm > 10 { return bad(.leverArm) }
    if abs(c.axleDistance.value) > 20 || max(abs(c.slipPerForce.value), abs(c.pitchPerForce.value)) > 0.1 {
      return bad(.chassis)
    }
    if max(abs(c.positionDelay.value), abs(c.velocityDelay.value)) > 1 { return bad(.delay) }
    if !(0.05...50 ~= c.velocityScale) { return bad(.receiverNoise) }
    if let n = receiverNoise {
      let variances = [n.whiteHorizontal, n.whiteVertical, n.lastingHorizontal, n.lastingVertical]
      for v in variances where !(0...1e6 ~= v) { return bad(.receiverNoise) }
    }
    return hasSigmas ? nil : bad(.sigma)
  }

  private var isFinite: Bool {
    let c = calibration
    let vectors = [
      velocityNED, navFromBody.vector, verticalAxis, c.gyroBias.value, c.accelBias.value, c.leverArm.value,
    ]
    let scalars = [
      position.latitude, position.longitude, position.height, navFromBody.w, headingSigma, age ?? 0,
      c.gyroScale.value, c.odometerScale.value, c.axleDistance.value, c.slipPerForce.value,
      c.pitchPerForce.value, c.positionDelay.value, c.velocityDelay.value, c.velocityScale,
      c.vehicleFromBody?.w ?? 0,
    ]
    return vectors.allSatisfy { $0.isFinite } && scalars.allSatisfy { $0.isFinite }
      && positionCovariance.isFinite
      && (c.vehicleFromBody?.vector.isFinite ?? true)
  }

  private var hasSigmas: Bool {
    let c = calibration
    let vectors = [c.gyroBias.sigma, c.accelBias.sigma, c.leverArm.sigma]
    let scalars = [
      headingSigma, c.mountingPitchSigma, c.mountingYawSigma, c.odometerScale.sigma, c.axleDistance.sigma,
      c.slipPerForce.sigma, c.pitchPerForce.sigma, c.positionDelay.sigma, c.velocityDelay.sigma,
      c.gyroScale.sigma,
    ]
    return vectors.allSatisfy { $0.isFinite && min($0.x, $0.y, $0.z) >= 0 && $0.norm < 100 }
      && scalars.allSatisfy { 0...100 ~= $0 }
  }
}

extension Quaternion {
  fileprivate var squaredNorm: Double { (lanes * lanes).sum() }
}
