import CLibrary
import LinearAlgebra

/// Mean in which a value of `memory` seconds ago counts for 1/e of one of now. It begins at zero.
package struct ExponentialMean: Sendable {
  package private(set) var value = Vector3.zero
  private let memory: Double

  package init(memory: Double) { self.memory = memory }

  /// Takes the value of the last `elapsed` seconds.
  @inline(__always) package mutating func add(_ new: Vector3, elapsed: Double) {
    value += (new - value) * (1 - exp(-elapsed / memory))
  }
}
