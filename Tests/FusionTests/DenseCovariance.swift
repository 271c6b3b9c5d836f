import Fusion

/// A plain lower Cholesky factor of the whole covariance, to draw errors from it and to weigh them by it.
struct DenseCovariance {
  private var lower: [[Double]]

  /// nil if the covariance is not positive definite.
  init?(_ covariance: ErrorCovariance) {
    let n = States.dimension
    lower = Array(repeating: Array(repeating: 0, count: n), count: n)
    for i in 0..<n {
      for j in 0...i {
        var sum = covariance[i / 3, j / 3][i % 3, j % 3]
        for k in 0..<j { sum -= lower[i][k] * lower[j][k] }
        if i == j {
          guard sum > 0 else { return nil }
          lower[i][i] = sum.squareRoot()
        } else {
          lower[i][j] = sum / lower[j][j]
        }
      }
    }
  }

  /// L n for standard normal n: an error with this covariance.
  func draw(_ normal: () -> Double) -> ErrorState {
    let n = (0..<States.dimension).map { _ in normal() }
    var error = ErrorState()
    for i in 0..<States.dimension {
      var sum = 0.0
      for k in 0...i { sum += lower[i][k] * n[k] }
      error[i / 3][i % 3] = sum
    }
    return error
  }

  /// eᵀ P⁻¹ e.
  func normalizedSquare(_ error: ErrorState) -> Double {
    var whitened: [Double] = []
    for i in 0..<States.dimension {
      var sum = error[i / 3][i % 3]
      for k in 0..<i { sum -= lower[i][k] * whitened[k] }
      whitened.append(sum / lower[i][i])
    }
    return whitened.reduce(0) { $0 + $1 * $1 }
  }
}
