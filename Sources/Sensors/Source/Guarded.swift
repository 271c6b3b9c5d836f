import Locks

/// A ``Mutex`` that several may share.
package final class Guarded<Value>: Sendable {
  private let value: Mutex<Value>

  /// Guards `value`.
  package init(_ value: sending Value) { self.value = Mutex(value) }

  /// Lets `body` use the value while no other thread does.
  package func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try value.withLock(body)
  }
}
