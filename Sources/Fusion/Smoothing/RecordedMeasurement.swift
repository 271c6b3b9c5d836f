import LinearAlgebra

/// A measurement as a filter took it, with the innovation whitened: with S = L Lᵀ, the rows L⁻¹ H, the gain P Hᵀ L⁻ᵀ and
/// the innovation L⁻¹ ν.
struct RecordedMeasurement: Sendable {
  /// L⁻¹ H by state blocks; only the first `count` hold.
  private(set) var links: InlineArray<5, Link>
  private(set) var count: Int
  /// P Hᵀ L⁻ᵀ.
  private(set) var gain: InlineArray<10, Matrix3>
  /// L⁻¹ ν.
  private(set) var innovation: Vector3

  /// nil if the innovation's covariance is not positive definite.
  init?<let k: Int>(
    _ links: InlineArray<k, Link>, _ projection: Projection<10>, noise: Matrix3, innovation: Vector3
  ) {
    guard let whitening = (projection.own + noise).cholesky?.lowerInverse else { return nil }
    precondition(k <= 5, "a measurement of more than five blocks")
    self.links = InlineArray(repeating: Link(0, .zero))
    count = k
    for l in 0..<k { self.links[l] = Link(links[l].from, whitening * links[l].matrix) }
    gain = InlineArray { projection[$0] * whitening.transpose }
    self.innovation = whitening * innovation
  }
}
