import Navigation
import SensorEvents

/// Which source of a kind is in use, where there are several: the first that speaks, until it falls silent.
struct SourceChoice: Sendable {
  enum Verdict: Sendable {
    case use
    /// In use from now on, in place of another.
    case takeOver
    /// Another is in use.
    case spare
  }

  private(set) var source: SourceID?
  private var lastUsed: Timestamp?

  /// Whether a sample of `candidate` that came at `arrival` is to be used.
  mutating func consider(_ candidate: SourceID, at arrival: Timestamp, patience: Double) -> Verdict {
    guard let source, let last = lastUsed, source != candidate else {
      self.source = candidate
      lastUsed = max(lastUsed ?? arrival, arrival)
      return .use
    }
    guard arrival.seconds(since: last) > patience else { return .spare }
    self.source = candidate
    lastUsed = arrival
    return .takeOver
  }
}

/// Which source of each role is in use.
struct SourceChoices: Sendable {
  private var choices = SourceRole.allCases.map { _ in SourceChoice() }

  subscript(role: SourceRole) -> SourceChoice {
    get { choices[Self.place(role)] }
    _modify { yield &choices[Self.place(role)] }
  }

  private static func place(_ role: SourceRole) -> Int { SourceRole.allCases.firstIndex(of: role) ?? 0 }
}
