import LinearAlgebra
import Navigation

/// What of a fix was not measured.
extension FusionState {
  /// Goes on without a fix that a receiver which has stuck repeats.
  mutating func skip(stuck fix: GNSSFix, report: (MeasurementVerdict) -> Void) {
    report(.init(fix.time, .gnssPosition, .extrapolated))
    if fix.velocityNED != nil { report(.init(fix.time, .gnssVelocity, .extrapolated)) }
    if planar != nil { guide(to: fix.time) }
  }

  /// The fix as the guard is told it. Navigators look for themselves, and report what they leave out.
  mutating func withoutRepeatedVelocity(_ fix: GNSSFix) -> GNSSFix {
    var measured = fix
    if extrapolation.examine(fix, speed: 0).velocity, !settings.disabled.contains(.extrapolationCheck) {
      measured.velocityNED = nil
    }
    return measured
  }

  /// Leaves a velocity out whose direction is an earlier one, for all who are told the fix.
  mutating func leaveHeldCourse(of fix: inout GNSSFix, report: (MeasurementVerdict) -> Void) {
    guard heldCourse.add(fix), !settings.disabled.contains(.extrapolationCheck) else { return }
    fix.velocityNED = nil
    report(.init(fix.time, .gnssVelocity, .extrapolated))
  }
}
