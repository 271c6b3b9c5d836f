/// Three `Double` components in one SIMD register pair; the fourth lane is always 0.
///
/// The same type is a position offset in metres, an angular rate in rad/s or a column of ``Matrix3``:
/// its name says the frame and the quantity.
public struct Vector3: Sendable, Equatable, Hashable {
  /// The lanes x, y, z and a 0 that lets sums and products run four wide.
  public var lanes: SIMD4<Double>

  /// Wraps four lanes; the caller guarantees that the fourth is 0.
  @inlinable @inline(__always) public init(lanes: SIMD4<Double>) { self.lanes = lanes }

  /// The vector (x, y, z).
  @inlinable @inline(__always) public init(_ x: Double, _ y: Double, _ z: Double) {
    lanes = SIMD4(x, y, z, 0)
  }

  /// The same value in all three components.
  @inlinable @inline(__always) public init(repeating value: Double) { self.init(value, value, value) }

  /// (0, 0, 0).
  @inlinable @inline(__always) public static var zero: Vector3 { Vector3(lanes: .zero) }

  /// First component: north, or forward.
  @inlinable @inline(__always) public var x: Double {
    get { lanes.x }
    set { lanes.x = newValue }
  }
  /// Second component: east, or right.
  @inlinable @inline(__always) public var y: Double {
    get { lanes.y }
    set { lanes.y = newValue }
  }
  /// Third component: down.
  @inlinable @inline(__always) public var z: Double {
    get { lanes.z }
    set { lanes.z = newValue }
  }

  /// Component 0, 1 or 2. Slow by a variable index: not for the hot path.
  @inlinable @inline(__always) public subscript(_ index: Int) -> Double {
    get { lanes[index] }
    set { lanes[index] = newValue }
  }

  /// Square of the Euclidean length.
  @inlinable @inline(__always) public var squaredNorm: Double { dot(self) }

  /// Euclidean length.
  @inlinable @inline(__always) public var norm: Double { dot(self).squareRoot() }

  /// Length of the first two components: horizontal length in NED.
  @inlinable @inline(__always) public var horizontalNorm: Double { (x * x + y * y).squareRoot() }

  /// Whether no component is infinite or not a number: less itself, any other is 0.
  @inlinable @inline(__always) public var isFinite: Bool {
    let none = lanes - lanes
    return none.x + none.y + none.z == 0
  }

  /// Inner product.
  @inlinable @inline(__always) public func dot(_ other: Vector3) -> Double {
    x * other.x + y * other.y + z * other.z
  }

  /// Vector product `self` × `other`.
  @inlinable @inline(__always) public func cross(_ other: Vector3) -> Vector3 {
    Vector3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  /// Product component by component.
  @inlinable @inline(__always) public func scaled(by factors: Vector3) -> Vector3 {
    Vector3(lanes: lanes * factors.lanes)
  }

  /// Sum, component by component.
  @inlinable @inline(__always) public static func + (a: Vector3, b: Vector3) -> Vector3 {
    Vector3(lanes: a.lanes + b.lanes)
  }
  /// Difference, component by component.
  @inlinable @inline(__always) public static func - (a: Vector3, b: Vector3) -> Vector3 {
    Vector3(lanes: a.lanes - b.lanes)
  }
  /// The opposite vector.
  @inlinable @inline(__always) public static prefix func - (a: Vector3) -> Vector3 {
    Vector3(lanes: -a.lanes)
  }
  /// The vector `s` times as long.
  @inlinable @inline(__always) public static func * (a: Vector3, s: Double) -> Vector3 {
    Vector3(lanes: a.lanes * s)
  }
  /// The vector `s` times as long.
  @inlinable @inline(__always) public static func * (s: Double, a: Vector3) -> Vector3 { a * s }
  /// The vector shortened `s` times.
  @inlinable @inline(__always) public static func / (a: Vector3, s: Double) -> Vector3 { a * (1 / s) }
  /// Adds `b`.
  @inlinable @inline(__always) public static func += (a: inout Vector3, b: Vector3) { a = a + b }
  /// Subtracts `b`.
  @inlinable @inline(__always) public static func -= (a: inout Vector3, b: Vector3) { a = a - b }
  /// Makes the vector `s` times as long.
  @inlinable @inline(__always) public static func *= (a: inout Vector3, s: Double) { a = a * s }
}
