import LinearAlgebra

// The kernels of LinearAlgebra in single precision, for the comparison only.

private struct FloatMatrix {
  var x = SIMD4<Float>.zero
  var y = SIMD4<Float>.zero
  var z = SIMD4<Float>.zero

  @inline(__always) init() {}
  @inline(__always) init(_ m: Matrix3) {
    (x, y, z) = (SIMD4(m.x.lanes), SIMD4(m.y.lanes), SIMD4(m.z.lanes))
  }
  @inline(__always) var transpose: FloatMatrix {
    var t = FloatMatrix()
    t.x = SIMD4(x.x, y.x, z.x, 0)
    t.y = SIMD4(x.y, y.y, z.y, 0)
    t.z = SIMD4(x.z, y.z, z.z, 0)
    return t
  }
  @inline(__always) static func * (m: FloatMatrix, v: SIMD4<Float>) -> SIMD4<Float> {
    m.x * v.x + m.y * v.y + m.z * v.z
  }
  @inline(__always) static func * (a: FloatMatrix, b: FloatMatrix) -> FloatMatrix {
    var c = FloatMatrix()
    (c.x, c.y, c.z) = (a * b.x, a * b.y, a * b.z)
    return c
  }
  @inline(__always) static func += (a: inout FloatMatrix, b: FloatMatrix) {
    a.x += b.x
    a.y += b.y
    a.z += b.z
  }
  @inline(__always) static func -= (a: inout FloatMatrix, b: FloatMatrix) {
    a.x -= b.x
    a.y -= b.y
    a.z -= b.z
  }
  @inline(__always) mutating func symmetrize() {
    let t = transpose
    (x, y, z) = ((x + t.x) * 0.5, (y + t.y) * 0.5, (z + t.z) * 0.5)
  }
  @inline(__always) mutating func addDiagonal(_ v: Vector3) {
    x.x += Float(v.x)
    y.y += Float(v.y)
    z.z += Float(v.z)
  }
  /// Inverse of the lower Cholesky factor.
  @inline(__always) var whitening: FloatMatrix {
    let l00 = x.x.squareRoot()
    let l10 = x.y / l00
    let l20 = x.z / l00
    let l11 = (y.y - l10 * l10).squareRoot()
    let l21 = (y.z - l20 * l10) / l11
    let l22 = (z.z - l20 * l20 - l21 * l21).squareRoot()
    let (i0, i1, i2) = (1 / l00, 1 / l11, 1 / l22)
    var w = FloatMatrix()
    w.x = SIMD4(i0, -l10 * i0 * i1, (l10 * l21 * i1 - l20) * i0 * i2, 0)
    w.y = SIMD4(0, i1, -l21 * i1 * i2, 0)
    w.z = SIMD4(0, 0, i2, 0)
    return w
  }
}

/// `BlockFilter` in single precision.
struct FloatFilter {
  private typealias Links<let k: Int> = InlineArray<k, (from: Int, m: FloatMatrix)>
  private var rows = InlineArray<7, InlineArray<7, FloatMatrix>>(
    repeating: InlineArray(repeating: FloatMatrix()))

  /// With 21 × 21 numbers, column by column.
  init(_ numbers: [Double]) {
    func vector(_ row: Int, _ column: Int) -> Vector3 {
      let at = 21 * column + row
      return Vector3(numbers[at], numbers[at + 1], numbers[at + 2])
    }
    for i in 0..<7 {
      for j in i..<7 {
        rows[i][j] = FloatMatrix(
          Matrix3(columns: vector(3 * i, 3 * j), vector(3 * i, 3 * j + 1), vector(3 * i, 3 * j + 2)))
      }
    }
  }

  /// 21 × 21 numbers, column by column.
  var covariance: [Double] {
    (0..<441).map { index in
      let (row, column) = (min(index % 21, index / 21), max(index % 21, index / 21))
      let block = rows[row / 3][column / 3]
      let lanes = column % 3 == 0 ? block.x : column % 3 == 1 ? block.y : block.z
      return Double(lanes[row % 3])
    }
  }

  mutating func predict(_ t: PeerInputs.Transition) {
    couple(0, [(1, FloatMatrix(Matrix3(scalar: t.dt)))])
    couple(
      1,
      [
        (2, FloatMatrix(t.forceCross)), (4, FloatMatrix(t.forceFromBias)), (6, FloatMatrix(t.forceFromScale)),
        (1, FloatMatrix(t.coriolis)), (0, FloatMatrix(Matrix3(diagonal: t.gravityGradient))),
      ])
    couple(
      2,
      [(3, FloatMatrix(t.rateFromBias)), (5, FloatMatrix(t.rateFromScale)), (2, FloatMatrix(t.frameRate))])
    for block in 0..<6 { rows[block + 1][block + 1].addDiagonal(t.noise[block]) }
  }

  mutating func update(_ fix: PeerInputs.Fix) {
    update(0, fix.positionFromAttitude, fix.positionNoise)
    update(1, fix.velocityFromAttitude, fix.velocityNoise)
  }

  @inline(__always) private mutating func couple<let k: Int>(_ i: Int, _ links: Links<k>) {
    var d = InlineArray<7, FloatMatrix>(repeating: FloatMatrix())
    for l in 0..<k {
      let (from, m) = links[l]
      for j in 0..<from { d[j] += m * rows[j][from].transpose }
      for j in from..<7 { d[j] += m * rows[from][j] }
    }
    var own = rows[i][i]
    own += d[i]
    own += d[i].transpose
    for l in 0..<k { own += d[links[l].from] * links[l].m.transpose }
    for j in 0..<i { rows[j][i] += d[j].transpose }
    for j in (i + 1)..<7 { rows[i][j] += d[j] }
    own.symmetrize()
    rows[i][i] = own
  }

  @inline(__always) private mutating func update(_ measured: Int, _ fromAttitude: Matrix3, _ noise: Vector3) {
    let m = FloatMatrix(fromAttitude)
    let mT = m.transpose
    var cross = InlineArray<7, FloatMatrix>(repeating: FloatMatrix())
    for j in 0..<7 {
      cross[j] = j <= measured ? rows[j][measured] : rows[measured][j].transpose
      cross[j] += (j <= 2 ? rows[j][2] : rows[2][j].transpose) * mT
    }
    var own = cross[measured]
    own += m * cross[2]
    own.addDiagonal(noise)
    own.symmetrize()
    let whiteningT = own.whitening.transpose
    for j in 0..<7 { cross[j] = cross[j] * whiteningT }
    for j in 0..<7 {
      let vT = cross[j].transpose
      for i in 0...j { rows[i][j] -= cross[i] * vT }
    }
  }
}
