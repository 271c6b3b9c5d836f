import Navigation

/// The fixes of the last seconds and how far they lay from the truth at their own times.
struct FixWatch: Sendable {
  /// A fix up to this far from the truth is good, m.
  static let goodError = 10.0
  /// Fixes up to this age say where the car is, s.
  static let longestAge = 5.0

  private var recent: [(time: Timestamp, error: Double?)] = []
  private(set) var goodErrors: [Double] = []

  /// Takes a fix when it arrives; `error` is nil where there is no truth at its time.
  mutating func add(_ time: Timestamp, error: Double?) {
    recent.append((time, error))
    if recent.count > 400 { recent.removeFirst(200) }
    if let error, error <= Self.goodError { goodErrors.append(error) }
  }

  /// Whether the last three fixes, all of the last 5 s, are good.
  func areLastThreeGood(at now: Timestamp) -> Bool {
    recent.count >= 3 && recent.suffix(3).allSatisfy { isGood($0, at: now, age: Self.longestAge) }
  }

  /// Whether the last fix is good and no older than 2.5 s.
  func isLastGood(at now: Timestamp) -> Bool { recent.last.map { isGood($0, at: now, age: 2.5) } ?? false }

  /// Whether there are fixes of the last 5 s, and all of them are good.
  func areAllGood(at now: Timestamp) -> Bool {
    guard let last = recent.last, isGood(last, at: now, age: Self.longestAge) else { return false }
    return recent.reversed().prefix { now.seconds(since: $0.time) <= Self.longestAge }
      .allSatisfy { isGood($0, at: now, age: Self.longestAge) }
  }

  private func isGood(_ fix: (time: Timestamp, error: Double?), at now: Timestamp, age: Double) -> Bool {
    guard let error = fix.error else { return false }
    return error <= Self.goodError && now.seconds(since: fix.time) <= age
  }
}
