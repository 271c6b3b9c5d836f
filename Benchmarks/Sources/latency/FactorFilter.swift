import LinearAlgebra

// The covariance as U D Uᵀ, U with ones on its diagonal: modified weighted Gram-Schmidt (Thornton) and
// scalar updates (Bierman); Maybeck, "Stochastic Models, Estimation, and Control", volume 1, sections 7.6 and
// 7.8. For the comparison only.

/// The 21-state filter in factors of its covariance, which no rounding makes indefinite.
final class FactorFilter {
  private static let n = 21
  /// States, then the 18 noises.
  private static let width = 21 + 18
  /// Row by row.
  private var u: UnsafeMutableBufferPointer<Double>
  private var d: UnsafeMutableBufferPointer<Double>
  private var w: UnsafeMutableBufferPointer<Double>
  private var weights: UnsafeMutableBufferPointer<Double>

  /// With 21 × 21 numbers, column by column.
  init(_ numbers: [Double]) {
    let n = Self.n
    u = .allocate(capacity: n * n)
    d = .allocate(capacity: n)
    w = .allocate(capacity: n * Self.width)
    weights = .allocate(capacity: Self.width)
    u.initialize(repeating: 0)
    d.initialize(repeating: 0)
    w.initialize(repeating: 0)
    weights.initialize(repeating: 0)
    for j in stride(from: n - 1, through: 0, by: -1) {
      for i in stride(from: j, through: 0, by: -1) {
        var sum = numbers[n * j + i]
        for k in (j + 1)..<max(n, j + 1) { sum -= u[n * i + k] * d[k] * u[n * j + k] }
        if i == j {
          d[j] = sum
          u[n * j + j] = 1
        } else {
          u[n * i + j] = sum / d[j]
        }
      }
    }
  }

  deinit {
    u.deallocate()
    d.deallocate()
    w.deallocate()
    weights.deallocate()
  }

  /// 21 × 21 numbers, column by column.
  var covariance: [Double] {
    let n = Self.n
    return (0..<(n * n)).map { index in
      let (i, j) = (index % n, index / n)
      return (max(i, j)..<n).reduce(0) { $0 + u[n * i + $1] * d[$1] * u[n * j + $1] }
    }
  }

  func predict(_ t: PeerInputs.Transition) {
    moveRows(t)
    let n = Self.n
    for k in 0..<n { weights[k] = d[k] }
    for block in 0..<6 {
      for axis in 0..<3 { weights[n + 3 * block + axis] = t.noise[block][axis] }
    }
    orthogonalize()
  }

  /// W = [Φ U | G], row by row in the order of the couplings.
  private func moveRows(_ t: PeerInputs.Transition) {
    let n = Self.n
    for i in 0..<n {
      for k in 0..<n { w[Self.width * i + k] = u[n * i + k] }
      for k in 0..<18 { w[Self.width * i + n + k] = k + 3 == i ? 1 : 0 }
    }
    add(0, 1, Matrix3(scalar: t.dt))
    // Rows of one coupling are all taken before it: those that feed themselves come last.
    addAll(
      1,
      [
        (2, t.forceCross), (4, t.forceFromBias), (6, t.forceFromScale),
        (0, Matrix3(diagonal: t.gravityGradient)),
      ],
      own: t.coriolis)
    addAll(2, [(3, t.rateFromBias), (5, t.rateFromScale)], own: t.frameRate)
  }

  private func addAll(_ to: Int, _ links: [(Int, Matrix3)], own: Matrix3) {
    let width = Self.width
    let row = 3 * to * width
    for k in 0..<Self.n {
      let v = own * Vector3(w[row + k], w[row + width + k], w[row + 2 * width + k])
      for axis in 0..<3 { w[row + axis * width + k] += v[axis] }
    }
    for (from, m) in links { add(to, from, m) }
  }

  private func add(_ to: Int, _ from: Int, _ m: Matrix3) {
    let width = Self.width
    for axis in 0..<3 {
      let row = (3 * to + axis) * width
      let source = 3 * from * width
      let (a, b, c) = (m.x[axis], m.y[axis], m.z[axis])
      for k in 0..<Self.n {
        w[row + k] += a * w[source + k] + b * w[source + width + k] + c * w[source + 2 * width + k]
      }
    }
  }

  private func orthogonalize() {
    let n = Self.n
    let width = Self.width
    for j in stride(from: n - 1, through: 0, by: -1) {
      let row = j * width
      var norm = 0.0
      for k in 0..<width { norm += w[row + k] * w[row + k] * weights[k] }
      d[j] = norm
      for i in 0..<j {
        let other = i * width
        var product = 0.0
        for k in 0..<width { product += w[other + k] * w[row + k] * weights[k] }
        let factor = product / norm
        u[n * i + j] = factor
        for k in 0..<width { w[other + k] -= factor * w[row + k] }
      }
    }
  }

  func update(_ fix: PeerInputs.Fix) {
    for axis in 0..<3 {
      update(axis, 6, fix.positionFromAttitude, axis, fix.positionNoise[axis])
    }
    for axis in 0..<3 {
      update(3 + axis, 6, fix.velocityFromAttitude, axis, fix.velocityNoise[axis])
    }
  }

  /// One component: h has a 1 at `state` and a row of `m` from `attitude` on.
  private func update(_ state: Int, _ attitude: Int, _ m: Matrix3, _ row: Int, _ noise: Double) {
    let n = Self.n
    let h = [(state, 1.0), (attitude, m.x[row]), (attitude + 1, m.y[row]), (attitude + 2, m.z[row])]
    withUnsafeTemporaryAllocation(of: Double.self, capacity: 2 * n) { space in
      let f = UnsafeMutableBufferPointer(rebasing: space[0..<n])
      let gain = UnsafeMutableBufferPointer(rebasing: space[n...])
      for j in 0..<n {
        f[j] = 0
        for (i, value) in h where i <= j { f[j] += u[n * i + j] * value }
        gain[j] = 0
      }
      var alpha = noise
      for j in 0..<n {
        let before = alpha
        let v = d[j] * f[j]
        alpha += f[j] * v
        let lambda = -f[j] / before
        d[j] *= before / alpha
        for i in 0..<j {
          let old = u[n * i + j]
          u[n * i + j] = old + lambda * gain[i]
          gain[i] += v * old
        }
        gain[j] = v
      }
    }
  }
}
