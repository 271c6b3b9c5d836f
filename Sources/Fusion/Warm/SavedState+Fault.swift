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

  /// What makes the state unusable; nil for one that may be tried. The limits are far beyond any sensor in a
  /// car: they are to find what was never learned, not what is wrong today.
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
    for i in LearnedState.all.indices {
      let state = LearnedState.all[i]
      if let limit = state.limit, state.learned(c).value.norm > limit { return bad(state.quantity) }
    }
    if !(0.05...50 ~= c.velocityScale) { return bad(.receiverNoise) }
    if let n = receiverNoise {
      let variances = [n.whiteHorizontal, n.whiteVertical, n.lastingHorizontal, n.lastingVertical]
      for v in variances where !(0...1e6 ~= v) { return bad(.receiverNoise) }
    }
    return hasSigmas ? nil : bad(.sigma)
  }

  private var isFinite: Bool {
    let scalars: [Double] = [
      position.latitude, position.longitude, position.height, navFromBody.w, headingSigma, age ?? 0,
      calibration.velocityScale, calibration.vehicleFromBody?.w ?? 0,
    ]
    for i in LearnedState.all.indices where LearnedState.all[i].limit != nil {
      guard LearnedState.all[i].learned(calibration).value.isFinite else { return false }
    }
    return [velocityNED, navFromBody.vector, verticalAxis].allSatisfy { $0.isFinite }
      && scalars.allSatisfy { $0.isFinite } && positionCovariance.isFinite
      && (calibration.vehicleFromBody?.vector.isFinite ?? true)
  }

  private var hasSigmas: Bool {
    for i in LearnedState.all.indices where LearnedState.all[i].from != .fix {
      let sigma = LearnedState.all[i].learned(calibration).sigma
      guard sigma.isFinite, min(sigma.x, sigma.y, sigma.z) >= 0, sigma.norm <= 100 else { return false }
    }
    return 0...100 ~= headingSigma
  }
}

extension Quaternion {
  fileprivate var squaredNorm: Double { (lanes * lanes).sum() }
}
