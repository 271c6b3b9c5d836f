import LinearAlgebra

/// The transition of the errors over several steps: all blocks stay as they are, but for the first three.
///
/// Position, velocity and attitude change by themselves and by what the sensors' errors bring in; every other
/// block only gets noise, or is changed by an entry of its own in the ``RecordedHistory``.
struct Transition: Sendable {
  /// The blocks whose errors bear on the first three.
  static let columns: InlineArray<6, Int> = [
    StateBlock.position, StateBlock.velocity, StateBlock.attitude, StateBlock.gyroBias, StateBlock.accelBias,
    StateBlock.delaysAndGyroScale,
  ]
  /// Number of rows that are not those of the identity.
  static let moving = 3

  /// Rows of the transition matrix, by `columns`.
  private(set) var rows: InlineArray<3, InlineArray<6, Matrix3>>

  /// No change.
  init() {
    rows = InlineArray(repeating: InlineArray(repeating: .zero))
    for i in 0..<Self.moving { rows[i][i] = .identity }
  }

  /// Follows it by x_i ← x_i + Σ m · x_from.
  mutating func couple(_ i: Int, _ relation: some Relation) {
    precondition(i < Self.moving, "only position, velocity and attitude are coupled")
    var change = InlineArray<6, Matrix3>(repeating: .zero)
    relation.forEachLink { link in
      let (m, from) = (link.matrix, link.from)
      if from < Self.moving {
        for c in 0..<6 { change[c] += m * rows[from][c] }
      } else {
        change[Self.slot(of: from)] += m
      }
    }
    for c in 0..<6 { rows[i][c] += change[c] }
  }

  private static func slot(of block: Int) -> Int {
    for c in moving..<6 where columns[c] == block { return c }
    preconditionFailure("block \(block) does not bear on position, velocity or attitude")
  }
}
