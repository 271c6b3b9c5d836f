// What multiplies a state block in a linear relation is mostly not a full matrix: a step's length, a cross
// product, one column. Knowing which saves most of the products, and leaves out nothing but sums with zeros:
// the results are the same to the last bit.

/// A 3×3 matrix as far as a relation of state blocks needs it.
public protocol Factor: Sendable {
  /// The matrix in full.
  var matrix: Matrix3 { get }
  /// `rows` · `matrix`ᵀ.
  func transposedAfter(_ rows: FourRows) -> FourRows
  /// `matrix` · `block`.
  func times(_ block: Matrix3) -> Matrix3
  /// `matrix` · `vector`.
  func times(_ vector: Vector3) -> Vector3
}

/// The identity.
public struct IdentityMatrix: Factor {
  /// The identity.
  @inlinable @inline(__always) public init() {}

  /// The matrix in full.
  @inlinable @inline(__always) public var matrix: Matrix3 { .identity }
  /// `rows`.
  @inlinable @inline(__always) public func transposedAfter(_ rows: FourRows) -> FourRows { rows }
  /// `block`.
  @inlinable @inline(__always) public func times(_ block: Matrix3) -> Matrix3 { block }
  /// `vector`.
  @inlinable @inline(__always) public func times(_ vector: Vector3) -> Vector3 { vector }
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
  /// The product of both.
  @inlinable @inline(__always) public func times(_ block: Matrix3) -> Matrix3 { self * block }
  /// The product of both.
  @inlinable @inline(__always) public func times(_ vector: Vector3) -> Vector3 { self * vector }
}

/// A matrix that may be all zeros, and then costs nothing.
public struct MatrixOrNothing: Factor {
  @usableFromInline let given: Matrix3?

  /// `matrix`; nil for zeros.
  @inlinable @inline(__always) public init(_ matrix: Matrix3?) { given = matrix }

  /// The matrix in full.
  @inlinable @inline(__always) public var matrix: Matrix3 { given ?? .zero }
  /// `rows` · `matrix`ᵀ.
  @inlinable @inline(__always) public func transposedAfter(_ rows: FourRows) -> FourRows {
    given?.transposedAfter(rows) ?? FourRows(FourRows.nothing, FourRows.nothing, FourRows.nothing)
  }
  /// The product of both.
  @inlinable @inline(__always) public func times(_ block: Matrix3) -> Matrix3 { given?.times(block) ?? .zero }
  /// The product of both.
  @inlinable @inline(__always) public func times(_ vector: Vector3) -> Vector3 {
    given?.times(vector) ?? .zero
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
  /// The rows of `block`, scaled.
  @inlinable @inline(__always) public func times(_ block: Matrix3) -> Matrix3 {
    Matrix3(
      columns: block.x.scaled(by: diagonal), block.y.scaled(by: diagonal), block.z.scaled(by: diagonal))
  }
  /// The components of `vector`, scaled.
  @inlinable @inline(__always) public func times(_ vector: Vector3) -> Vector3 { vector.scaled(by: diagonal) }
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
  /// v × each column of `block`.
  @inlinable @inline(__always) public func times(_ block: Matrix3) -> Matrix3 {
    Matrix3(columns: vector.cross(block.x), vector.cross(block.y), vector.cross(block.z))
  }
  /// The cross product with `other`.
  @inlinable @inline(__always) public func times(_ other: Vector3) -> Vector3 { vector.cross(other) }
}

/// A matrix of zeros but for one column: 0 is the first.
public struct ColumnMatrix<let index: Int>: Factor {
  /// The column.
  public var column: Vector3

  /// The matrix with this column.
  @inlinable @inline(__always) public init(_ column: Vector3) { self.column = column }

  /// The matrix in full.
  @inlinable @inline(__always) public var matrix: Matrix3 {
    Matrix3(
      columns: index == 0 ? column : .zero, index == 1 ? column : .zero, index == 2 ? column : .zero)
  }
  /// `rows` · `self`ᵀ: only that column of the rows bears on it.
  @inlinable @inline(__always) public func transposedAfter(_ rows: FourRows) -> FourRows {
    let only = index == 0 ? rows.x : index == 1 ? rows.y : rows.z
    return FourRows(only * column.x, only * column.y, only * column.z)
  }
  /// The outer product of the column and a row of `block`.
  @inlinable @inline(__always) public func times(_ block: Matrix3) -> Matrix3 {
    Matrix3(columns: times(block.x), times(block.y), times(block.z))
  }
  /// The column times one component of `vector`.
  @inlinable @inline(__always) public func times(_ vector: Vector3) -> Vector3 {
    column * (index == 0 ? vector.x : index == 1 ? vector.y : vector.z)
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
  /// Nothing but the third row of `block`, scaled.
  @inlinable @inline(__always) public func times(_ block: Matrix3) -> Matrix3 {
    Matrix3(
      columns: Vector3(0, 0, value * block.x.z), Vector3(0, 0, value * block.y.z),
      Vector3(0, 0, value * block.z.z))
  }
  /// Nothing but the third component of `vector`, scaled.
  @inlinable @inline(__always) public func times(_ vector: Vector3) -> Vector3 {
    Vector3(0, 0, value * vector.z)
  }
}

/// A matrix whose last row is 0.
public struct TwoRowMatrix: Factor {
  /// The matrix in full.
  public let matrix: Matrix3

  /// The matrix of these rows.
  @inlinable @inline(__always) public init(rows first: Vector3, _ second: Vector3) {
    matrix = Matrix3(rows: first, second, .zero)
  }
  /// The first two rows of `matrix`, whose last one has to be 0.
  @inlinable @inline(__always) public init(_ matrix: Matrix3) { self.matrix = matrix }

  /// `rows` · `self`ᵀ: nothing in the third column.
  @inlinable @inline(__always) public func transposedAfter(_ rows: FourRows) -> FourRows {
    let (a, b, c, m) = (rows.x, rows.y, rows.z, matrix)
    return FourRows(
      a * m.x.x + b * m.y.x + c * m.z.x, a * m.x.y + b * m.y.y + c * m.z.y, FourRows.nothing)
  }
  /// The product of both.
  @inlinable @inline(__always) public func times(_ block: Matrix3) -> Matrix3 {
    Matrix3(columns: times(block.x), times(block.y), times(block.z))
  }
  /// The product of both, of which half the lanes are 0.
  @inlinable @inline(__always) public func times(_ vector: Vector3) -> Vector3 {
    let (a, b, c) = (matrix.x.lanes.lowHalf, matrix.y.lanes.lowHalf, matrix.z.lanes.lowHalf)
    return Vector3(
      lanes: SIMD4(lowHalf: a * vector.x + b * vector.y + c * vector.z, highHalf: .zero))
  }
}

/// A matrix whose last row and last column are 0.
public struct TwoByTwoMatrix: Factor {
  /// The matrix in full.
  public let matrix: Matrix3

  /// The matrix of these columns, whose last entries have to be 0.
  @inlinable @inline(__always) public init(columns first: Vector3, _ second: Vector3) {
    matrix = Matrix3(columns: first, second, .zero)
  }

  /// `rows` · `self`ᵀ: the third column neither counts nor comes.
  @inlinable @inline(__always) public func transposedAfter(_ rows: FourRows) -> FourRows {
    let (a, b, m) = (rows.x, rows.y, matrix)
    return FourRows(a * m.x.x + b * m.y.x, a * m.x.y + b * m.y.y, FourRows.nothing)
  }
  /// The product of both.
  @inlinable @inline(__always) public func times(_ block: Matrix3) -> Matrix3 {
    Matrix3(columns: times(block.x), times(block.y), times(block.z))
  }
  /// The product of both, of which half the lanes are 0.
  @inlinable @inline(__always) public func times(_ vector: Vector3) -> Vector3 {
    let (a, b) = (matrix.x.lanes.lowHalf, matrix.y.lanes.lowHalf)
    return Vector3(lanes: SIMD4(lowHalf: a * vector.x + b * vector.y, highHalf: .zero))
  }
}

/// A matrix of two rows and a 0 in each, the third entry of the first and the second of the second.
public struct TwoEntryRowsMatrix: Factor {
  /// The matrix in full.
  public let matrix: Matrix3

  /// The matrix of these columns: (a, b, 0), (c, 0, 0) and (0, d, 0).
  @inlinable @inline(__always)
  public init(_ first: Vector3, _ c: Double, _ d: Double) {
    matrix = Matrix3(columns: first, Vector3(c, 0, 0), Vector3(0, d, 0))
  }

  /// `rows` · `self`ᵀ: two products for each entry that is not 0.
  @inlinable @inline(__always) public func transposedAfter(_ rows: FourRows) -> FourRows {
    let (a, b, c, m) = (rows.x, rows.y, rows.z, matrix)
    return FourRows(a * m.x.x + b * m.y.x, a * m.x.y + c * m.z.y, FourRows.nothing)
  }
  /// The product of both.
  @inlinable @inline(__always) public func times(_ block: Matrix3) -> Matrix3 {
    Matrix3(columns: times(block.x), times(block.y), times(block.z))
  }
  /// The product of both, of which half the lanes are 0.
  @inlinable @inline(__always) public func times(_ vector: Vector3) -> Vector3 {
    let others = SIMD2(vector.y, vector.z) * SIMD2(matrix.y.x, matrix.z.y)
    return Vector3(
      lanes: SIMD4(lowHalf: matrix.x.lanes.lowHalf * vector.x + others, highHalf: .zero))
  }
}

/// A matrix of zeros but for its first row.
public struct FirstRowMatrix: Factor {
  /// The row.
  public var row: Vector3

  /// The matrix with this first row.
  @inlinable @inline(__always) public init(_ row: Vector3) { self.row = row }

  /// The matrix in full.
  @inlinable @inline(__always) public var matrix: Matrix3 { Matrix3(rows: row, .zero, .zero) }
  /// `rows` · `self`ᵀ: only the first column is not 0.
  @inlinable @inline(__always) public func transposedAfter(_ rows: FourRows) -> FourRows {
    FourRows(rows.x * row.x + rows.y * row.y + rows.z * row.z, .zero, .zero)
  }
  /// The row times `block`, above zeros.
  @inlinable @inline(__always) public func times(_ block: Matrix3) -> Matrix3 {
    Matrix3(columns: times(block.x), times(block.y), times(block.z))
  }
  /// The row times `vector`, and zeros.
  @inlinable @inline(__always) public func times(_ vector: Vector3) -> Vector3 {
    Vector3(row.dot(vector), 0, 0)
  }
}
