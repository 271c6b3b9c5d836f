import Drives
import Navigation

// A height that is not known is not-a-number; it must spoil the vertical component alone.
extension GeodeticPosition {
  /// Metres north, east and down from `reference`; down is not-a-number where a height is not known.
  package func displacement(from reference: GeodeticPosition) -> Vector3 {
    var level = reference
    if !level.height.isFinite { level.height = height.isFinite ? height : 0 }
    var offset = ned(from: level)
    offset.z = reference.height - height
    return offset
  }

  /// The point `offset` metres north, east and down of `self`; an unknown height stays unknown.
  package func displaced(byNED offset: Vector3) -> GeodeticPosition {
    var level = self
    if !level.height.isFinite { level.height = 0 }
    var moved = level.moved(byNED: offset)
    moved.height = height - offset.z
    return moved
  }
}

extension TruthSample {
  /// The same of a point that lies `offset` from it in the car, forward, right, down; nil where the attitude
  /// is not known. The velocity stays: how fast the car turns is not said.
  package func moved(byVehicleOffset offset: Vector3) -> TruthSample? {
    guard let yaw else { return nil }
    var moved = self
    let navFromVehicle = Quaternion(roll: roll ?? 0, pitch: pitch ?? 0, yaw: yaw)
    moved.position = position.displaced(byNED: navFromVehicle * offset)
    return moved
  }
}

extension NavigationSolution {
  /// Whether position, velocity and their covariances are finite.
  package var isFinite: Bool {
    position.latitude.isFinite && position.longitude.isFinite && position.height.isFinite
      && velocityNED.isFinite && positionCovariance.isFinite && velocityCovariance.isFinite
  }
}

extension Vector3 {
  /// Components ahead and to the right of a horizontal velocity, NED; nil where that is too
  /// slow to have a direction.
  package func trackComponents(along velocity: Vector3) -> (ahead: Double, right: Double)? {
    let speed = velocity.horizontalNorm
    guard speed > 0.5 else { return nil }
    let (north, east) = (velocity.x / speed, velocity.y / speed)
    return (x * north + y * east, y * north - x * east)
  }
}
