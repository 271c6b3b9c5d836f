import Navigation

/// What a client says to the service.
package enum ClientMessage: Sendable, Equatable {
  /// Who it is and what it needs location for: the first message, and only that.
  case hello(version: Int64, name: String, purpose: String)
  /// Its wishes for the standard service.
  case configure(StandardService.Settings)
  /// Start the standard service; what comes carries the session's number.
  case start(session: Int64)
  /// Stop the standard service: that session, if it still runs, or whichever runs.
  case stop(session: Int64? = nil)
  /// Start the significant-change service.
  case startSignificantChange(session: Int64)
  /// Stop the significant-change service, for good.
  case stopSignificantChange
  /// Start to tell where the car parks.
  case startVisits(session: Int64)
  /// Stop that, for good.
  case stopVisits
  /// Start to tell which way the car points; degrees of a turn, nil for every heading.
  case startHeading(session: Int64, filter: Double?)
  /// Stop that.
  case stopHeading
  /// Monitor a region.
  case startMonitoring(Region)
  /// Monitor a region no longer.
  case stopMonitoring(identifier: String)
  /// Where the car stands to a region.
  case requestState(identifier: String)
  /// Which regions are monitored.
  case requestRegions
  /// The region event is in the client's hands.
  case acknowledge(event: Int64)
  /// One answer within so many seconds.
  case requestLocation(number: Int64, within: Double)
  /// The best of so many within so many seconds.
  case bestOf(number: Int64, count: Int64, within: Double)
  /// Hold locations back; nil is no limit.
  case allowDeferredUpdates(number: Int64, untilTraveled: Double?, timeout: Double?)
  /// Hold nothing back.
  case disallowDeferredUpdates
  /// Full accuracy for a while, for a purpose that the owner knows by that key.
  case requestTemporaryFullAccuracy(number: Int64, purposeKey: String)
  /// Keep where the car was in the last 24 hours from now on.
  case startHistory(number: Int64)
  /// Delete what was kept, and keep no more.
  case stopHistory
  /// At most so many places of the last 24 hours, since then in UTC.
  case requestHistory(number: Int64, since: Timestamp?, count: Int64)
  /// Decide about a client, or forget the decision: for the service's own user and root.
  case authorize(ClientIdentity, AuthorizationPolicy.Grant?)
  /// What has been decided, and who used location: for the service's own user and root.
  case requestAuthorizations

  /// The version of the protocol that this code speaks.
  package static let version: Int64 = 1
  /// Longest line of a client in bytes.
  package static let longestLine = 65_536
}
