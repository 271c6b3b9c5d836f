import LinearAlgebra
import Navigation

/// What is believed of the position error of one fix: worked out once, for all that ask.
package struct FixErrors: Sendable {
  /// Variances north, east and down of what changes from fix to fix, m².
  package let white: Vector3
  /// Variances of the part that lasts, m².
  package let lasting: Vector3

  package init(white: Vector3, lasting: Vector3) {
    self.white = white
    self.lasting = lasting
  }

  /// Covariance of what changes from fix to fix, m².
  @inline(__always) package var noise: Matrix3 { Matrix3(diagonal: white) }
  /// Variance per horizontal axis of both parts, m².
  @inline(__always) package var horizontal: Double { white.x + lasting.x }
}

extension ReceiverModel {
  /// What is believed of the errors of a fix that has been heard of, until something is learned from it.
  ///
  /// Nothing changes; but what is not `mutating` is copied as a whole for each call.
  @inline(never) package mutating func errors(of fix: GNSSFix) -> FixErrors {
    let found = reacquisitionVariance(of: fix)
    let vertical = parameters.verticalRatio * parameters.verticalRatio
    return FixErrors(
      white: positionNoise(fix).diagonal + Vector3(found, found, vertical * found),
      lasting: correlatedVariance(fix))
  }
}
