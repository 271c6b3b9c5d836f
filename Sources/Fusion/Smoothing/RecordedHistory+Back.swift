import LinearAlgebra

extension RecordedHistory {
  /// What is met on the way back.
  package enum Met: Sendable {
    /// An estimate, and what the measurements after it say of it.
    case point(RecordedPoint, Adjoint)
    /// Before this a block had another error.
    case isolated(Int)
    /// Before this the mounting was turned by half a turn.
    case turnedAround
    /// Before this the car followed this track.
    case laid(DeadReckonedTrack)
  }

  /// Goes back from its end, until `visit` wants no more.
  package func goBack(_ visit: (Met) -> Bool) {
    var adjoint = Adjoint()
    guard newest.goBack(&adjoint, visit) else { return }
    for piece in pieces.reversed() {
      guard piece.goBack(&adjoint, visit) else { return }
    }
  }
}

extension RecordedHistory.Piece {
  /// Whether `visit` wants more.
  fileprivate func goBack(_ adjoint: inout Adjoint, _ visit: (RecordedHistory.Met) -> Bool) -> Bool {
    var (transition, measurement, point) = (transitions.count, measurements.count, points.count)
    var track = tracks.count
    for step in steps.reversed() {
      switch step {
      case .transition:
        transition -= 1
        adjoint.goBack(over: transitions[transition])
      case .measurement:
        measurement -= 1
        adjoint.goBack(over: measurements[measurement])
      case .point:
        point -= 1
        // An estimate that is no number any more tells nothing of those before it.
        if !adjoint.isFinite { adjoint = Adjoint() }
        guard visit(.point(points[point], adjoint)) else { return false }
      case .scale(let block, let factors): adjoint.goBack(overScaling: block, by: factors)
      case .isolate(let block):
        adjoint.goBack(overIsolating: block)
        guard visit(.isolated(block)) else { return false }
      case .laid:
        track -= 1
        guard visit(.laid(tracks[track])) else { return false }
      case .turnAround:
        guard visit(.turnedAround) else { return false }
      }
    }
    return true
  }
}
