import LinearAlgebra

/// Raw values of three axes.
package typealias RawTriad = SIMD3<Int64>

/// Watches the three axes of one sensor for values that do not move, or that are at the end of their range.
package struct TriadWatch: Sendable {
  /// A value at its limit for so long, in seconds, is not a bump but a wrong range or a broken axis.
  static let longestSaturation = 0.2
  /// How long an axis must be well again before it is believed, in seconds.
  static let probation = 0.5
  /// Changes of value within the probation that show an axis to move.
  static let movesForRecovery = 10

  struct Axis: Sendable {
    var value: Int64 = 0
    var constantSince = 0.0
    var saturatedSince: Double?
    var wellSince: Double?
    var moves = 0
    // Extremes in the window that runs, and the range (in steps) of the one before.
    var least = Int64.max
    var greatest = Int64.min
    var range: UInt64 = 0

    /// Steps between its extremes in the last second or two.
    var activity: UInt64 {
      greatest >= least ? max(range, UInt64(bitPattern: greatest &- least)) : range
    }
  }

  private(set) var axes = [Axis](repeating: Axis(), count: 3)
  /// Samples with an axis at its limit, so far.
  package private(set) var saturations = 0
  private let limits: [ClosedRange<Int64>]
  private var windowStart = -Double.infinity
  private(set) var count = 0

  /// Axes with the ranges of their formats.
  package init(limits: [ClosedRange<Int64>]) {
    precondition(limits.count == 3, "a triad has three axes")
    self.limits = limits
  }

  /// Takes a sample at `time` in seconds.
  mutating func add(_ raw: RawTriad, at time: Double) {
    let windowEnds = time - windowStart >= 1
    if windowEnds { windowStart = time }
    var isSaturated = false
    for index in 0..<3 {
      let value = raw[index]
      if windowEnds {
        axes[index].range = count == 0 ? 0 : UInt64(bitPattern: axes[index].greatest &- axes[index].least)
        axes[index].least = value
        axes[index].greatest = value
      }
      axes[index].least = min(axes[index].least, value)
      axes[index].greatest = max(axes[index].greatest, value)
      if count == 0 || value != axes[index].value {
        axes[index].value = value
        axes[index].constantSince = time
        axes[index].moves += 1
      }
      if value <= limits[index].lowerBound || value >= limits[index].upperBound {
        isSaturated = true
        axes[index].saturatedSince = axes[index].saturatedSince ?? time
      } else {
        axes[index].saturatedSince = nil
      }
    }
    if isSaturated { saturations += 1 }
    count += 1
  }

  /// Judges axis `index` at `time`, given whether it has been constant for too long.
  mutating func isFaulty(_ index: Int, frozen: Bool, wasFaulty: Bool, at time: Double) -> Bool {
    let stuck = axes[index].saturatedSince.map { time - $0 >= Self.longestSaturation } ?? false
    if frozen || stuck {
      axes[index].wellSince = nil
      return true
    }
    guard wasFaulty else { return false }
    // A broken axis that twitches once is still broken.
    let isRestless = axes[index].saturatedSince == nil && time - axes[index].constantSince < Self.probation
    guard isRestless, let since = axes[index].wellSince else {
      axes[index].wellSince = isRestless ? time : nil
      axes[index].moves = 0
      return true
    }
    return time - since < Self.probation || axes[index].moves < Self.movesForRecovery
  }

  /// How long axis `index` has shown one value, in seconds, at `time`.
  func constantFor(_ index: Int, at time: Double) -> Double {
    count == 0 ? 0 : time - axes[index].constantSince
  }

  /// How long no axis has changed, in seconds, at `time`.
  func allConstantFor(at time: Double) -> Double {
    min(constantFor(0, at: time), constantFor(1, at: time), constantFor(2, at: time))
  }

  /// Whether axis `index` is at its limit for good.
  func isStuckAtLimit(_ index: Int, at time: Double) -> Bool {
    axes[index].saturatedSince.map { time - $0 >= Self.longestSaturation } ?? false
  }

  /// The most that any axis but `index` has moved in the last second or two, in steps.
  func activity(besides index: Int? = nil) -> UInt64 {
    (0..<3).filter { $0 != index }.map { axes[$0].activity }.max() ?? 0
  }
}
