import Navigation

extension ErrorStateFilter {
  /// The Earth's curvature at the position.
  @inline(__always) package mutating func curvature() -> Curvature { nearbyCurvature.at(state.position) }
}
