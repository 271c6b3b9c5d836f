import Drives

/// One drive made another by the changes that a seed chooses, or by those that were asked for.
package struct StressVariant: Sendable {
  package let drive: StressDrive
  package let changes: [StressChange]
  /// Each change with its parameters.
  package let details: [String]

  /// The variant of `drive` by `seed`; `only` these changes, as far as they apply, instead
  /// of 1 to 3 that it chooses.
  ///
  /// A change draws its parameters from a stream of its own: they are the same with
  /// other changes and without.
  package init(of original: StressDrive, seed: UInt64, only: [StressChange] = []) {
    changes = Self.changes(of: original, seed: seed, only: only)
    var drive = original
    var details: [String] = []
    for change in changes {
      var random = StressRandom(seed: seed, stream: "\(original.description.name)/\(change.rawValue)")
      let parameters = change.apply(to: &drive, &random)
      details.append(change.rawValue + (parameters.map { " (\($0))" } ?? ""))
    }
    self.drive = drive
    self.details = details
  }

  /// The changes in the order in which they are applied; none where none applies.
  package static func changes(of drive: StressDrive, seed: UInt64, only: [StressChange]) -> [StressChange] {
    let applicable = StressChange.allCases.filter { $0.applies(to: drive) }
    if !only.isEmpty { return applicable.filter(only.contains) }
    var random = StressRandom(seed: seed, stream: "\(drive.description.name)/changes")
    let count = random.integer(1...3)
    var open = applicable.filter(\.isDrawn)
    var chosen: [StressChange] = []
    while chosen.count < count, !open.isEmpty {
      let change = open.remove(at: random.integer(0...open.count - 1))
      chosen.append(change)
      open.removeAll(where: change.excludes)
    }
    return applicable.filter(chosen.contains)
  }
}
