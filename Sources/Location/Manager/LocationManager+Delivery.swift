import Locks
import Navigation

extension LocationManager {
  /// Hands `event` to every sequence and the delegate. A region event that nobody is there for waits
  /// for the first who comes.
  func emit(_ event: LocationEvent) {
    let delegate = self.delegate
    let queues = state.withLock { state in
      let queues = state.queues.values.filter { $0.wants(event) }
      if case .region(let crossing) = event, queues.isEmpty, delegate == nil {
        state.unclaimed.append(crossing)
      }
      return queues
    }
    for queue in queues { queue.post(event) }
    guard let delegate else { return }
    if case .locations(let locations) = event {
      delegate.locationManager(self, didUpdate: locations)
    } else {
      delegate.locationManager(self, didReceive: event)
    }
    if case .region(let crossing) = event { acknowledge(crossing) }
  }

  /// The program has the event in hand.
  func acknowledge(_ event: RegionEvent) { send(.acknowledge(event: event.number)) }

  func add(_ queue: EventQueue) {
    delivery.withLock {
      let (isClosed, grant, hindrance) = state.withLock { state in
        state.queues[ObjectIdentifier(queue)] = queue
        return (state.isClosed, state.grant, state.hindrance)
      }
      if isClosed { return queue.finish() }
      // As with Core Location who comes late is told what holds: it would wait in vain for what has been.
      if let grant { queue.post(.authorizationChanged(grant.status, grant.accuracy)) }
      if let hindrance, queue.wants(.failed(hindrance)) { queue.post(.failed(hindrance)) }
      claim()
    }
  }

  /// What a taker left behind waits for the next, if there is no other who has it.
  func remove(_ queue: EventQueue) {
    let hasDelegate = delegate != nil
    state.withLock { state in
      guard state.queues.removeValue(forKey: ObjectIdentifier(queue)) != nil else { return }
      if hasDelegate { return }
      state.unclaimed += queue.crossings.filter { crossing in
        !state.queues.values.contains { $0.wants(.region(crossing)) }
      }
    }
  }

  /// Hands out what waited for somebody to be there.
  func claim() {
    delivery.withLock {
      let waiting = state.withLock { state in
        defer { state.unclaimed = [] }
        return state.unclaimed
      }
      for event in waiting { emit(.region(event)) }
    }
  }
}
