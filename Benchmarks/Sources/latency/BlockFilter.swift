import LinearAlgebra

/// The covariance of 21 states on our own kernels, as the engine uses them.
struct BlockFilter {
  private var p = Covariance<7>()

  init(diagonal variances: InlineArray<7, Double>) {
    for block in 0..<7 { p.isolate(block, Matrix3(scalar: variances[block])) }
  }

  /// With 21 × 21 numbers, column by column.
  init(_ numbers: [Double]) {
    func vector(_ row: Int, _ column: Int) -> Vector3 {
      let at = 21 * column + row
      return Vector3(numbers[at], numbers[at + 1], numbers[at + 2])
    }
    for i in 0..<7 {
      for j in i..<7 {
        p[i, j] = Matrix3(
          columns: vector(3 * i, 3 * j), vector(3 * i, 3 * j + 1), vector(3 * i, 3 * j + 2))
      }
    }
  }

  /// 21 × 21 numbers, column by column.
  var covariance: [Double] {
    (0..<441).map { index in
      let (row, column) = (index % 21, index / 21)
      return p[row / 3, column / 3][row % 3, column % 3]
    }
  }

  mutating func predict(_ t: PeerInputs.Transition) {
    p.couple(0, [Link(1, Matrix3(scalar: t.dt))])
    p.couple(
      1,
      [
        Link(2, t.forceCross), Link(4, t.forceFromBias), Link(6, t.forceFromScale), Link(1, t.coriolis),
        Link(0, Matrix3(diagonal: t.gravityGradient)),
      ])
    p.couple(2, [Link(3, t.rateFromBias), Link(5, t.rateFromScale), Link(2, t.frameRate)])
    for block in 0..<6 { p.addNoise(block + 1, variances: t.noise[block]) }
  }

  /// Position first, then velocity: the same as both at once, since their errors are independent.
  mutating func update(_ fix: PeerInputs.Fix) -> StateVector<7> {
    let position = p.project([Link(0, .identity), Link(2, fix.positionFromAttitude)])
    guard
      let first = p.update(
        position, noise: Matrix3(diagonal: fix.positionNoise), innovation: fix.positionInnovation)
    else { preconditionFailure("the covariance of the innovation is not positive definite") }
    let velocity = p.project([Link(1, .identity), Link(2, fix.velocityFromAttitude)])
    let innovation = fix.velocityInnovation - first[1] - fix.velocityFromAttitude * first[2]
    guard
      var both = p.update(velocity, noise: Matrix3(diagonal: fix.velocityNoise), innovation: innovation)
    else { preconditionFailure("the covariance of the innovation is not positive definite") }
    for block in 0..<7 { both[block] += first[block] }
    return both
  }
}
