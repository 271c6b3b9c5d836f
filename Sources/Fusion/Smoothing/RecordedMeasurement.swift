import LinearAlgebra

/// A measurement as a filter took it, with the innovation whitened: with S = L Lᵀ, the rows L⁻¹ H, the
/// gain P Hᵀ L⁻ᵀ and the innovation L⁻¹ ν.
struct RecordedMeasurement: Sendable {
  /// L⁻¹ H by state blocks; only the first `count` hold. A receiver's velocity is of six.
  private(set) var links: InlineArray<6, Link>
  private(set) var count: Int
  /// P Hᵀ L⁻ᵀ.
  private(set) var gain: PerBlock<Matrix3>
  /// L⁻¹ ν.
  private(set) var innovation: Vector3

  /// nil if the innovation's covariance is not positive definite.
  init?(
    _ measurement: Measurement<some Relation>, _ projection: ErrorProjection, noise: Matrix3
  ) {
    guard let whitening = projection.whitening(noise: noise) else { return nil }
    var taken = InlineArray<6, Link>(repeating: Link(0, .zero))
    var count = 0
    measurement.forEachLink { link in
      precondition(count < 6, "a measurement of more than six blocks")
      taken[count] = Link(link.from, whitening * link.matrix)
      count += 1
    }
    self.links = taken
    self.count = count
    gain = InlineArray { projection.gain($0, whitening: whitening) }
    innovation = whitening * measurement.innovation
  }
}
