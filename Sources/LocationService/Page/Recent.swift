import Navigation

/// The newest of something, each with a number, for so many seconds and never more than so many.
struct Recent<Element: Sendable>: Sendable {
  /// Seconds for which one is kept.
  static var memory: Double { 600 }

  private let most: Int
  private var elements: [(time: Timestamp, element: Element)] = []
  /// The number of the oldest.
  private(set) var first = 0

  init(most: Int) { self.most = most }

  var count: Int { elements.count }
  /// The number that the next will have.
  var end: Int { first + elements.count }
  var newestTime: Timestamp? { elements.last?.time }

  /// Takes one of `time`; what is too old goes.
  mutating func append(_ element: Element, at time: Timestamp) {
    elements.append((time, element))
    let old = elements.prefix { time.seconds(since: $0.time) > Self.memory }.count
    drop(max(old, elements.count - most))
  }

  /// Those from `number` on, at most so many.
  func since(_ number: Int, most: Int) -> ArraySlice<(time: Timestamp, element: Element)> {
    elements.dropFirst(max(0, number - first)).prefix(most)
  }

  /// Forgets all of them; numbers go on.
  mutating func removeAll() { drop(elements.count) }

  private mutating func drop(_ count: Int) {
    guard count > 0 else { return }
    elements.removeFirst(count)
    first += count
  }
}
