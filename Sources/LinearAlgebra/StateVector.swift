/// A vector of `n` blocks of three components: an error state, or a correction to one.
public struct StateVector<let n: Int>: Sendable {
  /// The rows in groups of four without gaps, as many as ``Covariance`` has.
  @usableFromInline var groups: InlineArray<n, SIMD4<Double>>

  /// All zeros.
  @inlinable @inline(__always) public init() { groups = InlineArray(repeating: .zero) }

  /// Block `i`, in the order of ``Covariance``.
  @inlinable @inline(__always) public subscript(_ i: Int) -> Vector3 {
    get {
      precondition(i >= 0 && i < n, "no such block")
      return groups.span.withUnsafeBytes { bytes in
        let xy = bytes.loadUnaligned(fromByteOffset: 24 &* i, as: SIMD2<Double>.self)
        let z = bytes.load(fromByteOffset: 24 &* i &+ 16, as: Double.self)
        return Vector3(lanes: SIMD4(lowHalf: xy, highHalf: SIMD2(z, 0)))
      }
    }
    set {
      precondition(i >= 0 && i < n, "no such block")
      withUnsafeMutableBytes(of: &groups) { bytes in
        bytes.storeBytes(of: newValue.lanes.lowHalf, toByteOffset: 24 &* i, as: SIMD2<Double>.self)
        bytes.storeBytes(of: newValue.lanes.z, toByteOffset: 24 &* i &+ 16, as: Double.self)
      }
    }
  }

  /// The value of a relation. Nothing changes; but what is not `mutating` may be copied before it is read.
  @inlinable @inline(__always) public mutating func value(of relation: some Relation) -> Vector3 {
    withUnsafeMutableBytes(of: &groups) { bytes in
      relation.value { i in
        let xy = bytes.loadUnaligned(fromByteOffset: 24 &* i, as: SIMD2<Double>.self)
        let z = bytes.load(fromByteOffset: 24 &* i &+ 16, as: Double.self)
        return Vector3(lanes: SIMD4(lowHalf: xy, highHalf: SIMD2(z, 0)))
      }
    }
  }

  /// Subtracts `b`.
  @inlinable @inline(__always) public static func -= (a: inout StateVector, b: StateVector) {
    for g in 0..<CovarianceColumns<n>.groups { a.groups[g] -= b.groups[g] }
  }
}
