/// Work that may hang, on a thread of its own: it is waited for no longer than allowed, and then left behind.
public final class BoundedWork<Result: Sendable>: Sendable {
  private let thread: ReaderThread
  private let result = Guarded<Result?>(nil)

  /// Begins `body` on a thread of that name (the system keeps 15 bytes of it).
  public init(_ name: String, _ body: @escaping @Sendable () -> Result) throws(SourceError) {
    thread = try ReaderThread(name: name)
    try thread.start { [result] _ in
      let value = body()
      result.withLock { $0 = value }
    }
  }

  /// What came of it; nil if it has not ended within so many seconds.
  public func result(within seconds: Double) -> Result? {
    _ = thread.stop(within: seconds)
    return result.withLock { $0 }
  }
}
