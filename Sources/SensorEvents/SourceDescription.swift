/// What a source is called and meant to give.
public struct SourceDescription: Sendable, Equatable {
  /// Its number in the events.
  public var id: SourceID
  /// Its name for people.
  public var name: String
  /// What it is expected to give.
  public var role: SourceRole

  /// A source.
  public init(id: SourceID, name: String, role: SourceRole) {
    (self.id, self.name, self.role) = (id, name, role)
  }
}

/// What a source gives.
public enum SourceRole: UInt8, Sendable, CaseIterable {
  /// Rate and force.
  case inertial
  /// Fixes.
  case fix
  /// Speed of the wheels.
  case wheel
  /// Air pressure.
  case pressure
}
