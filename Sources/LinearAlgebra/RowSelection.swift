/// Which components of a measurement are measured: some in a row, which move to the front.
public struct RowSelection: Sendable, Equatable {
  /// The first one: 0, 1 or 2.
  public let first: Int
  /// How many.
  public let count: Int

  /// All three.
  @inlinable @inline(__always) public static var all: RowSelection { RowSelection(first: 0, count: 3) }

  /// `count` components from the one of this index on.
  @inlinable @inline(__always) public init(first: Int, count: Int) {
    (self.first, self.count) = (first, count)
  }

  /// The first `count` of them.
  @inlinable @inline(__always) public func keeping(first count: Int) -> RowSelection {
    RowSelection(first: first, count: min(count, self.count))
  }

  /// All but the first of them.
  @inlinable @inline(__always) public var withoutFirst: RowSelection {
    RowSelection(first: first + 1, count: count - 1)
  }

  /// The components that are measured, then zeros.
  @inlinable @inline(__always) public func moved(_ v: Vector3) -> Vector3 {
    let rest = first == 0 ? v : first == 1 ? Vector3(v.y, v.z, 0) : Vector3(v.z, 0, 0)
    return Vector3(rest.x, count > 1 ? rest.y : 0, count > 2 ? rest.z : 0)
  }

  /// The rows that are measured, then zeros.
  @inlinable @inline(__always) public func moved(_ m: Matrix3) -> Matrix3 {
    Matrix3(columns: moved(m.x), moved(m.y), moved(m.z))
  }

  /// The columns that are measured, then zeros.
  @inlinable @inline(__always) func moved(_ rows: FourRows) -> FourRows {
    let (x, y, z) =
      first == 0
      ? (rows.x, rows.y, rows.z) : first == 1 ? (rows.y, rows.z, .zero) : (rows.z, .zero, .zero)
    return FourRows(x, count > 1 ? y : .zero, count > 2 ? z : .zero)
  }
}
