/// Why there is no location, or not what was asked for.
public enum LocationError: Error, Sendable, Hashable {
  /// No location for now. The service keeps trying.
  case locationUnknown(UnknownReason)
  /// Refused. Nothing more comes until authorization changes.
  case denied(DenialReason)
  /// A region cannot be monitored.
  case regionMonitoringFailed(RegionFailure)
  /// Updates could not be deferred, or not to their end.
  case deferredFailed(DeferralReason)
  /// A client must say what it needs location for.
  case purposeMissing
  /// What a client needs location for is some text of at most 512 bytes without control characters: what it
  /// has too much.
  case purposeInvalid(String)
  /// A client's name is empty, too long or has control characters.
  case identifierInvalid
  /// What was decided or changed holds now, but could not be written: it is forgotten at the next start
  /// unless there is room until then.
  case notStored
  /// Full accuracy for a while is not allowed for what was named.
  case fullAccuracyNotAllowed(purposeKey: String)
  /// The programs of this user have used as many names as may be remembered.
  case tooManyNames(limit: Int)
  /// The service cannot be reached; the client keeps trying.
  case serviceUnreachable(String)
  /// The service and the client do not understand each other.
  case protocolViolation(String)

  /// Why the place is not known.
  public enum UnknownReason: String, Sendable, CaseIterable {
    /// No sensor that can tell the place is configured or attached.
    case hardwareMissing
    /// The sensors are there but cannot be reached or have fallen silent.
    case sourceUnreachable
    /// Something is known, but not well enough.
    case notEnoughAccuracy
    /// Sensors work; no fix has been found yet.
    case searching
    /// The drive that is replayed in the place of sensors has ended: nothing more comes.
    case replayEnded
  }

  /// Who refused.
  public enum DenialReason: String, Sendable, CaseIterable {
    /// Location services are off as a whole.
    case serviceDisabled
    /// This client is not allowed.
    case deniedForClient
    /// Nobody has decided about this client yet.
    case notDetermined
    /// Only reduced accuracy is allowed, and that is not enough for this.
    case accuracyReduced
  }

  /// Why a region cannot be monitored.
  public enum RegionFailure: Sendable, Hashable {
    /// The region is no region.
    case invalid(String)
    /// The client has as many as it may.
    case tooMany(limit: Int)
    /// The programs of this user have as many names with regions as may be remembered.
    case tooManyNames(limit: Int)
    /// What survives a restart could not be written: a region that was to begin has not, and one that was to
    /// end may be back then.
    case notStored
    /// The client may not.
    case denied(DenialReason)
  }

  /// Whether the service keeps trying by itself.
  public var isTransient: Bool {
    switch self {
    case .locationUnknown, .serviceUnreachable: true
    default: false
    }
  }
}

/// Why a deferral ended.
public enum DeferralReason: String, Sendable, CaseIterable {
  /// The distance was travelled.
  case traveled
  /// The time was up.
  case timedOut
  /// The client called it off.
  case disallowed
  /// A second call took its place.
  case replaced
  /// Updates were stopped.
  case stopped
  /// The client is not, or no longer, allowed to know.
  case denied
  /// As many locations as can be held were held.
  case full
  /// Updates were not running.
  case notUpdating
  /// A distance filter was set: it is for deferral to be of use without one.
  case distanceFiltered
  /// Only the two best levels of accuracy can be deferred.
  case accuracyTooLow
  /// The limits are not numbers above 0.
  case invalid
  /// The connection to the service was lost.
  case interrupted

  /// Whether a limit of the call was met: it ended as it should.
  public var isSuccess: Bool { self == .traveled || self == .timedOut }
}
