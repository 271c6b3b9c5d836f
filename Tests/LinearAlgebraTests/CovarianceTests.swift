import LinearAlgebra
import Testing

/// A plain dense matrix: the oracle for the block kernels.
struct Dense: Equatable {
  var rows: [[Double]]
  init(_ n: Int, _ m: Int) { rows = Array(repeating: Array(repeating: 0, count: m), count: n) }

  static func * (a: Dense, b: Dense) -> Dense {
    var c = Dense(a.rows.count, b.rows[0].count)
    for i in a.rows.indices {
      for j in b.rows[0].indices {
        c.rows[i][j] = b.rows.indices.reduce(0) { $0 + a.rows[i][$1] * b.rows[$1][j] }
      }
    }
    return c
  }
  var transpose: Dense {
    var t = Dense(rows[0].count, rows.count)
    for i in rows.indices { for j in rows[0].indices { t.rows[j][i] = rows[i][j] } }
    return t
  }
  func distance(_ other: Dense) -> Double {
    zip(rows, other.rows).flatMap { zip($0, $1).map { abs($0 - $1) } }.max() ?? 0
  }
  mutating func set(_ i: Int, _ j: Int, _ m: Matrix3) {
    for r in 0..<3 { for c in 0..<3 { rows[3 * i + r][3 * j + c] = m[r, c] } }
  }
  static func identity(_ n: Int) -> Dense {
    var d = Dense(n, n)
    for i in 0..<n { d.rows[i][i] = 1 }
    return d
  }
}

/// A small repeatable generator of numbers in −1 ..< 1.
struct Numbers {
  var state: UInt64
  mutating func next() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(Int64(bitPattern: state) >> 11) / Double(1 << 52)
  }
  mutating func matrix() -> Matrix3 {
    Matrix3(
      columns: Vector3(next(), next(), next()), Vector3(next(), next(), next()),
      Vector3(next(), next(), next()))
  }
}

/// A random positive definite covariance of four blocks, as blocks and dense.
private func sample(_ numbers: inout Numbers) -> (Covariance<4>, Dense) {
  var a = Dense(12, 12)
  for i in 0..<12 { for j in 0..<12 { a.rows[i][j] = numbers.next() } }
  let dense = a * a.transpose
  var p = Covariance<4>()
  for i in 0..<4 {
    for j in i..<4 {
      var m = Matrix3.zero
      for r in 0..<3 { for c in 0..<3 { m[r, c] = dense.rows[3 * i + r][3 * j + c] } }
      p[i, j] = m
    }
  }
  return (p, dense)
}

private func dense(_ p: Covariance<4>) -> Dense {
  var d = Dense(12, 12)
  for i in 0..<4 { for j in 0..<4 { d.set(i, j, p[i, j]) } }
  return d
}

@Test func coupleIsTheCongruenceOfItsDenseMatrix() {
  var numbers = Numbers(state: 1)
  for i in 0..<4 {
    var (p, d) = sample(&numbers)
    let (m, own) = (numbers.matrix(), numbers.matrix() * 0.1)
    let other = (i + 2) % 4
    p.couple(i, [Link(other, m), Link(i, own)])
    var a = Dense.identity(12)
    a.set(i, other, m)
    a.set(i, i, own + .identity)
    #expect(dense(p).distance(a * d * a.transpose) < 1e-12)
  }
}

/// What is left out of a product with a diagonal or a cross product are sums with zeros.
@Test func factorsGiveTheBitsOfTheirMatrices() {
  var numbers = Numbers(state: 6)
  for i in 0..<4 {
    let (start, _) = sample(&numbers)
    let (diagonal, cross, full) = (numbers.matrix().x, numbers.matrix().y, numbers.matrix())
    let column = numbers.matrix().z
    var typed = start
    typed.couple(
      i,
      Term(0, CrossProductMatrix(of: cross)) + Term(1, full) + Term(i, DiagonalMatrix(diagonal))
        + Term(3, ColumnMatrix<2>(column)) + Term(2, LastEntryMatrix(column.x)))
    var plain = start
    plain.couple(
      i,
      [
        Link(0, Matrix3(crossProductOf: cross)), Link(1, full), Link(i, Matrix3(diagonal: diagonal)),
        Link(3, Matrix3(columns: .zero, .zero, column)), Link(2, Matrix3(diagonal: Vector3(0, 0, column.x))),
      ])
    for j in 0..<4 { for k in 0..<4 { #expect(typed[j, k] == plain[j, k]) } }
  }
}

/// A projection on typed terms, of components that a selection moves to the front, is that
/// on the matrices in full.
@Test func projectionsOnTypedTermsAreThoseOnTheirMatrices() throws {
  var numbers = Numbers(state: 8)
  var (start, _) = sample(&numbers)
  let (full, cross, column) = (numbers.matrix(), numbers.matrix().y, numbers.matrix().z)
  let relation =
    Term(0, IdentityMatrix()) + full * (Term(1, IdentityMatrix()) + Term(2, CrossProductMatrix(of: cross)))
    + Term(3, ColumnMatrix<1>(column))
  let selection = Matrix3(rows: Vector3(0, 1, 0), Vector3(0, 0, 1), .zero)
  let typed = start.project(relation, selecting: RowSelection.all.withoutFirst)
  let plain = start.project([
    Link(0, selection), Link(1, selection * full), Link(2, selection * full * Matrix3(crossProductOf: cross)),
    Link(3, selection * Matrix3(columns: .zero, column, .zero)),
  ])
  let noise = Matrix3(diagonal: Vector3(0.5, 0.25, 1))
  let innovation = Vector3(0.3, -0.2, 0)
  var (a, b) = (start, start)
  let first = a.update(typed, noise: noise, innovation: innovation)
  let second = b.update(plain, noise: noise, innovation: innovation)
  let (one, other) = (try #require(first), try #require(second))
  #expect(dense(a).distance(dense(b)) < 1e-12)
  for i in 0..<4 {
    #expect((one[i] - other[i]).norm < 1e-12)
    let gain = typed.gain(i, whitening: .identity) - plain.gain(i, whitening: .identity)
    #expect(max(gain.x.norm, gain.y.norm, gain.z.norm) < 1e-12)
  }
}

/// Leaving the components out that are not measured is the same as measuring them with rows of zeros.
@Test(arguments: [1, 2]) func anUpdateOfItsFirstComponentsIsTheWholeUpdate(dimension: Int) throws {
  var numbers = Numbers(state: 7)
  var (start, _) = sample(&numbers)
  let rows = Matrix3(diagonal: Vector3(1, dimension > 1 ? 1 : 0, 0))
  let projection = start.project([Link(1, rows * numbers.matrix()), Link(3, rows * numbers.matrix())])
  let noise = Matrix3(diagonal: Vector3(0.5, dimension > 1 ? 0.3 : 1, 1))
  let innovation = rows * Vector3(0.3, -0.4, 9)
  var (whole, part) = (start, start)
  let result = whole.update(projection, noise: noise, innovation: innovation)
  let expected = try #require(result)
  let whitening = try #require(projection.whitening(noise: noise))
  var whitened = projection
  let correction = part.update(
    &whitened, whitening: whitening, innovation: whitening * innovation, dimension: dimension)
  for i in 0..<4 {
    #expect(correction[i] == expected[i])
    for j in 0..<4 { #expect(part[i, j] == whole[i, j]) }
  }
}

@Test func scaleIsTheCongruenceOfADiagonalMatrix() {
  var numbers = Numbers(state: 2)
  var (p, d) = sample(&numbers)
  p.scale(1, by: Vector3(0.5, 2, -1))
  var a = Dense.identity(12)
  a.set(1, 1, Matrix3(diagonal: Vector3(0.5, 2, -1)))
  #expect(dense(p).distance(a * d * a.transpose) < 1e-12)
}

@Test func updateIsTheJosephFormOfTheDenseFilter() throws {
  var numbers = Numbers(state: 3)
  for _ in 0..<20 {
    var (p, d) = sample(&numbers)
    let (m0, m2) = (numbers.matrix(), numbers.matrix())
    let noise = Matrix3(diagonal: Vector3(0.3, 0.2, 0.1))
    let innovation = Vector3(0.4, -0.2, 0.7)
    let result = p.update(p.project([Link(0, m0), Link(2, m2)]), noise: noise, innovation: innovation)
    let correction = try #require(result)

    var h = Dense(3, 12)
    h.set(0, 0, m0)
    h.set(0, 2, m2)
    var r = Dense(3, 3)
    r.set(0, 0, noise)
    var s = h * d * h.transpose
    for i in 0..<3 { for j in 0..<3 { s.rows[i][j] += r.rows[i][j] } }
    var s3 = Matrix3.zero
    for i in 0..<3 { for j in 0..<3 { s3[i, j] = s.rows[i][j] } }
    var inverse = Dense(3, 3)
    inverse.set(0, 0, try #require(s3.inverse))
    let gain = d * h.transpose * inverse
    var a = Dense.identity(12)
    let gh = gain * h
    for i in 0..<12 { for j in 0..<12 { a.rows[i][j] -= gh.rows[i][j] } }
    var joseph = a * d * a.transpose
    let grg = gain * r * gain.transpose
    for i in 0..<12 { for j in 0..<12 { joseph.rows[i][j] += grg.rows[i][j] } }
    #expect(dense(p).distance(joseph) < 1e-10)
    for i in 0..<12 {
      let expected =
        gain.rows[i][0] * innovation.x + gain.rows[i][1] * innovation.y + gain.rows[i][2] * innovation.z
      #expect(abs(correction[i / 3][i % 3] - expected) < 1e-10)
    }
  }
}

@Test func rowsLeftOutOfAMeasurementChangeNothing() throws {
  var numbers = Numbers(state: 4)
  let (start, _) = sample(&numbers)
  var two = start
  let row = Matrix3(rows: Vector3(1, 0, 0), .zero, .zero)
  let noise = Matrix3(diagonal: Vector3(0.5, 1, 1))
  let result = two.update(two.project([Link(1, row)]), noise: noise, innovation: Vector3(1, 9, 9))
  let correction = try #require(result)
  let variance = start[1, 1].x.x
  #expect(abs(two[1, 1].x.x - variance * 0.5 / (variance + 0.5)) < 1e-12)
  #expect(abs(correction[1].x - variance / (variance + 0.5)) < 1e-12)
}

@Test func anInnovationCovarianceThatIsNotPositiveIsRefused() {
  var p = Covariance<4>()
  let projection = p.project([Link(0, .identity)])
  #expect(p.update(projection, noise: .zero, innovation: .zero) == nil)
  #expect(projection.normalizedInnovationSquared(noise: Matrix3(scalar: -1), innovation: .zero) == nil)
}

@Test func covarianceStaysSymmetricAndPositiveOverALongRandomRun() throws {
  var numbers = Numbers(state: 5)
  var (p, _) = sample(&numbers)
  for step in 0..<20_000 {
    p.couple(0, [Link(1, .identity * 0.01)])
    p.couple(1, [Link(2, numbers.matrix() * 0.01)])
    p.addNoise(2, variances: Vector3(repeating: 1e-6))
    if step % 10 == 0 {
      let used = p.update(p.project([Link(0, .identity)]), noise: .identity * 1e-4, innovation: .zero)
      #expect(used != nil)
    }
  }
  for i in 0..<4 {
    #expect(p[i, i].cholesky != nil)
    #expect(p[i, i] == p[i, i].transpose || (p[i, i] - p[i, i].transpose).x.norm < 1e-18)
  }
}
