import LinearAlgebra

/// A measurement seen from the state: innovation and Jacobian together, at most three components.
///
/// The innovation is measured − predicted; to first order it is `links` of the error + noise. The components that are
/// measured come first; one that is not has innovation 0 and variance 1.
package struct Measurement<Links: Relation> {
  /// Measured − predicted.
  package var innovation: Vector3
  /// The Jacobian by state blocks, of all components.
  package var links: Links
  /// Moves the components of `links` that are measured to the front; nil where all are.
  package private(set) var selection: Matrix3?
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
  package consuming func keeping(first count: Int) -> Self {
    let mask = Vector3(1, count > 1 ? 1 : 0, count > 2 ? 1 : 0)
    return selecting(Matrix3(diagonal: mask), dimension: count)
  }

  /// The measurement without its first component: those after it move up.
  package consuming func withoutFirst() -> Self {
    selecting(
      Matrix3(rows: Vector3(0, 1, 0), Vector3(0, 0, 1), Vector3(0, 0, 0)), dimension: dimension - 1)
  }

  private consuming func selecting(_ rows: Matrix3, dimension count: Int) -> Self {
    innovation = rows * innovation
    selection = selection.map { rows * $0 } ?? rows
    let unmeasured = Vector3(0, count > 1 ? 0 : 1, count > 2 ? 0 : 1)
    noise = rows * noise * rows.transpose + Matrix3(diagonal: unmeasured)
    dimension = count
    return self
  }

  /// The Jacobian of the components that are measured, block by block.
  package func forEachLink(_ body: (Link) -> Void) {
    links.forEachLink { link in
      body(Link(link.from, selection.map { $0 * link.matrix } ?? link.matrix))
    }
  }
}
