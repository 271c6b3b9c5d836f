import LinearAlgebra

/// Sums up numbers to their mean and standard deviation.
struct Statistics {
  private(set) var count = 0.0
  private var sum = 0.0
  private var squares = 0.0

  mutating func add(_ value: Double) {
    count += 1
    sum += value
    squares += value * value
  }
  mutating func add(_ v: Vector3) {
    add(v.x)
    add(v.y)
    add(v.z)
  }
  var mean: Double { sum / count }
  var sigma: Double { (squares / count - mean * mean).squareRoot() }
  var rms: Double { (squares / count).squareRoot() }
}
