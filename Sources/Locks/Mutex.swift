// What this package takes of Synchronization: files import Locks, and have the same.
@_exported import Synchronization

#if SANITIZED_LOCKS
  import CLibrary

  /// In the place of the standard library's `Mutex`, with a lock of the system's threads,
  /// where ThreadSanitizer watches: it does not know the futex of the other on Linux, and
  /// takes each use of it for a race.
  public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    // Sendable unchecked: the value is touched under the lock only.
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    /// Guards `initialValue`.
    public init(_ initialValue: consuming sending Value) {
      pthread_mutex_init(lock, nil)
      value.initialize(to: initialValue)
    }

    deinit {
      pthread_mutex_destroy(lock)
      lock.deallocate()
      value.deinitialize(count: 1)
      value.deallocate()
    }

    /// Lets `body` use the value while no other thread does.
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      return try body(&value.pointee)
    }

    /// The same, or nil where another thread uses the value.
    public borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
      guard pthread_mutex_trylock(lock) == 0 else { return nil }
      defer { pthread_mutex_unlock(lock) }
      return try body(&value.pointee)
    }
  }
#endif
