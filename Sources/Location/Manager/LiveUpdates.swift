import Locks
import Navigation

/// One thing that live updates tell, as Core Location's `CLLocationUpdate`: a place, or why there is none.
public struct LocationUpdate: Sendable, Equatable {
  /// The place; nil where the update tells of something else.
  public var location: Location?
  /// Whether the car stands, as far as this client may know.
  public var isStationary = false
  /// Why nothing is told; nil while this client is let.
  public var denial: LocationError.DenialReason?
  /// Whether this client is told the place to some kilometres only.
  public var isAccuracyLimited = false
  /// Why the place is not known; nil while it is.
  public var unknown: LocationError.UnknownReason?
  /// Whether the service cannot be reached; it is looked for again and again.
  public var isServiceUnreachable = false

  /// Whether this client is refused: by a decision, or because location services are off.
  public var isAuthorizationDenied: Bool { denial == .deniedForClient || denial == .serviceDisabled }
  /// Whether nobody has decided about this client yet.
  public var isAuthorizationAwaited: Bool { denial == .notDetermined }
  /// Whether the place is not known now.
  public var isLocationUnavailable: Bool { unknown != nil || isServiceUnreachable }
}

/// Locations from the first request for an element until the last iterator is gone: the standard service runs
/// that long.
///
/// ```swift
/// for await update in manager.liveUpdates() {
///   if let location = update.location { show(location) }
///   if update.isAuthorizationAwaited { print("reckon authorize allow \(manager.identifier)") }
/// }
/// ```
public struct LiveUpdates: AsyncSequence, Sendable {
  /// What comes.
  public typealias Element = LocationUpdate
  /// What hinders is an update: the sequence goes on after it.
  public typealias Failure = Never

  let manager: LocationManager

  /// Begins to take, and starts the service if it does not run.
  public func makeAsyncIterator() -> Iterator { Iterator(manager) }

  /// One taker.
  public struct Iterator: AsyncIteratorProtocol {
    private let events: LocationUpdates.Subscription
    private let run: Run
    private var state = LocationUpdate()

    init(_ manager: LocationManager) {
      // Listening first: what is known already is told at the start.
      events = LocationUpdates.Subscription(manager, .allButRegions)
      run = Run(manager)
    }

    /// The next update; nil once the manager was closed or the task cancelled.
    public mutating func next(isolation: isolated (any Actor)? = #isolation) async -> LocationUpdate? {
      while let event = await events.queue.next(isolation: isolation) {
        if let update = state.next(after: event) { return update }
      }
      return nil
    }
  }

  /// Keeps the service running.
  private final class Run: Sendable {
    private let manager: LocationManager

    init(_ manager: LocationManager) {
      self.manager = manager
      manager.beginLiveUpdates()
    }

    deinit { manager.endLiveUpdates() }
  }
}

extension LocationUpdate {
  /// Takes an event in; what there is to tell after it, if anything. What hinders is told once, and again
  /// when it changes.
  mutating func next(after event: LocationEvent) -> LocationUpdate? {
    let before = self
    switch event {
    case .locations(let locations):
      guard let newest = locations.last else { return nil }
      (denial, unknown, isServiceUnreachable) = (nil, nil, false)
      isAccuracyLimited = newest.sources.contains(.reduced)
      isStationary = newest.mode == .stationary
      var update = self
      update.location = newest
      return update
    case .failed(.denied(let reason)): denial = reason
    case .failed(.serviceUnreachable): isServiceUnreachable = true
    case .failed(.locationUnknown(let reason)): unknown = reason
    case .authorizationChanged(let status, let accuracy):
      denial = AuthorizationPolicy.Grant(status, accuracy).denial
      isAccuracyLimited = accuracy == .reduced
    case .status(let status):
      isServiceUnreachable = false
      unknown = status.unknown
      if let mode = status.mode { isStationary = mode == .stationary }
    case .failed, .significantChange, .paused, .resumed, .region, .regionMonitoringStarted,
      .regionMonitoringFailed, .deferredFinished, .visit, .heading, .refused:
      break
    }
    return self == before ? nil : self
  }
}

extension LocationManager {
  /// Locations, and what hinders them, for as long as they are taken: nothing has to be started or stopped.
  /// Without `activity` that of the manager counts.
  public func liveUpdates(_ activity: ActivityType? = nil) -> LiveUpdates {
    if let activity { activityType = activity }
    return LiveUpdates(manager: self)
  }

  func beginLiveUpdates() {
    delivery.withLock {
      let mustStart = state.withLock { state in
        state.liveUpdates += 1
        return state.sessions.standard == nil
      }
      guard mustStart else { return }
      startUpdatingLocation()
      state.withLock { $0.sessions.isForLiveUpdates = true }
    }
  }

  func endLiveUpdates() {
    delivery.withLock {
      let mustStop = state.withLock { state in
        state.liveUpdates -= 1
        return state.liveUpdates == 0 && state.sessions.isForLiveUpdates && state.sessions.standard != nil
      }
      if mustStop { stopUpdatingLocation() }
    }
  }
}
