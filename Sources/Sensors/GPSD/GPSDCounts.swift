/// What has come from gpsd so far.
public struct GPSDCounts: Sendable, Equatable {
  /// Fixes handed on.
  public var fixes = 0
  /// Reports of a receiver that has no fix.
  public var withoutFix = 0
  /// Fixes that only repeated the one before.
  public var duplicates = 0
  /// Fixes that nobody needed.
  public var passedOver = 0
  /// Positions that cannot be used: without time, not measured, nowhere.
  public var unusable = 0
  /// Lines of classes that are not needed, unknown or broken.
  public var ignoredLines = 0
  /// Lines longer than any that gpsd sends.
  public var overlongLines = 0
  /// Connections made.
  public var connections = 0
  /// What gpsd refused last.
  public var lastError: String?

  /// Nothing yet.
  public init() {}

  /// With what came over one more connection.
  func adding(_ session: GPSDCounts) -> GPSDCounts {
    var sum = self
    sum.fixes += session.fixes
    sum.withoutFix += session.withoutFix
    sum.duplicates += session.duplicates
    sum.passedOver += session.passedOver
    sum.unusable += session.unusable
    sum.ignoredLines += session.ignoredLines
    sum.overlongLines += session.overlongLines
    sum.connections += session.connections
    sum.lastError = session.lastError ?? lastError
    return sum
  }
}
