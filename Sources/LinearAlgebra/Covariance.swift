// P is held as 3×3 blocks, upper block triangle only: P[i][j] for i ≤ j, so that it is symmetric by construction
// (the diagonal blocks are written symmetric too). A prediction is a sequence of congruences, one state row at a
// time; an update whitens the innovation by the Cholesky factor L of its covariance and subtracts V Vᵀ.

/// One term of a linear relation: `matrix` times state block `from`.
public struct Link: Sendable {
  /// Index of the state block.
  public var from: Int
  /// The 3×3 factor.
  public var matrix: Matrix3

  /// The term `matrix` · x[`from`].
  @inlinable @inline(__always) public init(_ from: Int, _ matrix: Matrix3) {
    self.from = from
    self.matrix = matrix
  }
}

/// Covariance of a state of `n` blocks of three.
public struct Covariance<let n: Int>: Sendable {
  /// Block rows; only column indices at or right of the row index hold values.
  @usableFromInline var rows: InlineArray<n, InlineArray<n, Matrix3>>

  /// All zeros: a state that is known exactly.
  @inlinable public init() { rows = InlineArray(repeating: InlineArray(repeating: .zero)) }

  /// Covariance of block `i` with block `j`: E[x_i x_jᵀ]. Setting one sets its mirror image.
  @inlinable @inline(__always) public subscript(_ i: Int, _ j: Int) -> Matrix3 {
    get { i <= j ? rows[i][j] : rows[j][i].transpose }
    set {
      if i <= j { rows[i][j] = newValue } else { rows[j][i] = newValue.transpose }
    }
  }

  /// Adds independent noise of these variances to block `i`.
  @inlinable @inline(__always) public mutating func addNoise(_ i: Int, variances v: Vector3) {
    rows[i][i].x.x += v.x
    rows[i][i].y.y += v.y
    rows[i][i].z.z += v.z
  }

  /// Makes block `i` independent of all others, with covariance `own`.
  @inlinable public mutating func isolate(_ i: Int, _ own: Matrix3) {
    for j in 0..<n { self[i, j] = j == i ? own : .zero }
  }

  /// The congruence of x_i ← x_i + Σ m · x_from, all other blocks staying as they are.
  @inlinable @inline(__always)
  public mutating func couple<let k: Int>(_ i: Int, _ links: InlineArray<k, Link>) {
    // d[j] = Σ m P[from][j], with P as it was.
    var d = InlineArray<n, Matrix3>(repeating: .zero)
    for l in 0..<k {
      let from = links[l].from
      let m = links[l].matrix
      for j in 0..<from { d[j] += m * rows[j][from].transpose }
      for j in from..<n { d[j] += m * rows[from][j] }
    }
    var own = rows[i][i] + d[i] + d[i].transpose
    for l in 0..<k { own += d[links[l].from] * links[l].matrix.transpose }
    for j in 0..<i { rows[j][i] += d[j].transpose }
    for j in (i + 1)..<n { rows[i][j] += d[j] }
    rows[i][i] = own.symmetrized
  }

  /// The congruence of x_i ← factors · x_i, component by component.
  @inlinable @inline(__always) public mutating func scale(_ i: Int, by factors: Vector3) {
    for j in 0..<i {
      rows[j][i].x *= factors.x
      rows[j][i].y *= factors.y
      rows[j][i].z *= factors.z
    }
    for j in i..<n {
      rows[i][j].x = rows[i][j].x.scaled(by: factors)
      rows[i][j].y = rows[i][j].y.scaled(by: factors)
      rows[i][j].z = rows[i][j].z.scaled(by: factors)
    }
    rows[i][i].x *= factors.x
    rows[i][i].y *= factors.y
    rows[i][i].z *= factors.z
  }

  /// Covariance of the state with a measurement h = Σ m · x_from, and of h with itself.
  @inlinable @inline(__always)
  public func project<let k: Int>(_ links: InlineArray<k, Link>) -> Projection<n> {
    var p = Projection<n>()
    for l in 0..<k {
      let from = links[l].from
      let mT = links[l].matrix.transpose
      for j in 0..<from { p.cross[j] += rows[j][from] * mT }
      for j in from..<n { p.cross[j] += rows[from][j].transpose * mT }
    }
    for l in 0..<k { p.own += links[l].matrix * p.cross[links[l].from] }
    p.own = p.own.symmetrized
    return p
  }

  /// Conditions the state on a measurement.
  ///
  /// - Parameters:
  ///   - projection: of the measurement's links on this covariance.
  ///   - noise: covariance of the measurement's own error. A measurement of fewer than three components leaves
  ///     rows of its links 0 and puts 1 on the diagonal here.
  ///   - innovation: measured − predicted.
  /// - Returns: the correction to add to the state, or nil, with nothing changed, if the innovation covariance is
  ///   not positive definite.
  @inlinable @inline(__always)
  public mutating func update(
    _ projection: Projection<n>, noise: Matrix3, innovation: Vector3
  ) -> StateVector<n>? {
    guard let whitening = (projection.own + noise).cholesky?.lowerInverse else { return nil }
    let w = whitening * innovation
    let whiteningT = whitening.transpose
    var v = InlineArray<n, Matrix3>(repeating: .zero)
    var correction = StateVector<n>()
    for i in 0..<n {
      v[i] = projection.cross[i] * whiteningT
      correction.blocks[i] = v[i] * w
    }
    for j in 0..<n {
      let vT = v[j].transpose
      for i in 0...j { rows[i][j] -= v[i] * vT }
    }
    return correction
  }
}

/// What ``Covariance/project(_:)`` gives: a measurement seen from the state.
public struct Projection<let n: Int>: Sendable {
  /// P Hᵀ, a 3×3 block a state block.
  public var cross: InlineArray<n, Matrix3>
  /// H P Hᵀ.
  public var own: Matrix3

  @inlinable @inline(__always) init() {
    cross = InlineArray(repeating: .zero)
    own = .zero
  }

  /// Normalized innovation squared νᵀ (H P Hᵀ + R)⁻¹ ν, or nil if that matrix is not positive definite.
  @inlinable @inline(__always)
  public func normalizedInnovationSquared(noise: Matrix3, innovation: Vector3) -> Double? {
    guard let whitening = (own + noise).cholesky?.lowerInverse else { return nil }
    return (whitening * innovation).squaredNorm
  }
}

extension Matrix3 {
  /// The mean of the matrix and its transpose.
  @inlinable @inline(__always) public var symmetrized: Matrix3 {
    let xy = (x.y + y.x) * 0.5
    let xz = (x.z + z.x) * 0.5
    let yz = (y.z + z.y) * 0.5
    return Matrix3(columns: Vector3(x.x, xy, xz), Vector3(xy, y.y, yz), Vector3(xz, yz, z.z))
  }

  /// Inverse of a lower triangular matrix with no 0 on its diagonal.
  @inlinable @inline(__always) public var lowerInverse: Matrix3 {
    let a = 1 / x.x
    let b = 1 / y.y
    let c = 1 / z.z
    let ba = -x.y * a * b
    let cb = -y.z * b * c
    let ca = -(x.z * a + y.z * ba) * c
    return Matrix3(columns: Vector3(a, ba, ca), Vector3(0, b, cb), Vector3(0, 0, c))
  }
}
