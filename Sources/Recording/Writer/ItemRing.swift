import Locks

/// A bounded queue from one thread to one other, without lock and without waiting on either side.
///
/// Its safety is not checked, because the compiler cannot see who touches a slot: the producer only while it
/// is free, the consumer only while it is filled; `filled` and `freed` hand it over by release and acquire.
/// Neither side can stop the process: a full queue counts, an empty one gives nothing.
final class ItemRing: @unchecked Sendable {
  /// An item, and how many found no room before it.
  struct Entry {
    var lostBefore: Int
    var item: RecordedItem
  }

  private let slots: UnsafeMutablePointer<Entry>
  private let capacity: Int
  /// Items put in so far.
  private let filled = Atomic<Int>(0)
  /// Items taken out so far.
  private let freed = Atomic<Int>(0)
  /// Items that found no room since the last one that did.
  private let lost = Atomic<Int>(0)

  /// A queue for so many items, at least one: ``RecordingWriter`` refuses other settings with an error.
  init(capacity: Int) {
    self.capacity = capacity
    slots = .allocate(capacity: capacity)
  }

  deinit {
    while take() != nil {}
    slots.deallocate()
  }

  /// Puts an item in; false, and counted, where there is no room. For one thread.
  func put(_ item: RecordedItem) -> Bool {
    let next = filled.load(ordering: .relaxed)
    guard next - freed.load(ordering: .acquiring) < capacity else {
      lost.add(1, ordering: .relaxed)
      return false
    }
    (slots + next % capacity).initialize(
      to: Entry(lostBefore: lost.exchange(0, ordering: .relaxed), item: item))
    filled.store(next + 1, ordering: .releasing)
    return true
  }

  /// Takes the oldest item. For one other thread.
  func take() -> Entry? {
    let next = freed.load(ordering: .relaxed)
    guard next < filled.load(ordering: .acquiring) else { return nil }
    let entry = (slots + next % capacity).move()
    freed.store(next + 1, ordering: .releasing)
    return entry
  }

  /// Items that found no room and were followed by none that did; for the consumer once
  /// the producer has stopped.
  func takeLost() -> Int { lost.exchange(0, ordering: .relaxed) }
}
