import LinearAlgebra
import Navigation

/// Finds a course that a slow receiver holds: many go on with the last one below some speed, where noise
/// would turn it, and state a velocity into that direction.
///
/// The speed is measured, and the direction is not, wherever the car turns meanwhile. A measured course
/// repeats itself only where its digits are few: that costs the velocities of a crawl.
package struct HeldCourse: Sendable {
  /// Speeds at which a repeated course is held, and matters, m/s. [chosen: receivers hold it below 0.1 to 3;
  /// what is slower is noise at rest]
  private static let slow = 0.2..<4.0
  /// Time for which it stays the same, s, and how often it comes again meanwhile. [chosen: two fixes of 5 Hz;
  /// a car that slow turns by 0.1 rad, and one in thirty of a good receiver's courses repeats itself]
  private static let least = 0.35, fewest = 2
  /// What a component of the velocity is rounded by, m/s. [chosen: receivers state mm/s]
  private static let rounding = 1e-3

  /// The fastest velocity of those with the same course, m/s, and when the first and the newest of them were.
  private var direction = Vector3.zero
  private var since = Timestamp(nanoseconds: 0), last = Timestamp(nanoseconds: 0)
  private var repeats = 0

  package init() {}

  /// Takes a fix; returns whether the direction of its velocity is one from before, and the car not at rest.
  package mutating func add(_ fix: GNSSFix) -> Bool {
    guard let velocity = fix.velocityNED else { return false }
    let speed = velocity.horizontalNorm, fastest = direction.horizontalNorm
    let along = velocity.x * direction.x + velocity.y * direction.y
    let across = abs(velocity.x * direction.y - velocity.y * direction.x)
    let isSame =
      0..<FixMotion.gap ~= fix.time.seconds(since: last) && fastest > 0 && along >= 0
      && across <= Self.rounding * (speed + fastest)
    last = fix.time
    repeats = isSame ? repeats + 1 : 0
    if !isSame { since = fix.time }
    if !isSame || speed > fastest { direction = velocity }
    return repeats >= Self.fewest && Self.slow.contains(speed)
      && fix.time.seconds(since: since) > Self.least
  }
}
