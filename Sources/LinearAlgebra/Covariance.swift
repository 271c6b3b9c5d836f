// P is held in full, column by column in groups of four rows: what a relation does to it is the same for all
// rows of its columns, and four doubles are one or two vectors of any processor. Rows and columns that a step
// changes are written twice, so that P is symmetric to the last bit. A prediction is a sequence of
// congruences, one state row at a time; an update whitens the innovation by the Cholesky factor L of its
// covariance and subtracts V Vᵀ.

/// Covariance of a state of `n` blocks of three.
public struct Covariance<let n: Int>: Sendable {
  /// columns[j][k][g] holds rows 4g to 4g + 3 of P's column 3j + k. Of the n groups the first 3n / 4 are
  /// used, rounded up; the rows that the last one has too many are 0.
  @usableFromInline var columns: InlineArray<n, InlineArray<3, InlineArray<n, SIMD4<Double>>>>

  /// All zeros: a state that is known exactly.
  @inlinable public init() {
    columns = InlineArray(repeating: InlineArray(repeating: InlineArray(repeating: .zero)))
  }

  /// Covariance of block `i` with block `j`: E[x_i x_jᵀ]. Setting one sets its mirror image.
  @inlinable @inline(__always) public subscript(_ i: Int, _ j: Int) -> Matrix3 {
    get {
      // Through a span: to index an array that is read through a borrow would copy it.
      columns.span.withUnsafeBufferPointer { columns in
        guard let base = columns.baseAddress else { preconditionFailure("a state of no blocks") }
        return CovarianceColumns<n>.block(i, j, of: UnsafeRawPointer(base))
      }
    }
    set {
      set(i, j, newValue)
      if i != j { set(j, i, newValue.transpose) }
    }
  }

  /// Adds independent noise of these variances to block `i`.
  @inlinable @inline(__always) public mutating func addNoise(_ i: Int, variances v: Vector3) {
    columns[i][0][(3 * i) >> 2][3 * i & 3] += v.x
    columns[i][1][(3 * i + 1) >> 2][(3 * i + 1) & 3] += v.y
    columns[i][2][(3 * i + 2) >> 2][(3 * i + 2) & 3] += v.z
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
    // First the columns, P Aᵀ, then the rows, A P Aᵀ: of those only block i is not the
    // mirror image of a column.
    withColumns { p in
      for g in 0..<CovarianceColumns<n>.groups {
        p.set(g, i, p.rows(g, i) + relation.covariance { p.rows(g, $0) })
      }
      var own = p.block(i, i)
      relation.addProducts({ p.block($0, i) }, to: &own)
      p.mirror(i)
      p.setOwn(i, own.symmetrized)
    }
  }

  /// The congruence of x_i ← factors · x_i, component by component.
  @inlinable public mutating func scale(_ i: Int, by factors: Vector3) {
    let scaling = DiagonalMatrix(factors)
    withColumns { p in
      for g in 0..<CovarianceColumns<n>.groups { p.set(g, i, scaling.transposedAfter(p.rows(g, i))) }
      let own = p.block(i, i)
      p.mirror(i)
      p.setOwn(i, scaling.times(own).transpose)
    }
  }

  /// Covariance of the state with a measurement h = `relation`, of which `selection` tells the components
  /// that are measured, and of h with itself.
  ///
  /// Nothing changes; but what is not `mutating` is copied before it is indexed.
  @inlinable @inline(__always)
  public mutating func project(
    _ relation: some Relation, selecting selection: RowSelection = .all
  ) -> Projection<n> {
    var projection = Projection<n>()
    project(relation, selecting: selection, to: &projection)
    return projection
  }

  /// The same in place.
  @inlinable @inline(__always)
  public mutating func project(
    _ relation: some Relation, selecting selection: RowSelection = .all, to projection: inout Projection<n>
  ) {
    var own = Matrix3.zero
    projection.withRows { rows in
      withColumns { p in
        for g in 0..<CovarianceColumns<n>.groups { rows[g] = relation.covariance { p.rows(g, $0) } }
      }
      if selection != .all {
        for g in 0..<CovarianceColumns<n>.groups { rows[g] = selection.moved(rows[g]) }
      }
      let block = UnsafePointer(rows)
      relation.addProducts({ block.block($0) }, to: &own)
    }
    if selection != .all { own = selection.moved(own) }
    projection.own = own.symmetrized
  }

  /// The same with full matrices.
  @inlinable @inline(__always)
  public mutating func project<let k: Int>(_ links: InlineArray<k, Link>) -> Projection<n> {
    project(links, selecting: .all)
  }

  /// Covariance of a measurement h = `relation` with itself: of few terms, where the
  /// state's with it is not needed.
  @inlinable @inline(__always) public func own(of relation: some Relation) -> Matrix3 {
    columns.span.withUnsafeBufferPointer { columns in
      guard let base = columns.baseAddress else { preconditionFailure("a state of no blocks") }
      var own = Matrix3.zero
      relation.forEachLink { a in
        relation.forEachLink { b in
          let block = CovarianceColumns<n>.block(a.from, b.from, of: UnsafeRawPointer(base))
          own += a.matrix * block * b.matrix.transpose
        }
      }
      return own.symmetrized
    }
  }

  /// Conditions the state on a measurement.
  ///
  /// - Parameters:
  ///   - projection: of the measurement's links on this covariance.
  ///   - noise: covariance of the measurement's own error. A measurement of fewer than three components
  ///     leaves rows of its links 0 and puts 1 on the diagonal here.
  ///   - innovation: measured − predicted.
  /// - Returns: the correction to add to the state, or nil, with nothing changed, if the innovation
  ///   covariance is not positive definite.
  @inlinable @inline(__always)
  public mutating func update(
    _ projection: Projection<n>, noise: Matrix3, innovation: Vector3
  ) -> StateVector<n>? {
    guard let whitening = projection.whitening(noise: noise) else { return nil }
    var projection = projection
    return update(&projection, whitening: whitening, innovation: whitening * innovation, dimension: 3)
  }

  /// Conditions the state on a measurement of which the first `dimension` components are measured.
  ///
  /// - Parameters:
  ///   - projection: of the measurement; becomes that of the whitened one.
  ///   - whitening: of the innovation: lower triangular.
  ///   - w: the whitened innovation.
  /// - Returns: the correction to add to the state.
  @inlinable @inline(__always)
  public mutating func update(
    _ projection: inout Projection<n>, whitening: Matrix3, innovation w: Vector3, dimension: Int
  ) -> StateVector<n> {
    var correction = StateVector<n>()
    projection.withRows { v in
      withColumns { p in
        // Of one function for any number of components the compiler would make loops over them.
        switch dimension {
        case 1:
          for g in 0..<CovarianceColumns<n>.groups {
            v[g].x = v[g].x * whitening.x.x
            correction.groups[g] = v[g].x * w.x
          }
          p.subtractSquare(of: v, rank: 1)
        case 2:
          for g in 0..<CovarianceColumns<n>.groups {
            v[g].y = v[g].x * whitening.x.y + v[g].y * whitening.y.y
            v[g].x = v[g].x * whitening.x.x
            correction.groups[g] = v[g].x * w.x + v[g].y * w.y
          }
          p.subtractSquare(of: v, rank: 2)
        default:
          for g in 0..<CovarianceColumns<n>.groups {
            v[g].z = v[g].x * whitening.x.z + v[g].y * whitening.y.z + v[g].z * whitening.z.z
            v[g].y = v[g].x * whitening.x.y + v[g].y * whitening.y.y
            v[g].x = v[g].x * whitening.x.x
            correction.groups[g] = v[g].x * w.x + v[g].y * w.y + v[g].z * w.z
          }
          p.subtractSquare(of: v, rank: 3)
        }
      }
    }
    return correction
  }

  /// Block `i`, `j` alone, without its mirror image.
  @inlinable @inline(__always) mutating func set(_ i: Int, _ j: Int, _ block: Matrix3) {
    withColumns { p in
      p.put(i, 3 * j, block.x.x, block.x.y, block.x.z)
      p.put(i, 3 * j + 1, block.y.x, block.y.y, block.y.z)
      p.put(i, 3 * j + 2, block.z.x, block.z.y, block.z.z)
    }
  }

  @inlinable @inline(__always)
  mutating func withColumns<R>(_ body: (CovarianceColumns<n>) -> R) -> R {
    withUnsafeMutablePointer(to: &columns) {
      body(CovarianceColumns(UnsafeMutableRawPointer($0).assumingMemoryBound(to: SIMD4<Double>.self)))
    }
  }
}

/// What ``Covariance/project(_:)`` gives: a measurement seen from the state.
public struct Projection<let n: Int>: Sendable {
  /// P Hᵀ of the components that are measured in groups of four rows, as many as ``Covariance`` has.
  @usableFromInline var rows: InlineArray<n, FourRows>
  /// H P Hᵀ of those.
  public var own = Matrix3.zero

  /// That of nothing.
  @inlinable @inline(__always) public init() { rows = InlineArray(repeating: .zero) }

  /// The block of P Hᵀ for state block `i`, whitened by what ``whitening(noise:)`` gives.
  public func gain(_ i: Int, whitening: Matrix3) -> Matrix3 {
    let block = rows.span.withUnsafeBufferPointer { $0.baseAddress.map { $0.block(i) } ?? .zero }
    return block * whitening.transpose
  }

  @inlinable @inline(__always)
  mutating func withRows<R>(_ body: (UnsafeMutablePointer<FourRows>) -> R) -> R {
    withUnsafeMutablePointer(to: &rows) {
      body(UnsafeMutableRawPointer($0).assumingMemoryBound(to: FourRows.self))
    }
  }

  /// L⁻¹ with L Lᵀ = H P Hᵀ + R, or nil if that matrix is not positive definite.
  @inlinable @inline(__always) public func whitening(noise: Matrix3) -> Matrix3? {
    (own + noise).cholesky?.lowerInverse
  }

  /// Subtracts what an innovation corrects where projection and innovation are of a whitened measurement, of
  /// which the first `dimension` components are measured.
  @inlinable @inline(__always)
  public mutating func subtractCorrection(_ w: Vector3, dimension: Int, from state: inout StateVector<n>) {
    let factors = -w
    withRows { rows in
      if dimension < 3 {
        for g in 0..<CovarianceColumns<n>.groups {
          state.groups[g] += rows[g].x * factors.x + rows[g].y * factors.y
        }
      } else {
        for g in 0..<CovarianceColumns<n>.groups {
          state.groups[g] += rows[g].x * factors.x + rows[g].y * factors.y + rows[g].z * factors.z
        }
      }
    }
  }

  /// Normalized innovation squared νᵀ (H P Hᵀ + R)⁻¹ ν, or nil if that matrix
  /// is not positive definite.
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
