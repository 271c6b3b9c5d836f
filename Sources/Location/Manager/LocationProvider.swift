/// What a manager talks to: a service behind a socket, or one in the same process.
package protocol LocationProvider: AnyObject, Sendable {
  /// Begins; `receive` is called on one thread at a time, in order, until ``close()``.
  func open(_ receive: @escaping @Sendable (LocationProviderEvent) -> Void)
  /// Sends, or drops while there is no connection. Never waits.
  func send(_ message: ClientMessage)
  /// Ends. Nothing is received after it, but for a call that is going on.
  func close()
}

/// What comes from a provider.
package enum LocationProviderEvent: Sendable {
  /// A connection stands; nothing has been said on it.
  case connected
  /// The service says something.
  case message(ServiceMessage)
  /// The connection is gone; it is being tried again.
  case disconnected(LocationError)
}
