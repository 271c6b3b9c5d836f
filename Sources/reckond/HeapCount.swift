import CAllocations

/// Blocks of memory that a thread takes from the heap, for the figures of the engine.
enum HeapCount {
  /// Those of the thread that asks, so far; nil where the system's own malloc is in the way of counting.
  static let ofThread: (@Sendable () -> UInt64)? = allocations_are_counted() ? count : nil

  @Sendable private static func count() -> UInt64 { allocation_count() }
}
