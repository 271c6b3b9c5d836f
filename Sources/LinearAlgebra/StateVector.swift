/// A vector of `n` blocks of three components: an error state, or a correction to one.
public struct StateVector<let n: Int>: Sendable {
  /// The blocks, in the order of ``Covariance``.
  public var blocks: InlineArray<n, Vector3>

  /// All zeros.
  @inlinable @inline(__always) public init() { blocks = InlineArray(repeating: .zero) }

  /// Of the rows in groups of four, without gaps.
  @inlinable @inline(__always) init(groups: InlineArray<n, SIMD4<Double>>) {
    self.init()
    groups.span.withUnsafeBytes { bytes in
      for i in 0..<n {
        @inline(__always) func row(_ k: Int) -> Double {
          bytes.load(fromByteOffset: 24 * i + 8 * k, as: Double.self)
        }
        blocks[i] = Vector3(row(0), row(1), row(2))
      }
    }
  }

  /// Block `i`.
  @inlinable @inline(__always) public subscript(_ i: Int) -> Vector3 {
    _read { yield blocks[i] }
    _modify { yield &blocks[i] }
  }
}
