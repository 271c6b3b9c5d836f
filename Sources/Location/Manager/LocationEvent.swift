/// One thing that a manager has to tell.
public enum LocationEvent: Sendable, Equatable {
  /// New locations of the standard service, oldest first: one, or a deferred batch.
  case locations([Location])
  /// The car has moved by some 500 m.
  case significantChange([Location])
  /// The car has parked, or left: then it has a departure.
  case visit(Visit)
  /// The car points elsewhere.
  case heading(Heading)
  /// Something is not as wished. Transient errors pass by themselves.
  case failed(LocationError)
  /// A service does not run, or no longer, because the client may not know what it tells, or there is
  /// no room for its name: the error says which.
  case refused(ExactService, LocationError)
  /// What the client may know has changed, or, to who has just begun to take events, what it is.
  case authorizationChanged(AuthorizationStatus, AccuracyAuthorization)
  /// Updates pause, because the car stands for long.
  case paused
  /// Updates go on.
  case resumed
  /// An edge was crossed, perhaps while the client was away.
  case region(RegionEvent)
  /// A region is monitored from now on, also while the program is away and across restarts.
  case regionMonitoringStarted(identifier: String)
  /// A region cannot be monitored, or no longer.
  case regionMonitoringFailed(identifier: String, LocationError.RegionFailure)
  /// The call to defer of that number has ended.
  case deferredFinished(number: Int64, DeferralReason)
  /// How the service is doing: every second, and when it changes.
  case status(LocationStatus)

  var isLocations: Bool { if case .locations = self { true } else { false } }
  var isSignificantChange: Bool { if case .significantChange = self { true } else { false } }
  var isVisit: Bool { if case .visit = self { true } else { false } }
  var isHeading: Bool { if case .heading = self { true } else { false } }
  var tellsPlaces: Bool { isLocations || isSignificantChange || isVisit || isHeading }
  var isStatus: Bool { if case .status = self { true } else { false } }
}
