// What multiplies a state block in a linear relation is mostly not a full matrix: a step's length, a cross product, one
// column. Knowing which saves most of the products, and leaves out nothing but sums with zeros: the results are the same to
// the last bit.

/// A 3×3 matrix as far as a relation of state blocks needs it.
public protocol Factor: Sendable {
  /// The matrix in full.
  var matrix: Matrix3 { get }
  /// `block` · `matrix`ᵀ.
  func transposedAfter(_ block: Matrix3) -> Matrix3
}

extension Matrix3: Factor {
  /// Itself.
  @inlinable @inline(__always) public var matrix: Matrix3 { self }
  /// `block` · `self`ᵀ, by columns of the block: the entries of `self` are the same for all blocks of a loop.
  @inlinable @inline(__always) public func transposedAfter(_ block: Matrix3) -> Matrix3 {
    let (a, b, c) = (block.x.lanes, block.y.lanes, block.z.lanes)
    return Matrix3(
      columns: Vector3(lanes: a * x.x + b * y.x + c * z.x), Vector3(lanes: a * x.y + b * y.y + c * z.y),
      Vector3(lanes: a * x.z + b * y.z + c * z.z))
  }
}

extension Matrix3 {
  /// `block` · `self`ᵀ where the third columns of both are 0.
  @inlinable @inline(__always) func firstColumnsTransposed(after block: Matrix3) -> Matrix3 {
    let (a, b) = (block.x.lanes, block.y.lanes)
    return Matrix3(
      columns: Vector3(lanes: a * x.x + b * y.x), Vector3(lanes: a * x.y + b * y.y),
      Vector3(lanes: a * x.z + b * y.z))
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
  /// `block` · `self`ᵀ: the block's columns, scaled.
  @inlinable @inline(__always) public func transposedAfter(_ block: Matrix3) -> Matrix3 {
    Matrix3(columns: block.x * diagonal.x, block.y * diagonal.y, block.z * diagonal.z)
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
  /// `block` · `self`ᵀ: six products a row instead of nine.
  @inlinable @inline(__always) public func transposedAfter(_ block: Matrix3) -> Matrix3 {
    let (v, x, y, z) = (vector, block.x, block.y, block.z)
    return Matrix3(columns: z * v.y - y * v.z, x * v.z - z * v.x, y * v.x - x * v.y)
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
  /// `block` · `self`ᵀ: only the block's third column bears on it.
  @inlinable @inline(__always) public func transposedAfter(_ block: Matrix3) -> Matrix3 {
    Matrix3(columns: block.z * column.x, block.z * column.y, block.z * column.z)
  }
}
