/// What one variant came to. Times are seconds of the drive, and every share is one of
/// ``StressCoverage/time`` of ``position``: the time with truth from the first solution on.
public struct StressFigures: Sendable, Equatable, Codable {
  /// A stretch of time in which something was wrong.
  public struct Piece: Sendable, Equatable, Codable {
    /// When it began, and how long it lasted, s.
    public var start: Double, length: Double
    /// The largest horizontal error in it and the 95 % radius that was stated then, m; nil
    /// where they were no numbers.
    public var error: Double?, radius: Double?
  }

  /// Horizontal position against the stated radii.
  public var position = StressCoverage()
  /// The same of each six minutes one after the other, the last of them shorter.
  public var windows: [StressCoverage] = []
  /// Its error against its 95 % radius.
  public var diagram = StressDiagram()
  /// Heading where it is claimed, course, speed and height against their stated standard deviations.
  public var heading = StressCoverage(), course = StressCoverage(), speed = StressCoverage(),
    height = StressCoverage()
  /// Time without a solution after the first one.
  public var unavailable = 0.0
  /// Time lost: over 30 m off although the last three fixes, all within 5 s, lay within 10 m of the truth.
  public var lost = 0.0
  /// The first stretch of it.
  public var lostFirst: Piece?
  /// Largest error while lost, m.
  public var lostWorst: Double?
  /// Time misleading: an error above twice the stated 95 % radius and above 5 m.
  public var misleading = 0.0
  /// The longest stretch of it.
  public var misleadingLongest: Piece?
  /// Time with the heading off by more than five stated standard deviations.
  public var headingBeyond = 0.0
  /// The same with the truth's own standard deviation added in quadrature, and when that was first.
  public var headingFalse = 0.0, headingFalseFrom: Double?
  /// 95 % of the errors while the fixes are good, and of the errors of these fixes, m.
  public var goodP95: Double?, fixP95: Double?
  /// Largest error while all fixes of the last 5 s, at least one, are good, m, and when.
  public var goodWorst: Double?, goodWorstAt: Double?
  /// Largest error of all, m, and when.
  public var worst: Double?, worstAt: Double?
  /// Seconds from the first second of driving above 3 m/s to the first claim of
  /// heading; 0 where it came before.
  public var headingAfter: Double?
  /// Of these, the seconds above 3 m/s.
  public var headingAfterDriving: Double?
  /// The same to the first heading, or course that is known as well as a heading has to be.
  public var directionAfterDriving: Double?
  /// Whether 20 s of such driving brought no heading.
  public var headingNever = false
  /// Solutions that are no place or speed of a car, and when the first was.
  public var impossible = 0, impossibleFrom: Double?
  /// How often the engine took the position or the heading anew.
  public var resets = 0

  init() {}

  /// ``goodP95`` over ``fixP95``; nil where that is below 1 m: there the truth was made of the fixes.
  public var goodRatio: Double? {
    guard let goodP95, let fixP95, fixP95 >= 1 else { return nil }
    return goodP95 / fixP95
  }
  /// Whether it was ever lost.
  public var isLost: Bool { lost > 0 }
  /// Whether it misled for over 2 s in one piece.
  public var isMisleading: Bool { (misleadingLongest?.length ?? 0) > 2 }
  /// Whether a heading was more than five standard deviations off for over 1 % of the time with one.
  public var isHeadingFalse: Bool { headingFalse > 0.01 * heading.time }
  /// Whether it deserves a line of its own.
  public var isBad: Bool { isLost || isMisleading || isHeadingFalse || impossible > 0 }
}
