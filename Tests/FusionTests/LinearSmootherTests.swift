import Fusion
import Simulation
import Testing

/// A linear system with steps of every kind that the filter knows, filtered by blocks and recorded, and
/// beside it the joint normal distribution of the states at all times.
private struct LinearRun {
  private static let n = States.dimension
  private var random: RandomSource
  private var mean = ErrorState()
  private var covariance = ErrorCovariance()
  private(set) var history = RecordedHistory()
  /// Estimates at the times of the points.
  private(set) var means: [ErrorState] = []
  private(set) var filtered: [ErrorCovariance] = []
  /// Prior mean and covariance of the states at all points and, last, now.
  private var joint: Dense
  /// Rows of all measurements over the joint state, their values and variances.
  private var rows: [(at: Int, row: [Double], value: Double, variance: Double)] = []

  init(seed: UInt64) {
    random = RandomSource(seed: seed, stream: "linear")
    for block in 0..<StateBlock.count {
      covariance[block, block] = Matrix3(diagonal: Vector3(1, 2, 3) * random.uniform(in: 0.5...2))
    }
    let p = covariance
    joint = Dense(Self.n, Self.n) { p[$0 / 3, $1 / 3][$0 % 3, $1 % 3] }
  }

  private var points: Int { means.count }

  /// Applies a transition to the newest state of the joint distribution.
  private mutating func move(_ f: Dense) {
    let start = points * Self.n
    var whole = Dense.identity(joint.rows)
    for i in 0..<Self.n { for j in 0..<Self.n { whole[start + i, start + j] = f[i, j] } }
    joint = whole * joint * whole.transpose
    // Values measured before the move depend on the state before it: they are kept as rows over it.
    precondition(!rows.contains { $0.at == points }, "a point comes between a measurement and a move")
  }

  private func matrix() -> Matrix3 { .zero }

  private mutating func randomMatrix(_ size: Double) -> Matrix3 {
    Matrix3(
      columns: Vector3(normal: &random) * size, Vector3(normal: &random) * size,
      Vector3(normal: &random) * size)
  }

  /// One of the filter's three coupled rows.
  mutating func couple<let k: Int>(_ block: Int, _ links: InlineArray<k, Link>) {
    var f = Dense.identity(Self.n)
    var change = Vector3.zero
    for l in 0..<k {
      change += links[l].matrix * mean[links[l].from]
      for i in 0..<3 {
        for j in 0..<3 { f[3 * block + i, 3 * links[l].from + j] += links[l].matrix[i, j] }
      }
    }
    mean[block] += change
    covariance.couple(block, links)
    history.couple(block, links)
    move(f)
  }

  mutating func step() {
    couple(StateBlock.position, [Link(StateBlock.velocity, randomMatrix(0.3))])
    couple(
      StateBlock.velocity,
      [
        Link(StateBlock.attitude, randomMatrix(0.3)), Link(StateBlock.accelBias, randomMatrix(0.3)),
        Link(StateBlock.velocity, randomMatrix(0.1)), Link(StateBlock.position, randomMatrix(0.1)),
      ])
    couple(
      StateBlock.attitude,
      [
        Link(StateBlock.gyroBias, randomMatrix(0.3)), Link(StateBlock.attitude, randomMatrix(0.1)),
        Link(StateBlock.delaysAndGyroScale, randomMatrix(0.2)),
      ])
    for block in [
      StateBlock.velocity, StateBlock.attitude, StateBlock.gyroBias, StateBlock.mountingAndOdometer,
    ] {
      let variances = Vector3(0.1, 0.2, 0.05)
      covariance.addNoise(block, variances: variances)
      let start = points * Self.n + 3 * block
      for i in 0..<3 { joint[start + i, start + i] += variances[i] }
    }
  }

  mutating func scale(_ block: Int, by factors: Vector3) {
    mean[block] = mean[block].scaled(by: factors)
    covariance.scale(block, by: factors)
    history.scale(block, by: factors)
    var f = Dense.identity(Self.n)
    for i in 0..<3 { f[3 * block + i, 3 * block + i] = factors[i] }
    move(f)
  }

  mutating func isolate(_ block: Int) {
    mean[block] = .zero
    covariance.isolate(block, Matrix3(scalar: 4))
    history.isolate(block)
    var f = Dense.identity(Self.n)
    for i in 0..<3 { f[3 * block + i, 3 * block + i] = 0 }
    move(f)
    let start = points * Self.n + 3 * block
    for i in 0..<3 { joint[start + i, start + i] += 4 }
  }

  mutating func measure(_ blocks: [Int]) {
    precondition(blocks.count == 3)
    let value = Vector3(normal: &random) * 2
    let links: InlineArray<3, Link> = InlineArray { Link(blocks[$0], randomMatrix(1)) }
    var innovation = value
    for l in 0..<3 { innovation -= links[l].matrix * mean[links[l].from] }
    let noise = Matrix3(diagonal: Vector3(0.5, 1, 0.25))
    for i in 0..<3 {
      var row = Array(repeating: 0.0, count: Self.n)
      for l in 0..<3 { for j in 0..<3 { row[3 * blocks[l] + j] += links[l].matrix[i, j] } }
      rows.append((points, row, value[i], noise[i, i]))
    }
    let projection = covariance.project(links)
    guard let correction = covariance.update(projection, noise: noise, innovation: innovation) else {
      Issue.record("no update")
      return
    }
    history.update(
      Measurement(innovation: innovation, links: links, noise: noise, dimension: 3), projection, noise: noise)
    for block in 0..<StateBlock.count { mean[block] += correction[block] }
  }

  /// Records the estimate; the joint state gets a copy of the newest one to go on with.
  mutating func point() {
    var state = NavigationState(
      position: GeodeticPosition(latitude: 0, longitude: 0, height: 0), velocity: .zero,
      navFromBody: .identity)
    state.velocity = mean[StateBlock.velocity]
    history.add(RecordedPoint(state, covariance, time: Timestamp(seconds: Double(points))))
    means.append(mean)
    filtered.append(covariance)
    let (n, size) = (Self.n, joint.rows)
    let old = joint
    joint = Dense(size + n, size + n) { old[$0 < size ? $0 : $0 - n, $1 < size ? $1 : $1 - n] }
  }

  /// Mean and covariance of the state at every point, given all measurements at once.
  func batch() -> (mean: Dense, covariance: Dense) {
    let h = Dense(rows.count, joint.rows) { i, j in
      let column = j - rows[i].at * Self.n
      return 0 <= column && column < Self.n ? rows[i].row[column] : 0
    }
    let cross = joint * h.transpose
    let s = h * cross + Dense(rows.count, rows.count) { $0 == $1 ? rows[$0].variance : 0 }
    let z = Dense(rows.count, 1) { i, _ in rows[i].value }
    return (cross * s.solve(z), joint - cross * s.solve(cross.transpose))
  }
}

@Suite struct LinearSmootherTests {
  /// All that was measured, before and after, at once: the smoother must find the same by going back.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func smoothedEstimatesAreThoseOfLeastSquares(seed: UInt64) {
    var run = LinearRun(seed: seed)
    run.point()
    for round in 0..<5 {
      run.step()
      run.step()
      if round == 1 { run.scale(StateBlock.gnssPositionBias, by: Vector3(0.5, 0.7, 0.9)) }
      if round == 2 { run.isolate(StateBlock.attitude) }
      if round == 3 { run.scale(StateBlock.mountingAndOdometer, by: Vector3(-1, 1, 1)) }
      run.measure([StateBlock.position, StateBlock.gnssPositionBias, StateBlock.attitude])
      run.point()
      run.measure([StateBlock.velocity, StateBlock.mountingAndOdometer, StateBlock.vehicleDynamics])
      run.point()
    }
    let batch = run.batch()
    var points: [SmoothedErrors] = []
    run.history.goBack { met in
      if case .point(let point, let adjoint) = met { points.append(SmoothedErrors(point, adjoint)) }
      return true
    }
    points.reverse()
    #expect(points.count == 11)
    for (k, smoothed) in points.enumerated() {
      for r in 0..<4 {
        let block = RecordedPoint.blocks[r]
        for i in 0..<3 {
          let row = k * States.dimension + 3 * block + i
          let mean = run.means[k][block][i] + smoothed.mean[r][i]
          #expect(abs(mean - batch.mean[row, 0]) < 1e-9, "point \(k), block \(block)")
          for s in r..<4 {
            for j in 0..<3 {
              let column = k * States.dimension + 3 * RecordedPoint.blocks[s] + j
              let error = smoothed.covariance(r, s)[i, j] - batch.covariance[row, column]
              #expect(abs(error) < 1e-9, "point \(k), blocks \(r) and \(s)")
            }
          }
          // Hindsight never makes it worse.
          #expect(smoothed.covariance(r, r)[i, i] <= run.filtered[k][block, block][i, i] + 1e-12)
        }
      }
    }
  }
}
