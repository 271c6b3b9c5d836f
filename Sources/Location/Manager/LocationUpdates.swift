import Locks

/// Everything that a manager tells, from the moment of the first request for an element:
/// each iteration has its own.
///
/// Who takes elements slowly loses old locations, headings and status, and nothing else.
public struct LocationUpdates: AsyncSequence, Sendable {
  /// What comes.
  public typealias Element = LocationEvent
  /// Errors are events: the sequence goes on after them.
  public typealias Failure = Never

  let manager: LocationManager

  /// Begins to take.
  public func makeAsyncIterator() -> Iterator { Iterator(subscription: Subscription(manager)) }

  /// One taker.
  public struct Iterator: AsyncIteratorProtocol {
    let subscription: Subscription

    /// The next event; nil once the manager was closed or the task cancelled.
    public mutating func next(isolation: isolated (any Actor)? = #isolation) async -> LocationEvent? {
      let event = await subscription.queue.next(isolation: isolation)
      if case .region(let crossing) = event { subscription.manager.acknowledge(crossing) }
      return event
    }
  }

  /// Ends with the last copy of its iterator.
  final class Subscription: Sendable {
    let manager: LocationManager
    let queue: EventQueue

    init(_ manager: LocationManager, _ interest: EventQueue.Interest = .everything) {
      self.manager = manager
      queue = EventQueue(interest)
      manager.add(queue)
    }

    deinit { manager.remove(queue) }
  }
}

/// Events on their way to one taker.
final class EventQueue: Sendable {
  /// What a taker is there for.
  enum Interest: Sendable {
    case everything
    /// All but crossings, which wait for those who take them.
    case allButRegions
    /// Crossings of regions whose name begins so.
    case regions(prefix: String)
  }

  private let interest: Interest

  init(_ interest: Interest = .everything) { self.interest = interest }

  /// Whether its taker is there for `event`.
  func wants(_ event: LocationEvent) -> Bool {
    let region: RegionEvent? = if case .region(let crossing) = event { crossing } else { nil }
    return switch interest {
    case .everything: true
    case .allButRegions: region == nil
    case .regions(let prefix): region?.identifier.hasPrefix(prefix) ?? false
    }
  }

  /// How many events with locations wait at most.
  static let mostLocations = 64

  private struct State {
    var events: [LocationEvent] = []
    var waiter: CheckedContinuation<Void, Never>?
    var isFinished = false
  }

  private let state = Mutex(State())

  func post(_ event: LocationEvent) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.isFinished { return nil }
      if event.isStatus { state.events.removeAll(where: \.isStatus) }
      if event.isHeading { state.events.removeAll(where: \.isHeading) }
      state.events.append(event)
      if event.isLocations, state.events.count(where: \.isLocations) > Self.mostLocations,
        let oldest = state.events.firstIndex(where: \.isLocations)
      {
        state.events.remove(at: oldest)
      }
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  /// Drops what waits and was stopped.
  func drop(_ isDropped: (LocationEvent) -> Bool) {
    state.withLock { $0.events.removeAll(where: isDropped) }
  }

  /// The crossings that nobody took.
  var crossings: [RegionEvent] {
    state.withLock { $0.events.compactMap { if case .region(let event) = $0 { event } else { nil } } }
  }

  func finish() {
    state.withLock { $0.isFinished = true }
    wake()
  }

  /// The next event. Who waits is only woken by an event and takes it when it runs again: what was stopped
  /// in between it never sees.
  func next(isolation: isolated (any Actor)?) async -> LocationEvent? {
    while true {
      let look = state.withLock { state -> LocationEvent?? in
        if !state.events.isEmpty { return .some(state.events.removeFirst()) }
        // A second task that waits on one iterator would never be answered: it ends instead.
        return state.isFinished || state.waiter != nil || Task.isCancelled ? .some(nil) : nil
      }
      if let look { return look }
      await withTaskCancellationHandler {
        await withCheckedContinuation(isolation: isolation) { continuation in
          let isReady = state.withLock { state in
            if !state.events.isEmpty || state.isFinished || state.waiter != nil || Task.isCancelled {
              return true
            }
            state.waiter = continuation
            return false
          }
          if isReady { continuation.resume() }
        }
      } onCancel: {
        wake()
      }
    }
  }

  private func wake() {
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }
}
