// The modified Bryson-Frazier smoother (G. Bierman, "Fixed interval smoothing with discrete measurements",
// International Journal of Control 18, 1973): λ and Λ go backward over what the filter did, and no
// covariance is ever inverted.
//   prediction   λ ← Fᵀ λ                              Λ ← Fᵀ Λ F
//   measurement  λ ← (1 − K H)ᵀ λ − Hᵀ S⁻¹ ν           Λ ← (1 − K H)ᵀ Λ (1 − K H) + Hᵀ S⁻¹ H
//   estimate     x̂ ⊞ (−P λ)                            P − P Λ P
import LinearAlgebra

/// What the measurements after a time say of the estimate at that time.
package struct Adjoint: Sendable {
  /// λ.
  package private(set) var vector = ErrorState()
  /// Λ, symmetric like a covariance.
  package private(set) var matrix = ErrorCovariance()

  package init() {}

  /// Goes back over a transition.
  mutating func goBack(over t: Transition) {
    let old = vector
    for c in 0..<6 {
      let block = Transition.columns[c]
      var sum = c < Transition.moving ? Vector3.zero : old[block]
      for r in 0..<Transition.moving { sum += t.rows[r][c].transpose * old[r] }
      vector[block] = sum
    }
    // G = Λ F in the columns that change.
    var g = PerBlock<InlineArray<6, Matrix3>>(repeating: InlineArray(repeating: .zero))
    for i in 0..<StateBlock.count {
      let (p, v, a) = (matrix[i, 0], matrix[i, 1], matrix[i, 2])
      for c in 0..<6 {
        var sum = p * t.rows[0][c] + v * t.rows[1][c] + a * t.rows[2][c]
        if c >= Transition.moving { sum += matrix[i, Transition.columns[c]] }
        g[i][c] = sum
      }
    }
    for c in 0..<6 {
      let column = Transition.columns[c]
      for i in 0..<StateBlock.count { matrix[i, column] = g[i][c] }
    }
    for a in 0..<6 {
      let row = Transition.columns[a]
      for c in a..<6 {
        var sum = a < Transition.moving ? Matrix3.zero : g[row][c]
        for r in 0..<Transition.moving { sum += t.rows[r][a].transpose * g[r][c] }
        matrix[row, Transition.columns[c]] = a == c ? sum.symmetrized : sum
      }
    }
  }

  /// Goes back over a measurement.
  mutating func goBack(over m: RecordedMeasurement) {
    // In whitened terms K H = V W with V the gain and W the rows: Y = Vᵀ Λ, E = Vᵀ Λ V + 1.
    var u = m.innovation
    var y = PerBlock<Matrix3>(repeating: .zero)
    for i in 0..<StateBlock.count {
      let gainT = m.gain[i].transpose
      u += gainT * vector[i]
      for j in 0..<StateBlock.count { y[j] += gainT * matrix[i, j] }
    }
    var e = Matrix3.identity
    for j in 0..<StateBlock.count { e += y[j] * m.gain[j] }
    // Λ − Wᵀ Y − Yᵀ W + Wᵀ E W = Λ − Wᵀ D − Dᵀ W with D = Y − E W / 2.
    let half = e.symmetrized * 0.5
    for l in 0..<m.count { y[m.links[l].from] += -(half * m.links[l].matrix) }
    for l in 0..<m.count {
      let block = m.links[l].from
      let rowsT = m.links[l].matrix.transpose
      vector[block] -= rowsT * u
      for j in 0..<StateBlock.count {
        let change = rowsT * y[j]
        matrix[block, j] += j == block ? -(change + change.transpose) : -change
      }
    }
  }

  /// Goes back over x_i ← factors · x_i.
  mutating func goBack(overScaling block: Int, by factors: Vector3) {
    vector[block] = vector[block].scaled(by: factors)
    matrix.scale(block, by: factors)
  }

  /// Goes back to before a block got an error that is independent of the one before.
  mutating func goBack(overIsolating block: Int) {
    vector[block] = .zero
    matrix.isolate(block, .zero)
  }

  /// Whether all of it is finite numbers.
  var isFinite: Bool {
    for i in 0..<StateBlock.count where !(vector[i].isFinite && matrix[i, i].isFinite) { return false }
    return true
  }
}
