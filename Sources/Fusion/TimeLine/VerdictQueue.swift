/// A ring of the newest verdicts that nobody has read yet; the oldest are overwritten.
struct VerdictQueue: Sendable {
  private static let capacity = 256
  private var ring: [MeasurementVerdict] = []
  private var first = 0

  init() { ring.reserveCapacity(Self.capacity) }

  mutating func append(_ verdict: MeasurementVerdict) {
    if ring.count - first == Self.capacity { first += 1 }
    if ring.count == Self.capacity {
      ring.removeFirst(first)
      first = 0
    }
    ring.append(verdict)
  }

  mutating func next() -> MeasurementVerdict? {
    guard first < ring.count else { return nil }
    defer {
      first += 1
      if first == ring.count {
        ring.removeAll(keepingCapacity: true)
        first = 0
      }
    }
    return ring[first]
  }
}
