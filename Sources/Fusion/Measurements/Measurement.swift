import LinearAlgebra

/// A measurement seen from the state: innovation and Jacobian together, at most three components.
///
/// The innovation is measured − predicted; to first order it is `links` of the error + noise. The
/// components that are measured come first; one that is not has innovation 0 and variance 1.
package struct Measurement<Links: Relation> {
  /// Measured − predicted.
  package var innovation: Vector3
  /// The Jacobian by state blocks, of all components.
  package var links: Links
  /// The components of `links` that are measured.
  package private(set) var selection = RowSelection.all
  /// Covariance of the measurement's own error.
  package var noise: Matrix3
  /// How many components are measured.
  package private(set) var dimension: Int

  package init(innovation: Vector3, links: Links, noise: Matrix3, dimension: Int) {
    self.innovation = innovation
    self.links = links
    self.noise = noise
    self.dimension = dimension
  }

  /// The measurement of its first `count` components only.
  @inline(__always) package consuming func keeping(first count: Int) -> Self {
    selection = selection.keeping(first: count)
    let rows = RowSelection(first: 0, count: count)
    innovation = rows.moved(innovation)
    let unmeasured = Vector3(0, count > 1 ? 0 : 1, count > 2 ? 0 : 1)
    noise = rows.moved(rows.moved(noise).transpose).transpose + Matrix3(diagonal: unmeasured)
    dimension = count
    return self
  }

  /// The Jacobian of the components that are measured, block by block.
  package func forEachLink(_ body: (Link) -> Void) {
    links.forEachLink { body(Link($0.from, selection.moved($0.matrix))) }
  }
}
