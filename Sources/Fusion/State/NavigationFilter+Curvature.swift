import Navigation

extension ErrorStateFilter {
  /// The Earth's curvature at the position: a fix asks for it time and again.
  @inline(__always) package mutating func curvature() -> Curvature {
    if let curved, curved.at == state.position { return curved.by }
    let curvature = Curvature(at: state.position)
    curved = (state.position, curvature)
    return curvature
  }
}
