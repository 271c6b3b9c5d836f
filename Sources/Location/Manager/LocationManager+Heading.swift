import Locks

extension LocationManager {
  /// Degrees by which the heading must turn to be told again, at first 1; nil for every one. It is
  /// measured from the last one told.
  public var headingFilter: Double? {
    get { state.withLock { $0.headingFilter } }
    set {
      delivery.withLock {
        let session = state.withLock { state in
          state.headingFilter = newValue
          return state.sessions.heading
        }
        if let session { send(.startHeading(session: session, filter: headingFilter)) }
      }
    }
  }

  /// The newest heading that this manager was told; nil before the first.
  public var heading: Heading? { state.withLock { $0.heading } }

  /// Starts to tell which way the car's nose points, as ``LocationEvent/heading(_:)``. Nothing comes while
  /// that is not known. With reduced accuracy there is none: ``LocationEvent/refused(_:_:)`` says so, and
  /// it begins once accuracy is full.
  public func startUpdatingHeading() {
    delivery.withLock {
      dropQueued(\.isHeading)
      begin(\.heading) { .startHeading(session: $0, filter: headingFilter) }
    }
  }

  /// Ends that: nothing of it arrives after this returns.
  public func stopUpdatingHeading() {
    end(\.heading, .stopHeading, dropping: \.isHeading)
  }

  func take(_ heading: Heading, ofSession session: Int64) {
    let isWanted = state.withLock { state in
      guard state.sessions.heading == session else { return false }
      state.heading = heading
      return true
    }
    if isWanted { emit(.heading(heading)) }
  }
}
