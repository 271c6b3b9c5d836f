import CMachine

/// Readings of one kind of call in nanoseconds, repeat by repeat: the same calls, in the
/// same order, in every repeat.
package struct Readings {
  private var repeats: [[Int]] = []
  /// Nanoseconds that the reference work took, at best.
  package private(set) var reference = Int.max

  package init() {}

  /// Begins the next repeat. Machines run faster and slower, for minutes at a time where others share them:
  /// fixed work that is timed beside the readings tells such a change from one of the program.
  package mutating func beginRepeat() {
    repeats.append([])
    var times = [Int]()
    for _ in 0..<25 {
      let start = Stopwatch.now
      let result = machine_reference_work()
      times.append(Stopwatch.now - start)
      precondition(result.isFinite, "a product of finite matrices is finite")
    }
    reference = min(reference, Distribution(times).p50)
  }

  package mutating func add(_ reading: Int) { repeats[repeats.count - 1].append(reading) }

  package var isEmpty: Bool { repeats.allSatisfy(\.isEmpty) }

  /// All of them, what the system did meanwhile included.
  package var all: Distribution { Distribution(repeats.joined()) }

  /// The least reading of each call over the repeats: what is left is the engine's, not the system's.
  package var quiet: Distribution { Self.quiet(repeats[...]) }

  /// How far the quiet 99 % of the first half of the repeats is from that of the second: more
  /// than that of all strays.
  package var tailSpread: Double {
    guard repeats.count > 1 else { return .infinity }
    let half = repeats.count / 2
    return Double(abs(Self.quiet(repeats[..<half]).p99 - Self.quiet(repeats[half...]).p99))
  }

  private static func quiet(_ repeats: ArraySlice<[Int]>) -> Distribution {
    let count = repeats.map(\.count).min() ?? 0
    return Distribution((0..<count).map { call in repeats.lazy.map { $0[call] }.min() ?? 0 })
  }

  /// Standard deviation of a repeat's median, by the median of absolute deviations.
  package var spread: Double {
    let medians = repeats.map { Distribution($0).p50 }
    let middle = Distribution(medians).p50
    return 1.4826 * Double(Distribution(medians.map { abs($0 - middle) }).p50)
  }
}
