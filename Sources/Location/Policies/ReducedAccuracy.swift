import CLibrary
import Navigation

/// What clients with reduced accuracy are told: the middle of a cell of some kilometres, some times an hour.
/// One serves all clients of a user, or another connection or another name would tell more.
public struct ReducedAccuracy: Sendable, Equatable {
  /// Side of a cell in degrees of latitude: 5.6 km.
  public static let cellDegrees = 0.05
  /// Seconds from one location to the next.
  public static let interval = 900.0

  /// What was told last.
  public private(set) var last: Location?

  /// Nothing told yet.
  public init() {}

  /// The coarse location to tell; nil if one was told a while ago.
  public mutating func reduce(_ location: Location) -> Location? {
    guard location.isValid else { return nil }
    if let last, location.timestamp.seconds(since: last.timestamp) < Self.interval { return nil }
    let coarse = Self.coarse(location)
    last = coarse
    return coarse
  }

  /// The middle of the cell about `location`, with an accuracy that covers the cell, and without anything
  /// else that could tell the place.
  public static func coarse(_ location: Location) -> Location {
    let (latitude, south) = middle(location.coordinate.latitudeDegrees, cellDegrees)
    // Cells are as wide as they are high, or the longitude would be finer towards the poles; the width hangs
    // on the cell, not on the place in it.
    let shrink = max(0.01, cos(min(89.4, abs(south) + cellDegrees) * .pi / 180))
    let (longitude, _) = middle(location.coordinate.longitudeDegrees, cellDegrees / shrink)
    let halfDiagonal = cellDegrees / 2 * 2.0.squareRoot() * 111_320
    return Location(
      coordinate: Coordinate(
        latitudeDegrees: min(max(latitude, -90), 90), longitudeDegrees: min(max(longitude, -180), 180)),
      horizontalAccuracy: max(halfDiagonal, location.horizontalAccuracy),
      timestamp: location.timestamp, utc: location.utc,
      sources: location.sources.intersection([.simulated, .cached]).union(.reduced), mode: nil)
  }

  private static func middle(_ degrees: Double, _ side: Double) -> (middle: Double, edge: Double) {
    let edge = (degrees / side).rounded(.down) * side
    return (edge + side / 2, edge)
  }
}
