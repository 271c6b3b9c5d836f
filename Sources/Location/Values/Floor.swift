/// A floor of a building, as Core Location's `CLFloor`.
public struct Floor: Sendable, Hashable, Codable {
  /// Storeys above (negative: below) the level on which the receiver's fixes ended, 0 being that level.
  ///
  /// It is counted from the entrance that the car took, by a barometer, a storey being 3 m: nothing is known
  /// of a map or of the building's own numbers, so that 0 is the street only where the entrance is at it.
  /// Right within one level after a handful of storeys. `CLFloor` counts from the ground floor of a building
  /// that was surveyed.
  public var level: Int

  /// A level.
  public init(level: Int) { self.level = level }
}
