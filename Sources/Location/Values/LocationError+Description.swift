extension LocationError: CustomStringConvertible {
  /// What is wrong, and what to do about it, for people.
  public var description: String {
    switch self {
    case .locationUnknown(.hardwareMissing): "the place is not known: no sensor is configured or attached"
    case .locationUnknown(.sourceUnreachable): "the place is not known: the sensors cannot be reached"
    case .locationUnknown(.notEnoughAccuracy): "the place is not known well enough"
    case .locationUnknown(.searching): "the place is not known yet: waiting for a fix"
    case .denied(.serviceDisabled): "denied: location services are off"
    case .denied(.deniedForClient): "denied for this program"
    case .denied(.notDetermined):
      "denied: nobody has allowed this program yet; `reckon authorize allow NAME` does, "
        + "with --user ID where the program runs as another user"
    case .denied(.accuracyReduced): "denied: only reduced accuracy is allowed"
    case .regionMonitoringFailed(let failure): "the region cannot be monitored: \(failure)"
    case .deferredFailed(let reason): "updates were not deferred: \(reason.rawValue)"
    case .purposeMissing:
      "a program must say what it needs location for: some text of at most 512 bytes, no control characters"
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
    case .notStored: "it could not be written, and would be forgotten at the next start"
    case .denied(let reason): "\(LocationError.denied(reason))"
    }
  }
}
