import LinearAlgebra
import Navigation

/// How much fixes scatter for certain: by more than any car moves between them.
///
/// Where a fix lies off the middle of its neighbours by more than an acceleration explains, its error changes
/// from fix to fix. That needs no navigator, so that one which believed the receiver's word, and takes all
/// its fixes for faults, is told.
package struct FixScatter: Sendable {
  /// What no car exceeds for long, m/s². [chosen: half a g]
  private static let largestAcceleration = 5.0
  /// Longest time over which three fixes are compared, s. [chosen]
  private static let longest = 3.0
  /// Of so many newest the middle one counts: a jump of the receiver's makes two large ones. [chosen]
  private static let count = 5
  /// Part of the variance that is certain.
  /// [measured between towers: an error of a few seconds looks like one of white noise]
  private static let share = 0.25

  private var positions: (GeodeticPosition, GeodeticPosition)?
  private var times = (Timestamp(nanoseconds: 0), Timestamp(nanoseconds: 0))
  private var nearbyCurvature = NearbyCurvature()
  private var squares = InlineArray<5, Double>(repeating: 0)
  private var next = 0

  /// Variance per horizontal axis of what changes from fix to fix, at least, m².
  package private(set) var variance = 0.0

  package init() {}

  /// Takes a fix.
  package mutating func add(_ fix: GNSSFix) {
    var newest = fix.position
    newest.height = 0
    guard let (first, middle) = positions, fix.time.seconds(since: times.0) < Self.longest,
      fix.time > times.1
    else {
      positions = (newest, newest)
      times = (fix.time, fix.time)
      return
    }
    defer {
      positions = (middle, newest)
      times = (times.1, fix.time)
    }
    let (before, after) = (times.1.seconds(since: times.0), fix.time.seconds(since: times.1))
    guard before > 0 else { return }
    let share = before / (before + after)
    let curvature = nearbyCurvature.at(first)
    let way = newest.ned(from: first, by: curvature)
    let off = (middle.ned(from: first, by: curvature) - way * share).horizontalNorm
    let motion = Self.largestAcceleration / 2 * before * after
    let excess = max(0, off - motion)
    squares[next] = excess * excess / (1 + share * share + (1 - share) * (1 - share))
    next = (next + 1) % Self.count
    // The median of the sum of two squares of normal errors is 2 ln 2 of their variance.
    variance = Self.share * median / 1.386
  }

  @inline(__always) private var median: Double {
    var sorted = squares
    for i in 1..<Self.count {
      var j = i
      while j > 0, sorted[j - 1] > sorted[j] {
        (sorted[j - 1], sorted[j]) = (sorted[j], sorted[j - 1])
        j -= 1
      }
    }
    return sorted[Self.count / 2]
  }
}
