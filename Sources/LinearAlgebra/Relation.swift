/// A linear relation to state blocks: Σ m · x_from.
///
/// `Term(attitude, CrossProductMatrix(of: a)) + Term(accelBias, b)` is a × x_attitude + b · x_accelBias,
/// with a type that knows which factors are cheap.
public protocol Relation: Sendable {
  /// `rows(from)` · mᵀ, summed over the terms: where `rows` gives the covariances of something with the
  /// state's blocks, the one with the relation.
  func covariance(_ rows: (Int) -> FourRows) -> FourRows
  /// Adds m · `block(from)` to `sum`, term by term.
  func addProducts(_ block: (Int) -> Matrix3, to sum: inout Matrix3)
  /// The relation's value where the state's blocks are `block`.
  func value(_ block: (Int) -> Vector3) -> Vector3
  /// The terms with their matrices in full.
  func forEachLink(_ body: (Link) -> Void)
}

/// One term of a linear relation: `factor` times state block `from`.
public struct Term<F: Factor>: Relation {
  /// Index of the state block.
  public var from: Int
  /// The 3×3 factor.
  public var factor: F

  /// The term `factor` · x[`from`].
  @inlinable @inline(__always) public init(_ from: Int, _ factor: F) {
    self.from = from
    self.factor = factor
  }

  /// `rows(from)` · mᵀ, summed over the terms.
  @inlinable @inline(__always)
  public func covariance(_ rows: (Int) -> FourRows) -> FourRows {
    factor.transposedAfter(rows(from))
  }

  /// Adds m · `block(from)` to `sum`, term by term.
  @inlinable @inline(__always)
  public func addProducts(_ block: (Int) -> Matrix3, to sum: inout Matrix3) {
    sum += factor.times(block(from))
  }

  /// The relation's value where the state's blocks are `block`.
  @inlinable @inline(__always)
  public func value(_ block: (Int) -> Vector3) -> Vector3 { factor.times(block(from)) }

  /// The terms with their matrices in full.
  @inlinable @inline(__always)
  public func forEachLink(_ body: (Link) -> Void) { body(Link(from, factor.matrix)) }
}

/// One term of a linear relation with a full matrix.
public typealias Link = Term<Matrix3>

extension Term where F == Matrix3 {
  /// The 3×3 factor.
  @inlinable @inline(__always) public var matrix: Matrix3 {
    get { factor }
    set { factor = newValue }
  }
}

/// The sum of two relations.
public struct SumOfTerms<A: Relation, B: Relation>: Relation {
  @usableFromInline let a: A
  @usableFromInline let b: B

  @inlinable @inline(__always) init(_ a: A, _ b: B) {
    self.a = a
    self.b = b
  }

  /// `rows(from)` · mᵀ, summed over the terms.
  @inlinable @inline(__always)
  public func covariance(_ rows: (Int) -> FourRows) -> FourRows {
    a.covariance(rows) + b.covariance(rows)
  }

  /// Adds m · `block(from)` to `sum`, term by term.
  @inlinable @inline(__always)
  public func addProducts(_ block: (Int) -> Matrix3, to sum: inout Matrix3) {
    a.addProducts(block, to: &sum)
    b.addProducts(block, to: &sum)
  }

  /// The relation's value where the state's blocks are `block`.
  @inlinable @inline(__always)
  public func value(_ block: (Int) -> Vector3) -> Vector3 { a.value(block) + b.value(block) }

  /// The terms with their matrices in full.
  @inlinable @inline(__always)
  public func forEachLink(_ body: (Link) -> Void) {
    a.forEachLink(body)
    b.forEachLink(body)
  }
}

/// A matrix times a relation.
public struct MatrixTimes<M: Factor, A: Relation>: Relation {
  @usableFromInline let matrix: M
  @usableFromInline let a: A

  @inlinable @inline(__always) init(_ matrix: M, _ a: A) {
    self.matrix = matrix
    self.a = a
  }

  /// `rows(from)` · mᵀ, summed over the terms.
  @inlinable @inline(__always)
  public func covariance(_ rows: (Int) -> FourRows) -> FourRows {
    matrix.transposedAfter(a.covariance(rows))
  }

  /// Adds m · `block(from)` to `sum`, term by term.
  @inlinable @inline(__always)
  public func addProducts(_ block: (Int) -> Matrix3, to sum: inout Matrix3) {
    var inner = Matrix3.zero
    a.addProducts(block, to: &inner)
    sum += matrix.times(inner)
  }

  /// The relation's value where the state's blocks are `block`.
  @inlinable @inline(__always)
  public func value(_ block: (Int) -> Vector3) -> Vector3 { matrix.times(a.value(block)) }

  /// The terms with their matrices in full.
  @inlinable @inline(__always)
  public func forEachLink(_ body: (Link) -> Void) {
    a.forEachLink { body(Link($0.from, matrix.times($0.matrix))) }
  }
}

extension Relation {
  /// A matrix times a relation.
  @inlinable @inline(__always) public static func * (matrix: Matrix3, a: Self) -> MatrixTimes<Matrix3, Self> {
    MatrixTimes(matrix, a)
  }
  /// Two rows times a relation.
  @inlinable @inline(__always)
  public static func * (matrix: TwoRowMatrix, a: Self) -> MatrixTimes<TwoRowMatrix, Self> {
    MatrixTimes(matrix, a)
  }
  /// The sum of two relations.
  @inlinable @inline(__always) public static func + <B: Relation>(a: Self, b: B) -> SumOfTerms<Self, B> {
    SumOfTerms(a, b)
  }
}

extension InlineArray: Relation where Element == Link {
  /// `rows(from)` · mᵀ, summed over the terms.
  @inlinable @inline(__always)
  public func covariance(_ rows: (Int) -> FourRows) -> FourRows {
    var sum = self[0].covariance(rows)
    for l in 1..<count { sum = sum + self[l].covariance(rows) }
    return sum
  }

  /// Adds m · `block(from)` to `sum`, term by term.
  @inlinable @inline(__always)
  public func addProducts(_ block: (Int) -> Matrix3, to sum: inout Matrix3) {
    for l in indices { self[l].addProducts(block, to: &sum) }
  }

  /// The relation's value where the state's blocks are `block`.
  @inlinable @inline(__always)
  public func value(_ block: (Int) -> Vector3) -> Vector3 {
    var sum = Vector3.zero
    for l in indices { sum += self[l].value(block) }
    return sum
  }

  /// The terms with their matrices in full.
  @inlinable @inline(__always)
  public func forEachLink(_ body: (Link) -> Void) {
    for l in indices { body(self[l]) }
  }
}
