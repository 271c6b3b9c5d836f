import LinearAlgebra
import Navigation

/// What an engine knew when it was left: enough for another to go on from, where nothing was moved meanwhile.
///
/// Plain values. Whoever stores it says in ``age`` how long it lay; nothing in it is trusted further than
/// the samples bear it out.
public struct SavedState: Sendable, Equatable {
  /// Variances of a receiver's position error in units of the stated ones, horizontal
  /// (per axis) and vertical.
  public struct ReceiverNoise: Sendable, Equatable {
    /// Of the part that is new with each fix.
    public var whiteHorizontal, whiteVertical: Double
    /// Of the part that lasts.
    public var lastingHorizontal, lastingVertical: Double

    /// The noise with every part given.
    public init(
      whiteHorizontal: Double, whiteVertical: Double, lastingHorizontal: Double, lastingVertical: Double
    ) {
      self.whiteHorizontal = whiteHorizontal
      self.whiteVertical = whiteVertical
      self.lastingHorizontal = lastingHorizontal
      self.lastingVertical = lastingVertical
    }
  }

  /// When it held, on the time line of the engine that gave it.
  public var time: Timestamp
  /// Seconds from then to the first sample of the engine that starts from it; nil where nobody knows.
  public var age: Double?
  /// The IMU's position.
  public var position: GeodeticPosition
  /// Its covariance in NED, m².
  public var positionCovariance: Matrix3
  /// Velocity north, east, down in m/s.
  public var velocityNED: Vector3
  /// Whether the car stood: only then does its place and heading outlast a pause.
  public var isStandingStill: Bool
  /// Attitude of the IMU, C_b^n.
  public var navFromBody: Quaternion
  /// Standard deviation of the car's heading, rad.
  public var headingSigma: Double
  /// The axis in the IMU's axes that the gyroscope's scale is about.
  public var verticalAxis: Vector3
  /// What was learned of the sensors. Its mounting is known, or there would be no saved state.
  public var calibration: Calibration
  /// What was learned of the receiver's position error, if anything.
  public var receiverNoise: ReceiverNoise?

  /// A saved state with every part given.
  public init(
    time: Timestamp, age: Double? = nil, position: GeodeticPosition, positionCovariance: Matrix3,
    velocityNED: Vector3, isStandingStill: Bool, navFromBody: Quaternion, headingSigma: Double,
    verticalAxis: Vector3, calibration: Calibration, receiverNoise: ReceiverNoise?
  ) {
    self.time = time
    self.age = age
    self.position = position
    self.positionCovariance = positionCovariance
    self.velocityNED = velocityNED
    self.isStandingStill = isStandingStill
    self.navFromBody = navFromBody
    self.headingSigma = headingSigma
    self.verticalAxis = verticalAxis
    self.calibration = calibration
    self.receiverNoise = receiverNoise
  }
}

extension FusionEngine {
  /// What a later engine could start from; nil until heading and mounting are known, and where the car's own
  /// odometry stands in for an IMU.
  public var savedState: SavedState? { timeLine.state.savedState }
}

extension FusionState where Recorder == NoRecorder {
  var savedState: SavedState? {
    // A state that is still being put to the test is no better than the one it came from.
    guard isNavigating, navigator.mounting.isKnown, !isOdometry, !isOnTrial else { return nil }
    let state = navigator.savedState
    return state.fault == nil ? state : nil
  }
}

extension Navigator where Recorder == NoRecorder {
  var savedState: SavedState {
    let here = solution(at: time)
    let state = filter.state
    return SavedState(
      time: time, position: state.position, positionCovariance: here.positionCovariance,
      velocityNED: state.velocity, isStandingStill: rest.isStanding, navFromBody: state.navFromBody,
      headingSigma: here.headingAccuracy, verticalAxis: state.verticalAxis, calibration: calibration,
      receiverNoise: receiver.learnedNoise)
  }
}
