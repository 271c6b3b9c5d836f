#if SANITIZED_LOCKS
  import SanitizedLock

  /// Stands before the standard library's here.
  typealias Mutex<Value: ~Copyable> = SanitizedLock.Mutex<Value>
#endif
