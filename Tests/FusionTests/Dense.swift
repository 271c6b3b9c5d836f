/// Plain dense matrices, to check block-wise code against.
struct Dense: Equatable {
  var rows: Int
  var columns: Int
  var values: [Double]

  init(_ rows: Int, _ columns: Int, _ value: (Int, Int) -> Double = { _, _ in 0 }) {
    self.rows = rows
    self.columns = columns
    values = []
    for i in 0..<rows { for j in 0..<columns { values.append(value(i, j)) } }
  }

  subscript(_ i: Int, _ j: Int) -> Double {
    get { values[i * columns + j] }
    set { values[i * columns + j] = newValue }
  }

  var transpose: Dense { Dense(columns, rows) { self[$1, $0] } }

  static func * (a: Dense, b: Dense) -> Dense {
    Dense(a.rows, b.columns) { i, j in (0..<a.columns).reduce(0) { $0 + a[i, $1] * b[$1, j] } }
  }
  static func + (a: Dense, b: Dense) -> Dense { Dense(a.rows, a.columns) { a[$0, $1] + b[$0, $1] } }
  static func - (a: Dense, b: Dense) -> Dense { Dense(a.rows, a.columns) { a[$0, $1] - b[$0, $1] } }

  static func identity(_ n: Int) -> Dense { Dense(n, n) { $0 == $1 ? 1 : 0 } }

  /// A⁻¹ b by elimination with row exchanges.
  func solve(_ b: Dense) -> Dense {
    var (a, b) = (self, b)
    for k in 0..<rows {
      let pivot = (k..<rows).max { abs(a[$0, k]) < abs(a[$1, k]) } ?? k
      if pivot != k {
        for j in 0..<columns { (a[k, j], a[pivot, j]) = (a[pivot, j], a[k, j]) }
        for j in 0..<b.columns { (b[k, j], b[pivot, j]) = (b[pivot, j], b[k, j]) }
      }
      for i in 0..<rows where i != k {
        let factor = a[i, k] / a[k, k]
        guard factor != 0 else { continue }
        for j in k..<columns { a[i, j] -= factor * a[k, j] }
        for j in 0..<b.columns { b[i, j] -= factor * b[k, j] }
      }
    }
    return Dense(rows, b.columns) { b[$0, $1] / a[$0, $0] }
  }
}
