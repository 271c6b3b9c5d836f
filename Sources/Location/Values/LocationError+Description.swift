extension LocationError: CustomStringConvertible {
  /// What is wrong, and what to do about it, for people.
  public var description: String {
    switch self {
    case .locationUnknown(.hardwareMissing): "the place is not known: no sensor is configured or attached"
    case .locationUnknown(.sourceUnreachable): "the place is not known: the sensors cannot be reached"
    case .locationUnknown(.notEnoughAccuracy): "the place is not known well enough"
    case .locationUnknown(.searching): "the place is not known yet: waiting for a fix"
    case .locationUnknown(.replayEnded): "the drive that is replayed has ended"
    case .denied(.serviceDisabled): "denied: location services are off"
    case .denied(.deniedForClient): "denied for this program"
    case .denied(.notDetermined):
      "denied: nobody has allowed this program yet; `reckon authorize allow NAME` does, "
        + "with --user ID where the program runs as another user"
    case .denied(.accuracyReduced): "denied: only reduced accuracy is allowed"
    case .regionMonitoringFailed(let failure): "the region cannot be monitored: \(failure)"
    case .deferredFailed(let reason): "updates were not deferred: \(reason)"
    case .notStored:
      "it holds now, but could not be written, and is forgotten at the next start: is the disk full or away?"
    case .fullAccuracyNotAllowed(let key):
      "full accuracy for \"\(key)\" is not allowed; `reckon authorize allow NAME --reduced --purpose-key KEY` does"
    case .tooManyNames(let limit):
      "programs of this user have \(limit) names already, as many as are remembered: "
        + "end what runs under another"
    case .purposeMissing: "a program must say what it needs location for, in some words"
    case .purposeInvalid(let reason):
      "what a program needs location for is at most 512 bytes of text without control characters: \(reason)"
    case .identifierInvalid:
      "a program's name has letters, digits, dots, dashes and underscores, at most 128"
    case .serviceUnreachable(let reason): "the location service cannot be reached: \(reason)"
    case .protocolViolation(let reason): "the service does not understand: \(reason)"
    }
  }
}

extension LocationError.RegionFailure: CustomStringConvertible {
  /// What is wrong, for people.
  public var description: String {
    switch self {
    case .invalid(let reason): reason
    case .tooMany(let limit): "the program has \(limit) already, as many as it may: remove one first"
    case .tooManyNames(let limit): "\(LocationError.tooManyNames(limit: limit))"
    case .notStored: "it could not be written: is the disk full or away?"
    case .denied(let reason): "\(LocationError.denied(reason))"
    }
  }
}

extension DeferralReason: CustomStringConvertible {
  /// Why the deferral ended, for people.
  public var description: String {
    switch self {
    case .traveled: "the distance was travelled"
    case .timedOut: "the time was up"
    case .disallowed: "the program called it off"
    case .replaced: "another call took its place"
    case .stopped: "updates were stopped"
    case .denied: "the program may not know the place"
    case .full: "as many locations were held as can be"
    case .notUpdating: "updates were not running"
    case .distanceFiltered: "a distance filter is set"
    case .accuracyTooLow: "only the two best levels of accuracy can be deferred"
    case .invalid: "its limits are not numbers above 0"
    case .interrupted: "the connection to the service was lost"
    }
  }
}
