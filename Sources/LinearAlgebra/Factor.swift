// What multiplies a state block in a linear relation is mostly not a full matrix: a step's length, a cross product, one
// column. Knowing which saves most of the products, and leaves out nothing but sums with zeros: the results are the same to
// the last bit.

/// A 3×3 matrix as far as a relation of state blocks needs it.
public protocol Factor: Sendable {
  /// The matrix in full.
  var matrix: Matrix3 { get }
  /// `rows` · `matrix`ᵀ.
  func transposedAfter(_ rows: FourRows) -> FourRows
}

extension Matrix3: Factor {
  /// Itself.
  @inlinable @inline(__always) public var matrix: Matrix3 { self }
  /// `rows` · `self`ᵀ.
  @inlinable @inline(__always) public func transposedAfter(_ rows: FourRows) -> FourRows {
    let (a, b, c) = (rows.x, rows.y, rows.z)
    return FourRows(
      a * x.x + b * y.x + c * z.x, a * x.y + b * y.y + c * z.y, a * x.z + b * y.z + c * z.z)
  }
}

/// A diagonal matrix.
public struct DiagonalMatrix: Factor {
  /// The diagonal.
  public var diagonal: Vector3

  /// The matrix with this diagonal.
  @inlinable @inline(__always) public init(_ diagonal: Vector3) { self.diagonal = diagonal }
  /// `value` times the identity.
  @inlinable @inline(__always) public init(scalar value: Double) { diagonal = Vector3(repeating: value) }

  /// The matrix in full.
  @inlinable @inline(__always) public var matrix: Matrix3 { Matrix3(diagonal: diagonal) }
  /// `rows` · `self`ᵀ: the columns, scaled.
  @inlinable @inline(__always) public func transposedAfter(_ rows: FourRows) -> FourRows {
    FourRows(rows.x * diagonal.x, rows.y * diagonal.y, rows.z * diagonal.z)
  }
}

/// The cross-product matrix [v×].
public struct CrossProductMatrix: Factor {
  /// v.
  public var vector: Vector3

  /// The matrix [`vector`×].
  @inlinable @inline(__always) public init(of vector: Vector3) { self.vector = vector }

  /// The matrix in full.
  @inlinable @inline(__always) public var matrix: Matrix3 { Matrix3(crossProductOf: vector) }
  /// `rows` · `self`ᵀ: six products a row instead of nine.
  @inlinable @inline(__always) public func transposedAfter(_ rows: FourRows) -> FourRows {
    let (v, x, y, z) = (vector, rows.x, rows.y, rows.z)
    return FourRows(z * v.y - y * v.z, x * v.z - z * v.x, y * v.x - x * v.y)
  }
}

/// A matrix of zeros but for its third column.
public struct ThirdColumnMatrix: Factor {
  /// The third column.
  public var column: Vector3

  /// The matrix with this third column.
  @inlinable @inline(__always) public init(_ column: Vector3) { self.column = column }

  /// The matrix in full.
  @inlinable @inline(__always) public var matrix: Matrix3 { Matrix3(columns: .zero, .zero, column) }
  /// `rows` · `self`ᵀ: only the third column of the rows bears on it.
  @inlinable @inline(__always) public func transposedAfter(_ rows: FourRows) -> FourRows {
    FourRows(rows.z * column.x, rows.z * column.y, rows.z * column.z)
  }
}

/// A matrix of zeros but for the last entry of its diagonal.
public struct LastEntryMatrix: Factor {
  /// The entry.
  public var value: Double

  /// The matrix with this last entry.
  @inlinable @inline(__always) public init(_ value: Double) { self.value = value }

  /// The matrix in full.
  @inlinable @inline(__always) public var matrix: Matrix3 { Matrix3(diagonal: Vector3(0, 0, value)) }
  /// `rows` · `self`ᵀ: nothing but the third column, scaled.
  @inlinable @inline(__always) public func transposedAfter(_ rows: FourRows) -> FourRows {
    FourRows(FourRows.nothing, FourRows.nothing, rows.z * value)
  }
}
