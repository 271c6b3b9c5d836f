import Navigation

/// One way in which a drive is made another without a change to its truth, in the order
/// in which they are applied.
public enum StressChange: String, CaseIterable, Sendable, Codable {
  case start
  case turned, biased, slower, quieter, shaken, gaps, knocked, broken
  case noWheel = "no-wheel"
  case wheelOff = "wheel-off"
  case thinned, noisier, lasting
  case velocityNoise = "velocity-noise"
  case noAccuracy = "no-accuracy"
  case noVelocity = "no-velocity"
  case outages, burst
  case wrongFirst = "wrong-first"
  case late

  /// What it does, in a line.
  public var summary: String {
    switch self {
    case .start: "the drive begins 10 to 150 s later"
    case .turned: "the IMU is turned any way, or by 2 to 30°"
    case .biased: "constant biases: gyroscope 0.5 (sometimes 3) °/s, accelerometer 0.2 m/s², 1 σ an axis"
    case .slower: "every 2nd to nth IMU sample only, picked or averaged, not below 10 Hz"
    case .quieter: "the IMU is smoothed over 3 to 15 samples"
    case .shaken: "white noise on the IMU: to 1 °/s and 1 m/s², 1 σ"
    case .gaps: "the IMU drops out for 0.3 to 1.5 (some to 5) s, every 20 to 90 s"
    case .knocked: "the IMU is turned in the car by 5 to 90°, somewhere on the way (--only)"
    case .broken: "a part of the IMU breaks somewhere on the way: dead, ten times, noise (--only)"
    case .noWheel: "no wheel speed"
    case .wheelOff: "wheel speed wrong by up to 10 %, late by up to 0.3 s, at jittery times"
    case .thinned: "a fix every 1 to 5 s only"
    case .noisier: "white or Gauss-Markov noise of 0.5 to 5 m on the fixes, stated or not"
    case .lasting: "a Gauss-Markov error of 3 to 5 m over 60 to 200 s on the fixes, not stated"
    case .velocityNoise: "noise of 0.1 to 1 m/s on the velocity of the fixes, stated or not"
    case .noAccuracy: "the fixes state no accuracy"
    case .noVelocity: "the fixes have no velocity"
    case .outages: "no fixes for 10 to 60 s, every 40 to 150 s"
    case .burst: "fixes 15 to 120 m off and sure of it for 3 to 30 s, 1 to 3 times"
    case .wrongFirst: "the first fix, or the first after 10 to 20 s without, is 50 to 500 m off"
    case .late: "the fixes arrive 0.1 to 1.5 s later, some with a time that is 0.05 to 0.3 s too late"
    }
  }

  /// Whether the drive has what is changed.
  package func applies(to drive: StressDrive) -> Bool {
    switch self {
    case .start: drive.duration > 60
    case .turned, .biased, .quieter, .shaken, .gaps, .knocked, .broken: !drive.inertial.isEmpty
    case .slower: drive.inertialRate >= 20
    case .noWheel: !drive.wheel.isEmpty && !drive.inertial.isEmpty
    case .wheelOff: !drive.wheel.isEmpty
    case .thinned, .noisier, .lasting, .outages, .burst, .wrongFirst, .late: !drive.fixes.isEmpty
    case .velocityNoise, .noVelocity: drive.fixes.contains { $0.velocityNED != nil }
    case .noAccuracy: drive.fixes.contains { $0.positionSigma != nil }
    }
  }

  /// Whether a seed chooses it by itself, and not only where it is asked for: what changes the IMU for good
  /// on the way is a fault of the car's, and no other receiver, sensor or start.
  package var isDrawn: Bool { self != .knocked && self != .broken }

  /// Whether the other would undo it.
  package func excludes(_ other: StressChange) -> Bool {
    switch (self, other) {
    case (.noWheel, .wheelOff), (.wheelOff, .noWheel): true
    case (.noVelocity, .velocityNoise), (.velocityNoise, .noVelocity): true
    default: false
    }
  }

  /// Makes the change with parameters out of `random`, and says what they are; nothing where it has none.
  package func apply(to drive: inout StressDrive, _ random: inout StressRandom) -> String? {
    switch self {
    case .noWheel: drive.removeWheel()
    case .noAccuracy: drive.removeAccuracy()
    case .noVelocity: drive.removeVelocity()
    case .start: return drive.startLater(&random)
    case .turned: return drive.turnIMU(&random)
    case .biased: return drive.biasIMU(&random)
    case .slower: return drive.slowIMU(&random)
    case .quieter: return drive.smoothIMU(&random)
    case .shaken: return drive.shakeIMU(&random)
    case .gaps: return drive.interruptIMU(&random)
    case .knocked: return drive.knockIMU(&random)
    case .broken: return drive.breakIMU(&random)
    case .wheelOff: return drive.spoilWheel(&random)
    case .thinned: return drive.thinFixes(&random)
    case .noisier: return drive.addNoise(&random)
    case .lasting: return drive.addLastingError(&random)
    case .velocityNoise: return drive.addVelocityNoise(&random)
    case .outages: return drive.cutFixes(&random)
    case .burst: return drive.addBursts(&random)
    case .wrongFirst: return drive.moveFirstFix(&random)
    case .late: return drive.delayFixes(&random)
    }
    return nil
  }
}
