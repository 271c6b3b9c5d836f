import CLibrary

/// A value that one thread at a time may touch.
///
/// By a lock of the system's threads and not by `Mutex`, which ThreadSanitizer does not know on Linux: each
/// use of it would be reported as a race.
package final class Guarded<Value>: @unchecked Sendable {
  // Sendable unchecked: `value` is touched under the lock only.
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  /// Guards `value`.
  package init(_ value: sending Value) {
    self.value = value
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Lets `body` use the value while no other thread does.
  package func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result)
    throws(Failure) -> Result
  {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value)
  }
}
