import Navigation
import Release

/// What the service says to a client.
package enum ServiceMessage: Sendable, Equatable {
  /// The client is heard and let. `version` is the protocol's, `release` the service's own, nil where it does
  /// not say; what this program says itself bears its own.
  case welcome(version: Int64, accuracy: AccuracyAuthorization, release: String? = Release.version)
  /// Locations of a session of a service.
  case locations(Service, session: Int64, [Location])
  /// The car has parked, or left.
  case visits(session: Int64, [Visit])
  /// The car points elsewhere.
  case heading(session: Int64, Heading)
  /// Something is not as wished.
  case failed(LocationError)
  /// A service does not run, or no longer.
  case refused(ExactService, LocationError)
  /// What the client may know has changed.
  case authorization(AuthorizationPolicy.Grant)
  /// Updates pause.
  case paused(session: Int64)
  /// Updates go on.
  case resumed(session: Int64)
  /// An edge was crossed; to be acknowledged.
  case regionEvent(RegionEvent)
  /// Where the car stands to a region.
  case regionState(identifier: String, RegionState)
  /// A region is monitored from now on, also across restarts.
  case regionStarted(identifier: String)
  /// A region cannot be monitored.
  case regionFailed(identifier: String, LocationError.RegionFailure)
  /// The monitored regions.
  case regions([Region])
  /// A call to defer has ended.
  case deferredFinished(number: Int64, DeferralReason)
  /// The answer to a request.
  case answer(number: Int64, Result<Location, LocationError>)
  /// Until when full accuracy is given, on the host's clock, or why it is not; nil: for good.
  case temporaryFullAccuracy(number: Int64, Result<Timestamp?, LocationError>)
  /// Where the car was, or that it is kept from now on.
  case history(number: Int64, Result<[Location], LocationError>)
  /// How the service is doing.
  case status(LocationStatus)
  /// What has been decided, and who used location.
  case authorizations([Decision], [UsageAudit.Entry])

  /// The services that send locations.
  package enum Service: String, Sendable, CaseIterable {
    case standard
    case significantChange
  }

  /// What was decided about a client.
  package struct Decision: Sendable, Equatable {
    package var client: ClientIdentity
    /// Nil of one whose decision was forgotten, where that is not written.
    package var grant: AuthorizationPolicy.Grant?
    /// Whether it is on the disk, and outlives a restart.
    package var isStored: Bool

    package init(client: ClientIdentity, grant: AuthorizationPolicy.Grant?, isStored: Bool = true) {
      self.client = client
      self.grant = grant
      self.isStored = isStored
    }
  }

  /// Longest line of the service in bytes: a deferred batch.
  package static let longestLine = 8 << 20
}
