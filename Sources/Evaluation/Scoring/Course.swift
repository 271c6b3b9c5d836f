import CLibrary
import LinearAlgebra

extension Vector3 {
  /// Direction of the horizontal part of a NED vector in radians from north through east.
  package var courseAngle: Double { atan2(y, x) }
}
