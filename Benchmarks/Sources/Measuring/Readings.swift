/// Readings of one kind of call in nanoseconds, repeat by repeat: the same calls, in the same order, in every repeat.
package struct Readings {
  private var repeats: [[Int]] = []

  package init() {}

  /// Begins the next repeat.
  package mutating func beginRepeat() { repeats.append([]) }

  package mutating func add(_ reading: Int) { repeats[repeats.count - 1].append(reading) }

  package var isEmpty: Bool { repeats.allSatisfy(\.isEmpty) }

  /// All of them, what the system did meanwhile included.
  package var all: Distribution { Distribution(repeats.joined()) }

  /// The least reading of each call over the repeats: what is left is the engine's, not the system's.
  package var quiet: Distribution {
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
