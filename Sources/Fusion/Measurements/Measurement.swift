import LinearAlgebra

/// A measurement seen from the state: innovation and Jacobian together, at most three components.
///
/// The innovation is measured − predicted; to first order it is Σ `links`.matrix · error + noise. A component that is
/// not measured has innovation 0, zero rows in the links and variance 1.
package struct Measurement<let k: Int> {
  /// Measured − predicted.
  package var innovation: Vector3
  /// The Jacobian by state blocks.
  package var links: InlineArray<k, Link>
  /// Covariance of the measurement's own error.
  package var noise: Matrix3
  /// How many components are measured.
  package var dimension: Int

  package init(innovation: Vector3, links: InlineArray<k, Link>, noise: Matrix3, dimension: Int) {
    self.innovation = innovation
    self.links = links
    self.noise = noise
    self.dimension = dimension
  }

  /// The measurement without the components that `mask` has 0 for (and 1 for the ones to keep).
  package consuming func keeping(_ mask: Vector3) -> Measurement<k> {
    let keep = Matrix3(diagonal: mask)
    innovation = innovation.scaled(by: mask)
    for i in 0..<k { links[i].matrix = keep * links[i].matrix }
    noise = keep * noise * keep + Matrix3(diagonal: Vector3(1 - mask.x, 1 - mask.y, 1 - mask.z))
    dimension = Int(mask.x + mask.y + mask.z)
    return self
  }
}
