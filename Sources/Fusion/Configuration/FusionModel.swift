/// A part of the engine that can be switched off, to see what it is worth.
public enum FusionModel: String, Sendable, CaseIterable {
  /// The receiver's velocity.
  case gnssVelocity = "gnss-velocity"
  /// Wheel speed as a measurement beside an IMU.
  case wheelSpeed = "wheel-speed"
  /// The rear axle neither slides nor hops.
  case nonHolonomic = "non-holonomic"
  /// Zero velocity and zero rate at a standstill.
  case stillness
  /// Student's t weights of the fixes.
  case robustWeights = "robust-weights"
  /// The part of the fixes' error that lasts.
  case lastingError = "lasting-error"
  /// Noise of the fixes learned from their innovations.
  case learnedNoise = "learned-noise"
  /// Rear-axle distance, slip and body pitch.
  case chassis
  /// Lag of the receiver's position and velocity.
  case receiverLag = "receiver-lag"
  /// Antenna's place, learned or told.
  case leverArm = "lever-arm"
  /// Fixes that the receiver carried on are refused.
  case extrapolationCheck = "extrapolation-check"
  /// Speed from the lines that the wheels shake into the accelerometers.
  case wheelVibration = "wheel-vibration"
  /// A car that is carried is not taken for one that drives or stands.
  case carriage
  /// A wheel speed that has stuck is left out.
  case wheelCheck = "wheel-check"
  /// An IMU that contradicts gravity and the fixes is left out.
  case inertialCheck = "inertial-check"
  /// What rate, force and wheels alone have made of the last minute tells fixes that come
  /// back from those that leap.
  case unaidedSolutions = "unaided-solutions"
  /// A fix whose height is not the car's is not where the car is.
  case heightWitness = "height-witness"
  /// Height by air pressure.
  case barometer
}

/// A set of parts of the engine.
public struct FusionModelSet: OptionSet, Sendable {
  /// A bit a part.
  public let rawValue: UInt32

  /// The set with these bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The set of these parts.
  public init(_ models: [FusionModel]) {
    self.init(rawValue: models.reduce(0) { $0 | Self.bit($1) })
  }

  /// Whether a part is in the set.
  public func contains(_ model: FusionModel) -> Bool {
    // Mostly nothing is, and this is asked at every sample.
    rawValue != 0 && rawValue & Self.bit(model) != 0
  }

  private static func bit(_ model: FusionModel) -> UInt32 {
    1 << UInt32(FusionModel.allCases.firstIndex(of: model) ?? 0)
  }
}
