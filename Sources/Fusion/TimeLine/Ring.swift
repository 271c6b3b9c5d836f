/// A queue that takes elements at its end or near it and drops them at its front, in slots that are allocated
/// once: more only where they do not suffice.
struct Ring<Element: Sendable>: Sendable {
  private var slots: [Element]
  private var first = 0
  private(set) var count = 0

  /// A ring of `capacity` slots, which `element` is written to: a system gives memory only
  /// then, and takes its time.
  init(capacity: Int, writing element: Element) {
    slots = Array(repeating: element, count: capacity)
  }

  /// The `i`-th element, 0 being the oldest.
  subscript(_ i: Int) -> Element {
    _read { yield slots[slot(i)] }
    _modify { yield &slots[slot(i)] }
  }

  /// Lets `write` make an element before the `place`-th of one that is of no more use, where it lies, and
  /// moves those up that come after it.
  @inline(__always) mutating func insert(at place: Int, _ write: (inout Element) -> Void) {
    if count == slots.count { grow() }
    var i = count
    count += 1
    while i > place {
      self[i] = self[i - 1]
      i -= 1
    }
    write(&self[place])
  }

  mutating func removeFirst(_ number: Int) {
    precondition(number <= count, "more than there is")
    first = slot(number)
    count -= number
  }

  mutating func removeAll() { removeFirst(count) }

  private mutating func grow() {
    slots = (0..<2 * count).map { self[$0 % count] }
    first = 0
  }

  @inline(__always) private func slot(_ i: Int) -> Int {
    let slot = first + i
    return slot < slots.count ? slot : slot - slots.count
  }
}
