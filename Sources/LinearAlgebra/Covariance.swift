// P is held as 3×3 blocks, lower block triangle only, so that it is symmetric by construction (the diagonal blocks are
// written symmetric too): block column i holds the covariances of the blocks j ≥ i with block i, and what a relation does
// to them multiplies from the right, by entries that are the same for the whole column. A prediction is a sequence of
// congruences, one state row at a time; an update whitens the innovation by the Cholesky factor L of its covariance and
// subtracts V Vᵀ.

/// Covariance of a state of `n` blocks of three.
public struct Covariance<let n: Int>: Sendable {
  /// columns[i][j] = P[j][i] for j ≥ i; the others hold nothing.
  @usableFromInline var columns: InlineArray<n, InlineArray<n, Matrix3>>

  /// All zeros: a state that is known exactly.
  @inlinable public init() { columns = InlineArray(repeating: InlineArray(repeating: .zero)) }

  /// Covariance of block `i` with block `j`: E[x_i x_jᵀ]. Setting one sets its mirror image.
  @inlinable @inline(__always) public subscript(_ i: Int, _ j: Int) -> Matrix3 {
    get { i >= j ? columns[j][i] : columns[i][j].transpose }
    set {
      if i >= j { columns[j][i] = newValue } else { columns[i][j] = newValue.transpose }
    }
  }

  /// Adds independent noise of these variances to block `i`.
  @inlinable @inline(__always) public mutating func addNoise(_ i: Int, variances v: Vector3) {
    columns[i][i].x.x += v.x
    columns[i][i].y.y += v.y
    columns[i][i].z.z += v.z
  }

  /// Makes block `i` independent of all others, with covariance `own`.
  @inlinable public mutating func isolate(_ i: Int, _ own: Matrix3) {
    for j in 0..<n { self[i, j] = j == i ? own : .zero }
  }

  /// The congruence of x_i ← x_i + `relation`, all other blocks staying as they are.
  @inlinable @inline(__always)
  public mutating func couple(_ i: Int, _ relation: some Relation) { addToRow(i, relation) }

  /// The same with full matrices.
  @inlinable @inline(__always)
  public mutating func couple<let k: Int>(_ i: Int, _ links: InlineArray<k, Link>) { addToRow(i, links) }

  @inlinable @inline(__always)
  mutating func addToRow(_ i: Int, _ relation: some Relation) {
    // d[j] = P[j][from] mᵀ summed over the terms, with P as it was. No block but those of row i changes, and each is read
    // for the last time just before it does. (An array would be filled with zeros first.)
    withUnsafeTemporaryAllocation(of: Matrix3.self, capacity: n) { d in
      d[i] = relation.covariance { self[i, $0] }
      for j in 0..<i {
        d[j] = relation.covariance { self[j, $0] }
        columns[j][i] += d[j].transpose
      }
      for j in (i + 1)..<n {
        d[j] = relation.covariance { self[j, $0] }
        columns[i][j] += d[j]
      }
      var own = columns[i][i] + d[i] + d[i].transpose
      relation.addProducts({ d[$0] }, to: &own)
      columns[i][i] = own.symmetrized
    }
  }

  /// The congruence of x_i ← factors · x_i, component by component.
  @inlinable @inline(__always) public mutating func scale(_ i: Int, by factors: Vector3) {
    let scaling = DiagonalMatrix(factors)
    for j in 0..<i { self[j, i] = scaling.transposedAfter(self[j, i]) }
    for j in i..<n { columns[i][j] = scaling.transposedAfter(columns[i][j]) }
    columns[i][i] = scaling.transposedAfter(columns[i][i].transpose)
  }

  /// Covariance of the state with a measurement h = Σ m · x_from, and of h with itself.
  @inlinable @inline(__always)
  public func project<let k: Int>(_ links: InlineArray<k, Link>) -> Projection<n> {
    var p = Projection<n>()
    for j in 0..<n { p.cross[j] = links.covariance { self[j, $0] } }
    links.addProducts({ p.cross[$0] }, to: &p.own)
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
    guard let whitening = projection.whitening(noise: noise) else { return nil }
    return update(projection, whitening: whitening, innovation: innovation, dimension: 3)
  }

  /// Conditions the state on a measurement of which the first `dimension` components are measured.
  ///
  /// - Parameter whitening: of the innovation.
  /// - Returns: the correction to add to the state.
  @inlinable @inline(__always)
  public mutating func update(
    _ projection: Projection<n>, whitening: Matrix3, innovation: Vector3, dimension: Int
  ) -> StateVector<n> {
    let w = whitening * innovation
    var v = projection.cross
    var correction = StateVector<n>()
    for i in 0..<n {
      v[i] = whitening.transposedAfter(v[i])
      correction.blocks[i] = v[i] * w
    }
    for i in 0..<n {
      let vi = v[i]
      if dimension < 3 {
        for j in i..<n { columns[i][j] -= vi.firstColumnsTransposed(after: v[j]) }
      } else {
        for j in i..<n { columns[i][j] -= vi.transposedAfter(v[j]) }
      }
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

  /// L⁻¹ with L Lᵀ = H P Hᵀ + R, or nil if that matrix is not positive definite.
  @inlinable @inline(__always) public func whitening(noise: Matrix3) -> Matrix3? {
    (own + noise).cholesky?.lowerInverse
  }

  /// Normalized innovation squared νᵀ (H P Hᵀ + R)⁻¹ ν, or nil if that matrix is not positive definite.
  @inlinable @inline(__always)
  public func normalizedInnovationSquared(noise: Matrix3, innovation: Vector3) -> Double? {
    whitening(noise: noise).map { ($0 * innovation).squaredNorm }
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
