// Conventions: Hamilton quaternions, scalar last in memory. A rotation `navFromBody` maps components in the
// body frame to components in the navigation frame and is the C_b^n of Groves, "Principles of GNSS, Inertial,
// and Multisensor Integrated Navigation Systems", 2nd edition; products read right to left.
import CLibrary

/// A rotation as a unit quaternion.
public struct Quaternion: Sendable, Equatable, Hashable {
  /// x, y, z (the vector part) and w (the scalar part).
  public var lanes: SIMD4<Double>

  /// The quaternion w + xi + yj + zk; the caller guarantees unit length.
  @inlinable @inline(__always) public init(w: Double, x: Double, y: Double, z: Double) {
    lanes = SIMD4(x, y, z, w)
  }

  /// No rotation.
  @inlinable @inline(__always) public static var identity: Quaternion { Quaternion(w: 1, x: 0, y: 0, z: 0) }

  /// Scalar part.
  @inlinable @inline(__always) public var w: Double { lanes.w }
  /// Vector part.
  @inlinable @inline(__always) public var vector: Vector3 { Vector3(lanes.x, lanes.y, lanes.z) }

  /// The rotation by `rotationVector.norm` radians about that vector: exp of its cross-product matrix.
  @inlinable @inline(__always) public init(rotationVector v: Vector3) {
    let squaredAngle = v.squaredNorm
    let c: Double
    let s: Double
    if squaredAngle < 1e-2 {
      // Series to a relative 1e-16 for angles below 0.1 rad; no library call in the hot path.
      let h = squaredAngle * 0.25
      c = 1 - h * (1.0 / 2 - h * (1.0 / 24 - h * (1.0 / 720 - h * (1.0 / 40320))))
      s = 0.5 * (1 - h * (1.0 / 6 - h * (1.0 / 120 - h * (1.0 / 5040 - h * (1.0 / 362880)))))
    } else {
      let angle = squaredAngle.squareRoot()
      c = cos(angle / 2)
      s = sin(angle / 2) / angle
    }
    lanes = SIMD4(v.x * s, v.y * s, v.z * s, c)
  }

  /// The rotation vector of this rotation, of length at most π.
  public var rotationVector: Vector3 {
    let v = w < 0 ? -vector : vector
    let sine = v.norm
    if sine < 1e-9 { return v * 2 }
    return v * (2 * atan2(sine, abs(w)) / sine)
  }

  /// Rotation from a frame turned by yaw about z, then pitch about y, then roll about x (Groves, section
  /// 2.2.1: aerospace order): with FRD body axes and NED navigation axes this is `navFromBody`.
  public init(roll: Double, pitch: Double, yaw: Double) {
    let (sr, cr) = (sin(roll / 2), cos(roll / 2))
    let (sp, cp) = (sin(pitch / 2), cos(pitch / 2))
    let (sy, cy) = (sin(yaw / 2), cos(yaw / 2))
    lanes = SIMD4(
      sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy,
      cr * cp * cy + sr * sp * sy)
  }

  /// The nearest rotation to a direction cosine matrix (Shepperd's method: the largest component first).
  public init(matrix m: Matrix3) {
    let t = m.trace
    let d = m.diagonal
    if t >= d.x, t >= d.y, t >= d.z {
      let w = (1 + t).squareRoot() / 2
      let k = 1 / (4 * w)
      self.init(w: w, x: (m.y.z - m.z.y) * k, y: (m.z.x - m.x.z) * k, z: (m.x.y - m.y.x) * k)
    } else if d.x >= d.y, d.x >= d.z {
      let x = (1 + d.x - d.y - d.z).squareRoot() / 2
      let k = 1 / (4 * x)
      self.init(w: (m.y.z - m.z.y) * k, x: x, y: (m.x.y + m.y.x) * k, z: (m.z.x + m.x.z) * k)
    } else if d.y >= d.z {
      let y = (1 - d.x + d.y - d.z).squareRoot() / 2
      let k = 1 / (4 * y)
      self.init(w: (m.z.x - m.x.z) * k, x: (m.x.y + m.y.x) * k, y: y, z: (m.y.z + m.z.y) * k)
    } else {
      let z = (1 - d.x - d.y + d.z).squareRoot() / 2
      let k = 1 / (4 * z)
      self.init(w: (m.x.y - m.y.x) * k, x: (m.z.x + m.x.z) * k, y: (m.y.z + m.z.y) * k, z: z)
    }
    self = normalized
  }

  /// The same rotation as a direction cosine matrix.
  @inlinable @inline(__always) public var matrix: Matrix3 {
    let (x, y, z, w) = (lanes.x, lanes.y, lanes.z, lanes.w)
    return Matrix3(
      columns: Vector3(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
      Vector3(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
      Vector3(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)))
  }

  /// The reverse rotation.
  @inlinable @inline(__always) public var inverse: Quaternion {
    Quaternion(w: w, x: -lanes.x, y: -lanes.y, z: -lanes.z)
  }

  /// Scaled to unit length.
  @inlinable @inline(__always) public var normalized: Quaternion {
    var q = self
    q.lanes *= 1 / (lanes * lanes).sum().squareRoot()
    return q
  }

  /// Angle about the first axis after yaw and pitch, −π to π.
  public var roll: Double {
    let m = matrix
    return atan2(m.y.z, m.z.z)
  }
  /// Angle above the horizon of the first body axis, −π/2 to π/2.
  public var pitch: Double { asin(max(-1, min(1, -matrix.x.z))) }
  /// Angle of the first body axis from north through east, −π to π.
  public var yaw: Double {
    let m = matrix
    return atan2(m.x.y, m.x.x)
  }

  /// `ecefFromNav * navFromBody` is the rotation `ecefFromBody`.
  @inlinable @inline(__always) public static func * (a: Quaternion, b: Quaternion) -> Quaternion {
    let p = a.lanes
    let q = b.lanes
    return Quaternion(
      w: p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
      x: p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
      y: p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
      z: p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w)
  }

  /// The vector's components in the rotated frame.
  @inlinable @inline(__always) public static func * (q: Quaternion, v: Vector3) -> Vector3 {
    let u = q.vector
    let t = 2 * u.cross(v)
    return v + q.w * t + u.cross(t)
  }
}
