/// A 3×3 matrix held by columns; also one block of ``Covariance``.
public struct Matrix3: Sendable, Equatable, Hashable {
  /// First column.
  public var x: Vector3
  /// Second column.
  public var y: Vector3
  /// Third column.
  public var z: Vector3

  /// The matrix with these columns.
  @inlinable @inline(__always) public init(columns x: Vector3, _ y: Vector3, _ z: Vector3) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The matrix with these rows.
  @inlinable @inline(__always) public init(rows a: Vector3, _ b: Vector3, _ c: Vector3) {
    x = Vector3(a.x, b.x, c.x)
    y = Vector3(a.y, b.y, c.y)
    z = Vector3(a.z, b.z, c.z)
  }

  /// The diagonal matrix with these entries.
  @inlinable @inline(__always) public init(diagonal d: Vector3) {
    x = Vector3(d.x, 0, 0)
    y = Vector3(0, d.y, 0)
    z = Vector3(0, 0, d.z)
  }

  /// `value` times the identity.
  @inlinable @inline(__always) public init(scalar value: Double) {
    self.init(diagonal: Vector3(repeating: value))
  }

  /// The cross-product matrix [v×]: `Matrix3(crossProductOf: v) * u == v.cross(u)`.
  @inlinable @inline(__always) public init(crossProductOf v: Vector3) {
    x = Vector3(0, v.z, -v.y)
    y = Vector3(-v.z, 0, v.x)
    z = Vector3(v.y, -v.x, 0)
  }

  /// The outer product a bᵀ.
  @inlinable @inline(__always) public init(outer a: Vector3, _ b: Vector3) {
    x = a * b.x
    y = a * b.y
    z = a * b.z
  }

  /// All zeros.
  @inlinable @inline(__always) public static var zero: Matrix3 {
    Matrix3(columns: .zero, .zero, .zero)
  }

  /// Ones on the diagonal.
  @inlinable @inline(__always) public static var identity: Matrix3 { Matrix3(scalar: 1) }

  /// Entry in row `row` and column `column`. Slow by variable indices: not for the hot path.
  @inlinable @inline(__always) public subscript(_ row: Int, _ column: Int) -> Double {
    get { column == 0 ? x[row] : column == 1 ? y[row] : z[row] }
    set {
      switch column {
      case 0: x[row] = newValue
      case 1: y[row] = newValue
      default: z[row] = newValue
      }
    }
  }

  /// The diagonal.
  @inlinable @inline(__always) public var diagonal: Vector3 { Vector3(x.x, y.y, z.z) }

  /// Sum of the diagonal.
  @inlinable @inline(__always) public var trace: Double { x.x + y.y + z.z }

  /// Rows and columns exchanged.
  @inlinable @inline(__always) public var transpose: Matrix3 { Matrix3(rows: x, y, z) }

  /// Whether every entry is finite.
  @inlinable @inline(__always) public var isFinite: Bool {
    let none = (x - x) + (y - y) + (z - z)
    return none.x + none.y + none.z == 0
  }

  /// Determinant.
  @inlinable @inline(__always) public var determinant: Double { x.dot(y.cross(z)) }

  /// Inverse by cofactors, or nil where the determinant is 0 or not finite.
  public var inverse: Matrix3? {
    let d = determinant
    guard d != 0, d.isFinite else { return nil }
    return Matrix3(rows: y.cross(z) * (1 / d), z.cross(x) * (1 / d), x.cross(y) * (1 / d))
  }

  /// Lower factor L with L Lᵀ = `self`, or nil where `self` is not positive definite.
  /// Reads the lower triangle only.
  @inlinable @inline(__always) public var cholesky: Matrix3? {
    guard x.x > 0 else { return nil }
    let l00 = x.x.squareRoot()
    let l10 = x.y / l00
    let l20 = x.z / l00
    let d1 = y.y - l10 * l10
    guard d1 > 0 else { return nil }
    let l11 = d1.squareRoot()
    let l21 = (y.z - l20 * l10) / l11
    let d2 = z.z - l20 * l20 - l21 * l21
    guard d2 > 0 else { return nil }
    return Matrix3(
      columns: Vector3(l00, l10, l20), Vector3(0, l11, l21), Vector3(0, 0, d2.squareRoot()))
  }

  /// Matrix times vector.
  @inlinable @inline(__always) public static func * (m: Matrix3, v: Vector3) -> Vector3 {
    Vector3(lanes: m.x.lanes * v.x + m.y.lanes * v.y + m.z.lanes * v.z)
  }
  /// Matrix product: `a` after `b`.
  @inlinable @inline(__always) public static func * (a: Matrix3, b: Matrix3) -> Matrix3 {
    Matrix3(columns: a * b.x, a * b.y, a * b.z)
  }
  /// Every entry times `s`.
  @inlinable @inline(__always) public static func * (m: Matrix3, s: Double) -> Matrix3 {
    Matrix3(columns: m.x * s, m.y * s, m.z * s)
  }
  /// Every entry times `s`.
  @inlinable @inline(__always) public static func * (s: Double, m: Matrix3) -> Matrix3 { m * s }
  /// Sum, entry by entry.
  @inlinable @inline(__always) public static func + (a: Matrix3, b: Matrix3) -> Matrix3 {
    Matrix3(columns: a.x + b.x, a.y + b.y, a.z + b.z)
  }
  /// Difference, entry by entry.
  @inlinable @inline(__always) public static func - (a: Matrix3, b: Matrix3) -> Matrix3 {
    Matrix3(columns: a.x - b.x, a.y - b.y, a.z - b.z)
  }
  /// Every entry with the opposite sign.
  @inlinable @inline(__always) public static prefix func - (a: Matrix3) -> Matrix3 {
    Matrix3(columns: -a.x, -a.y, -a.z)
  }
  /// Adds `b`.
  @inlinable @inline(__always) public static func += (a: inout Matrix3, b: Matrix3) { a = a + b }
  /// Subtracts `b`.
  @inlinable @inline(__always) public static func -= (a: inout Matrix3, b: Matrix3) { a = a - b }
}
