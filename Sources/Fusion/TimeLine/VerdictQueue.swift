/// A ring of the newest verdicts that nobody has read yet; the oldest are overwritten.
struct VerdictQueue: Sendable {
  /// Room for verdicts: a second's, and over. [chosen]
  private static let capacity = 256
  private var ring: [MeasurementVerdict] = []
  private var first = 0
  private var count = 0

  init() { ring.reserveCapacity(Self.capacity) }

  mutating func append(_ verdict: MeasurementVerdict) {
    let slot = (first + count) % Self.capacity
    if slot == ring.count { ring.append(verdict) } else { ring[slot] = verdict }
    if count == Self.capacity { first = (first + 1) % Self.capacity } else { count += 1 }
  }

  mutating func next() -> MeasurementVerdict? {
    guard count > 0 else { return nil }
    defer {
      first = (first + 1) % Self.capacity
      count -= 1
    }
    return ring[first]
  }
}
