import LinearAlgebra
import Testing

/// A random positive definite covariance of any number of blocks.
private func random<let n: Int>(_ zero: Covariance<n>, _ numbers: inout Numbers) -> Covariance<n> {
  var p = zero
  for i in 0..<n { p[i, i] = .identity }
  for i in 0..<n { for j in 0..<n where j != i { p.couple(i, [Link(j, numbers.matrix() * 0.3)]) } }
  return p
}

private func check<let n: Int>(_ zero: Covariance<n>, seed: UInt64) throws {
  var numbers = Numbers(state: seed)
  let start = random(zero, &numbers)
  for dimension in 1...3 {
    var p = start
    let rows = Matrix3(diagonal: Vector3(1, dimension > 1 ? 1 : 0, dimension > 2 ? 1 : 0))
    var projection = p.project([Link(0, rows * numbers.matrix()), Link(n - 1, rows * numbers.matrix())])
    let noise = Matrix3(diagonal: Vector3(0.5, dimension > 1 ? 0.3 : 1, dimension > 2 ? 0.4 : 1))
    let innovation = rows * Vector3(0.3, -0.4, 0.7)
    let whitening = try #require(projection.whitening(noise: noise))
    let plain = projection
    let correction = p.update(
      &projection, whitening: whitening, innovation: whitening * innovation, dimension: dimension)
    var rest = correction
    projection.subtractCorrection(whitening * innovation, dimension: dimension, from: &rest)
    for i in 0..<n {
      let gain = plain.gain(i, whitening: whitening)
      #expect((correction[i] - gain * (whitening * innovation)).norm < 1e-12)
      #expect(rest[i].norm < 1e-14)
      for j in 0..<n {
        let off = p[i, j] - (start[i, j] - gain * plain.gain(j, whitening: whitening).transpose)
        #expect(max(off.x.norm, off.y.norm, off.z.norm) < 1e-12, "block \(i), \(j) of \(n)")
        #expect(p[i, j] == p[j, i].transpose)
      }
    }
  }
}

/// The last rows of P fill a group of four, or one, two or three rows of it.
@Test func anUpdateOfAnyNumberOfBlocksSubtractsTheSquareOfTheGain() throws {
  try check(Covariance<3>(), seed: 1)
  try check(Covariance<4>(), seed: 2)
  try check(Covariance<5>(), seed: 3)
  try check(Covariance<6>(), seed: 4)
  try check(Covariance<7>(), seed: 5)
  try check(Covariance<10>(), seed: 6)
}

@Test func theCovarianceOfARelationWithItselfIsThatOfItsProjection() {
  var numbers = Numbers(state: 9)
  var p = random(Covariance<4>(), &numbers)
  let relation =
    Term(0, FirstRowMatrix(numbers.matrix().x)) + Term(2, FirstRowMatrix(numbers.matrix().y))
    + numbers.matrix() * Term(3, CrossProductMatrix(of: numbers.matrix().z))
  let off = p.own(of: relation) - p.project(relation).own
  #expect(max(off.x.norm, off.y.norm, off.z.norm) < 1e-14)
}

/// What leaves the zeros of a matrix out gives what the matrix in full does.
@Test func aMatrixOfTwoRowsIsTheMatrixInFull() {
  func check(_ factor: some Factor, _ numbers: inout Numbers) {
    let (block, full) = (numbers.matrix(), factor.matrix)
    #expect(factor.times(block) == full * block)
    #expect(factor.times(block.x) == full * block.x)
    let rows = FourRows(block.x.lanes, block.y.lanes, block.z.lanes)
    let (product, expected) = (factor.transposedAfter(rows), full.transposedAfter(rows))
    #expect(product.x == expected.x && product.y == expected.y && product.z == expected.z)
    #expect(full.x.z == 0 && full.y.z == 0 && full.z.z == 0)
  }
  var numbers = Numbers(state: 11)
  let (a, b) = (numbers.matrix(), numbers.matrix())
  let (first, second) = (Vector3(a.x.x, a.x.y, 0), Vector3(a.y.x, a.y.y, 0))
  check(TwoRowMatrix(rows: b.x, b.y), &numbers)
  check(TwoByTwoMatrix(columns: first, second), &numbers)
  check(TwoEntryRowsMatrix(first, b.z.x, b.z.y), &numbers)
  check(MatrixOrNothing(Matrix3(columns: first, second, first)), &numbers)
  check(MatrixOrNothing(nil), &numbers)
}

@Test func theValueOfARelationIsTheSumOfItsProducts() {
  var numbers = Numbers(state: 10)
  var state = StateVector<4>()
  for i in 0..<4 { state[i] = numbers.matrix().x }
  let relation =
    Term(0, IdentityMatrix()) + Term(1, FirstRowMatrix(numbers.matrix().x))
    + numbers.matrix() * (Term(2, CrossProductMatrix(of: numbers.matrix().x)) + Term(3, numbers.matrix()))
    + Term(1, DiagonalMatrix(numbers.matrix().y)) + Term(2, ColumnMatrix<1>(numbers.matrix().z))
    + Term(3, LastEntryMatrix(0.3))
  var sum = Vector3.zero
  relation.forEachLink { sum += $0.matrix * state[$0.from] }
  #expect((state.value(of: relation) - sum).norm < 1e-14)
}

@Test func selectedComponentsMoveToTheFront() {
  let v = Vector3(1, 2, 3)
  #expect(RowSelection.all.moved(v) == v)
  #expect(RowSelection.all.keeping(first: 2).moved(v) == Vector3(1, 2, 0))
  #expect(RowSelection.all.withoutFirst.moved(v) == Vector3(2, 3, 0))
  #expect(RowSelection.all.withoutFirst.withoutFirst.moved(v) == Vector3(3, 0, 0))
  #expect(RowSelection.all.withoutFirst.keeping(first: 1).moved(v) == Vector3(2, 0, 0))
  #expect(RowSelection.all.keeping(first: 1).moved(.identity) == Matrix3(diagonal: Vector3(1, 0, 0)))
}
