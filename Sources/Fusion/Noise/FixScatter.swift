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
  /// Median of the sum of two squares of normal errors of variance 1. [chosen: 2 ln 2]
  private static let normalMedian = 1.386
  /// Standard deviation per axis that is taken for certain until five fixes have shown what is, m: a receiver
  /// that says centimetres may scatter by metres, and two such fixes make a speed of 24 m/s of a slow car.
  /// [measured on 576 noisier starts: 0, 0.7, 1.0, 1.4 have 25, 18, 15, 17 lost, for 75, 56, 65, 71 s]
  private static let first = 1.0

  private var positions: (GeodeticPosition, GeodeticPosition)?
  private var times = (Timestamp(nanoseconds: 0), Timestamp(nanoseconds: 0))
  private var nearbyCurvature = NearbyCurvature()
  private var squares = InlineArray<5, Double>(repeating: first * first / (share / normalMedian))
  private var next = 0

  /// Variance per horizontal axis of what changes from fix to fix, at least, m².
  package private(set) var variance = first * first

  package init() {}

  /// Takes a fix.
  package mutating func add(_ fix: GNSSFix) {
    var newest = fix.position
    newest.height = 0
    guard let (first, middle) = positions, fix.time.seconds(since: times.0) < Self.longest,
      fix.time > times.1
    else {
      if positions != nil { note(0) }
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
    note(excess * excess / (1 + share * share + (1 - share) * (1 - share)))
  }

  /// Takes the square of a distance, over what it is of one error.
  @inline(__always) private mutating func note(_ square: Double) {
    squares[next] = square
    next = (next + 1) % Self.count
    variance = Self.share * median / Self.normalMedian
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
