import Synchronization

/// The newest value, from one thread to any others.
final class Newest<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)

  func store(_ new: Value) { value.withLock { $0 = new } }
  func load() -> Value? { value.withLock { $0 } }
}
