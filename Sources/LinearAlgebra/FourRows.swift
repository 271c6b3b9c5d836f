/// Four rows of a block column: as much of the three columns as one or two vectors of the processor hold.
public struct FourRows: Sendable {
  /// First column.
  public var x: SIMD4<Double>
  /// Second column.
  public var y: SIMD4<Double>
  /// Third column.
  public var z: SIMD4<Double>

  /// Four rows of these columns.
  @inlinable @inline(__always)
  public init(_ x: SIMD4<Double>, _ y: SIMD4<Double>, _ z: SIMD4<Double>) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// All zeros.
  @inlinable @inline(__always) public static var zero: FourRows { FourRows(.zero, .zero, .zero) }

  /// What any sum is the same with and without: a compiler leaves it out, as it may not leave out +0.
  @inlinable @inline(__always) static var nothing: SIMD4<Double> { SIMD4(repeating: -0.0) }

  /// Sum, entry by entry.
  @inlinable @inline(__always) public static func + (a: FourRows, b: FourRows) -> FourRows {
    FourRows(a.x + b.x, a.y + b.y, a.z + b.z)
  }

  /// Negative, entry by entry: of a vector as a whole the standard library makes a difference from 0.
  @inlinable @inline(__always) static prefix func - (a: FourRows) -> FourRows {
    @inline(__always) func negative(_ v: SIMD4<Double>) -> SIMD4<Double> { SIMD4(-v[0], -v[1], -v[2], -v[3]) }
    return FourRows(negative(a.x), negative(a.y), negative(a.z))
  }

  /// The first `rank` columns times row `k` of `factors`.
  @inlinable @inline(__always) func sum(by factors: FourRows, _ k: Int, rank: Int) -> SIMD4<Double> {
    var sum = x * factors.x[k]
    if rank > 1 { sum += y * factors.y[k] }
    if rank > 2 { sum += z * factors.z[k] }
    return sum
  }
}

extension UnsafePointer where Pointee == FourRows {
  /// Row `row` of column `column` of a block column that lies here.
  @inlinable @inline(__always) func entry(_ row: Int, _ column: Int) -> Double {
    let offset = (row >> 2) &* 96 &+ column &* 32 &+ (row & 3) &* 8
    return UnsafeRawPointer(self).load(fromByteOffset: offset, as: Double.self)
  }

  /// Rows 3i to 3i + 2.
  @inlinable @inline(__always) func block(_ i: Int) -> Matrix3 {
    @inline(__always) func column(_ k: Int) -> Vector3 {
      Vector3(entry(3 &* i, k), entry(3 &* i &+ 1, k), entry(3 &* i &+ 2, k))
    }
    return Matrix3(columns: column(0), column(1), column(2))
  }
}
