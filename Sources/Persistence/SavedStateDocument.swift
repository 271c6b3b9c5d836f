import Fusion

/// What every version of the file has.
struct SavedStateHead: Codable {
  var format: String
  var version: Int
}

/// The file: SI units and radians, vectors as arrays, rotations as w, x, y, z.
struct SavedStateDocument: Codable {
  struct Scalar: Codable {
    var value, sigma: Double
  }
  struct Vector: Codable {
    var value, sigma: [Double]
  }
  struct ReceiverNoise: Codable {
    var whiteHorizontal, whiteVertical, lastingHorizontal, lastingVertical: Double
  }
  struct Body: Codable {
    var timeNanoseconds: Int64
    var latitude, longitude, height: Double
    var positionCovariance, velocityNED: [Double]
    var isStandingStill: Bool
    var navFromBody: [Double]
    var headingSigma: Double
    var verticalAxis, vehicleFromBody: [Double]
    var mountingPitchSigma, mountingYawSigma: Double
    var gyroBias, accelBias, leverArm, gnssPositionBias: Vector
    var gyroScale, odometerScale, axleDistance, sideslipGradient, pitchPerForce: Scalar
    var positionDelay, velocityDelay: Scalar
    var velocityScale: Double
    var whiteSigma, lastingSigma: Double?
    var receiverNoise: ReceiverNoise?
  }

  var format: String
  var version: Int
  var savedAtUnixSeconds: Double?
  var state: Body
}

extension SavedStateDocument.Body {
  init(_ s: SavedState) {
    let c = s.calibration
    timeNanoseconds = s.time.nanoseconds
    (latitude, longitude, height) = (s.position.latitude, s.position.longitude, s.position.height)
    positionCovariance =
      s.positionCovariance.x.array + s.positionCovariance.y.array + s.positionCovariance.z.array
    velocityNED = s.velocityNED.array
    isStandingStill = s.isStandingStill
    navFromBody = s.navFromBody.array
    headingSigma = s.headingSigma
    verticalAxis = s.verticalAxis.array
    vehicleFromBody = (c.vehicleFromBody ?? .identity).array
    (mountingPitchSigma, mountingYawSigma) = (c.mountingPitchSigma, c.mountingYawSigma)
    (gyroBias, accelBias) = (.init(c.gyroBias), .init(c.accelBias))
    (leverArm, gnssPositionBias) = (.init(c.leverArm), .init(c.gnssPositionBias))
    (gyroScale, odometerScale) = (.init(c.gyroScale), .init(c.odometerScale))
    (axleDistance, sideslipGradient) = (.init(c.axleDistance), .init(c.sideslipGradient))
    pitchPerForce = .init(c.pitchPerForce)
    (positionDelay, velocityDelay) = (.init(c.positionDelay), .init(c.velocityDelay))
    velocityScale = c.velocityScale
    (whiteSigma, lastingSigma) = (c.whiteSigma, c.lastingSigma)
    receiverNoise = s.receiverNoise.map {
      .init(
        whiteHorizontal: $0.whiteHorizontal, whiteVertical: $0.whiteVertical,
        lastingHorizontal: $0.lastingHorizontal, lastingVertical: $0.lastingVertical)
    }
  }

  /// The state; nil where an array has the wrong number of numbers.
  var value: SavedState? {
    guard let calibration, let covariance = Matrix3(array: positionCovariance),
      let velocity = Vector3(array: velocityNED), let attitude = Quaternion(array: navFromBody),
      let axis = Vector3(array: verticalAxis)
    else { return nil }
    return SavedState(
      time: Timestamp(nanoseconds: timeNanoseconds),
      position: GeodeticPosition(latitude: latitude, longitude: longitude, height: height),
      positionCovariance: covariance, velocityNED: velocity, isStandingStill: isStandingStill,
      navFromBody: attitude, headingSigma: headingSigma, verticalAxis: axis, calibration: calibration,
      receiverNoise: receiverNoise.map {
        .init(
          whiteHorizontal: $0.whiteHorizontal, whiteVertical: $0.whiteVertical,
          lastingHorizontal: $0.lastingHorizontal, lastingVertical: $0.lastingVertical)
      })
  }

  private var calibration: Calibration? {
    guard let gyro = gyroBias.calibration, let accel = accelBias.calibration, let arm = leverArm.calibration,
      let error = gnssPositionBias.calibration, let mounting = Quaternion(array: vehicleFromBody)
    else { return nil }
    return Calibration(
      gyroBias: gyro, accelBias: accel, vehicleFromBody: mounting, mountingPitchSigma: mountingPitchSigma,
      mountingYawSigma: mountingYawSigma, odometerScale: odometerScale.calibration, leverArm: arm,
      axleDistance: axleDistance.calibration, sideslipGradient: sideslipGradient.calibration,
      pitchPerForce: pitchPerForce.calibration, positionDelay: positionDelay.calibration,
      velocityDelay: velocityDelay.calibration, gyroScale: gyroScale.calibration, gnssPositionBias: error,
      whiteSigma: whiteSigma, lastingSigma: lastingSigma, velocityScale: velocityScale)
  }
}

extension SavedStateDocument.Scalar {
  init(_ s: Calibration.Scalar) { self.init(value: s.value, sigma: s.sigma) }
  var calibration: Calibration.Scalar { .init(value: value, sigma: sigma) }
}

extension SavedStateDocument.Vector {
  init(_ v: Calibration.Vector) { self.init(value: v.value.array, sigma: v.sigma.array) }
  var calibration: Calibration.Vector? {
    guard let value = Vector3(array: value), let sigma = Vector3(array: sigma) else { return nil }
    return .init(value: value, sigma: sigma)
  }
}

extension Vector3 {
  fileprivate var array: [Double] { [x, y, z] }
  fileprivate init?(array: [Double]) {
    guard array.count == 3 else { return nil }
    self.init(array[0], array[1], array[2])
  }
}

extension Matrix3 {
  /// From its nine numbers, column by column.
  fileprivate init?(array: [Double]) {
    guard array.count == 9 else { return nil }
    self.init(
      columns: Vector3(array[0], array[1], array[2]), Vector3(array[3], array[4], array[5]),
      Vector3(array[6], array[7], array[8]))
  }
}

extension Quaternion {
  fileprivate var array: [Double] { [lanes.w, lanes.x, lanes.y, lanes.z] }
  fileprivate init?(array: [Double]) {
    guard array.count == 4 else { return nil }
    self.init(w: array[0], x: array[1], y: array[2], z: array[3])
  }
}
