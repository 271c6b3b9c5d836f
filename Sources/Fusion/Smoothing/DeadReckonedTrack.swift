import CLibrary
import LinearAlgebra
import Navigation

/// The dead-reckoned track of a car without an IMU, from before its heading was known: once that is, the
/// track can be laid backward from where the car then was.
package struct DeadReckonedTrack: Sendable {
  private struct Pose: Sendable {
    var time: Timestamp
    /// Metres ahead and to the right of the first pose, and the angle turned since, rad, as measured.
    var track: Vector3
    var yaw: Double
  }
  private var poses: [Pose] = []
  private var speed = 0.0
  /// What the match of the track with the fixes says of the yaw rate's bias, rad/s, and of the speed's scale.
  private var bias = 0.0, scale = 0.0
  private var biasVariance = 0.0, scaleVariance = 0.0

  package init() {}

  /// When it begins.
  var start: Timestamp? { poses.first?.time }

  /// Moves on to a wheel sample's time at its speed and yaw rate, as ``TrackMatch`` does.
  mutating func advance(_ wheel: WheelSample) {
    speed = wheel.speed
    guard var pose = poses.last, let rate = wheel.yawRate else {
      poses.append(Pose(time: wheel.time, track: poses.last?.track ?? .zero, yaw: poses.last?.yaw ?? 0))
      return
    }
    let dt = wheel.time.seconds(since: pose.time)
    pose.time = wheel.time
    if dt > 0, dt < 2 {
      let middle = pose.yaw + rate * dt / 2
      pose.track += Vector3(cos(middle), sin(middle), 0) * (wheel.speed * dt)
      pose.yaw += rate * dt
    }
    poses.append(pose)
  }

  /// The track up to `time`, a moment after the last wheel sample, with what was found of bias and scale.
  func ended(at time: Timestamp, _ result: TrackMatch.Result) -> DeadReckonedTrack {
    var track = self
    track.bias = result.bias
    track.scale = result.scale
    track.biasVariance = result.biasVariance
    track.scaleVariance = result.scaleVariance
    guard var pose = poses.last else { return track }
    let late = max(0, min(2, time.seconds(since: pose.time)))
    pose.track += Vector3(cos(pose.yaw), sin(pose.yaw), 0) * (speed * late)
    pose.time = time
    if late > 0 { track.poses.append(pose) }
    return track
  }

  /// The poses before the last one, newest first, if that one is `end`.
  func points(before end: SmoothedPoint) -> [SmoothedPoint] {
    guard let last = poses.last else { return [] }
    let heading = end.solution.navFromVehicle.yaw - last.yaw
    var laid: [SmoothedPoint] = []
    var offset = Vector3.zero
    for k in poses.indices.dropLast().reversed() {
      let (pose, next) = (poses[k], poses[k + 1])
      let age = last.time.seconds(since: pose.time)
      let turned = Quaternion(rotationVector: Vector3(0, 0, heading + bias * age))
      let step = (turned * (next.track - pose.track)) * (1 - scale)
      offset -= step
      if let newer = laid.last, newer.solution.time.seconds(since: pose.time) < 0.0995, k > 0 { continue }
      let dt = max(next.time.seconds(since: pose.time), 1e-3)
      laid.append(point(of: pose, offset: offset, velocity: step / dt, turned: turned, age: age, end))
    }
    return laid
  }

  private func point(
    of pose: Pose, offset: Vector3, velocity: Vector3, turned: Quaternion, age: Double, _ end: SmoothedPoint
  ) -> SmoothedPoint {
    var point = end
    point.solution.time = pose.time
    point.solution.position = end.solution.position.moved(byNED: offset)
    point.solution.velocityNED = velocity
    point.solution.navFromVehicle = turned * Quaternion(rotationVector: Vector3(0, 0, pose.yaw))
    point.solution.angularRate = .zero
    // An error of the end's heading swings the track about the end, one of the bias half as much, and one
    // of the scale stretches it.
    let swing = Vector3(-offset.y, offset.x, 0)
    let biasAngle = biasVariance * age * age
    let shared = Matrix3(outer: end.positionHeading, swing)
    point.solution.positionCovariance +=
      shared + shared.transpose
      + Matrix3(outer: swing, swing) * (end.solution.attitudeCovariance.z.z + biasAngle / 4)
      + Matrix3(outer: offset, offset) * scaleVariance
    point.solution.attitudeCovariance.z.z += biasAngle
    let across = Vector3(-velocity.y, velocity.x, 0)
    point.solution.velocityCovariance =
      Matrix3(scalar: 0.01) + Matrix3(outer: velocity, velocity) * scaleVariance
      + Matrix3(outer: across, across) * point.solution.attitudeCovariance.z.z
    point.cross = .zero
    return point
  }
}
