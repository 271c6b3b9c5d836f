/// A vector of `n` blocks of three components: an error state, or a correction to one.
public struct StateVector<let n: Int>: Sendable {
  /// The blocks, in the order of ``Covariance``.
  public var blocks: InlineArray<n, Vector3>

  /// All zeros.
  @inlinable @inline(__always) public init() { blocks = InlineArray(repeating: .zero) }

  /// Block `i`.
  @inlinable @inline(__always) public subscript(_ i: Int) -> Vector3 {
    _read { yield blocks[i] }
    _modify { yield &blocks[i] }
  }
}
