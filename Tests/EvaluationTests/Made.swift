import Drives
import Evaluation
import Navigation

/// Made-up tracks and samples for the tests of this target.
enum Made {
  static let origin = GeodeticPosition(latitudeDegrees: 52.5, longitudeDegrees: 13.4, height: 40)

  static func time(_ seconds: Double) -> Timestamp { Timestamp(seconds: seconds) }

  /// Truth on a straight line from the origin at constant velocity.
  static func truth(
    _ seconds: Double, velocity: Vector3 = Vector3(10, 0, 0), yaw: Double? = nil
  ) -> TruthSample {
    TruthSample(
      time: time(seconds), position: origin.moved(byNED: velocity * seconds), velocityNED: velocity, yaw: yaw)
  }

  /// The same line as truth at 10 Hz.
  static func track(until end: Double, velocity: Vector3 = Vector3(10, 0, 0)) -> TruthTrack {
    TruthTrack((0...Int((end * 10).rounded())).map { truth(Double($0) / 10, velocity: velocity) })
  }

  /// A level car on that line: inertial samples at 50 Hz and fixes at 1 Hz that are off
  /// by a known zigzag of 1 m.
  static func drive(until end: Double, velocity: Vector3 = Vector3(10, 0, 0)) -> [SensorSample] {
    var samples: [SensorSample] = []
    for i in 0...Int(end * 50) {
      let now = time(Double(i) / 50)
      samples.append(
        .inertial(InertialSample(time: now, angularRate: .zero, specificForce: Vector3(0, 0, -9.81))))
      if i % 50 == 0 { samples.append(.gnss(fix(Double(i) / 50, velocity: velocity))) }
    }
    return samples
  }

  static func fix(_ seconds: Double, velocity: Vector3 = Vector3(10, 0, 0)) -> GNSSFix {
    let zigzag = Vector3(0, Int(seconds.rounded()) % 2 == 0 ? 1 : -1, 0)
    return GNSSFix(
      time: time(seconds), position: origin.moved(byNED: velocity * seconds + zigzag),
      positionSigma: Vector3(1, 1, 2), velocityNED: velocity)
  }

  /// A solution with unit covariances, aided, heading north unless it says otherwise.
  static func solution(
    _ seconds: Double, at position: GeodeticPosition, velocity: Vector3 = Vector3(10, 0, 0), yaw: Double = 0
  ) -> NavigationSolution {
    NavigationSolution(
      time: time(seconds), mode: .aided, position: position, velocityNED: velocity,
      navFromVehicle: Quaternion(roll: 0, pitch: 0, yaw: yaw), angularRate: .zero,
      positionCovariance: .identity,
      velocityCovariance: .identity, attitudeCovariance: .identity)
  }
}
