import Locks

/// The newest value, from one thread to any others. The one that stores never waits: a reader that is held up
/// in the middle of reading, by a busy computer, keeps one of three places occupied, and the others are free.
final class Newest<Value: Sendable>: Sendable {
  private let first = Mutex<Value?>(nil)
  private let second = Mutex<Value?>(nil)
  private let third = Mutex<Value?>(nil)
  private let place = Atomic(0)

  /// For one thread only. Where readers occupy all places the value is left out: the next comes soon.
  func store(_ new: Value) {
    let current = place.load(ordering: .relaxed)
    for i in 1...2 {
      let next = (current + i) % 3
      guard put(new, next) else { continue }
      place.store(next, ordering: .releasing)
      return
    }
  }

  func load() -> Value? {
    switch place.load(ordering: .acquiring) {
    case 0: first.withLock { $0 }
    case 1: second.withLock { $0 }
    default: third.withLock { $0 }
    }
  }

  private func put(_ new: Value, _ place: Int) -> Bool {
    switch place {
    case 0: first.withLockIfAvailable { $0 = new } != nil
    case 1: second.withLockIfAvailable { $0 = new } != nil
    default: third.withLockIfAvailable { $0 = new } != nil
    }
  }
}
