import JSON

extension LocationError {
  package var json: JSON {
    func error(_ name: String, _ reason: String?) -> JSON {
      .members(["error": .string(name), "reason": reason.map { .string($0) }])
    }
    return switch self {
    case .locationUnknown(let reason): error("locationUnknown", reason.rawValue)
    case .denied(let reason): error("denied", reason.rawValue)
    case .regionMonitoringFailed(let failure): failure.json
    case .deferredFailed(let reason): error("deferredFailed", reason.rawValue)
    case .purposeMissing: error("purposeMissing", nil)
    case .purposeInvalid(let reason): error("purposeInvalid", reason)
    case .identifierInvalid: error("identifierInvalid", nil)
    case .notStored: error("notStored", nil)
    case .fullAccuracyNotAllowed(let key): error("fullAccuracyNotAllowed", key)
    case .tooManyNames(let limit):
      .members(["error": .string("tooManyNames"), "limit": .integer(Int64(limit))])
    case .serviceUnreachable(let reason): error("serviceUnreachable", reason)
    case .protocolViolation(let reason): error("protocolViolation", reason)
    }
  }

  package init?(json: JSON?) {
    guard let json, let name = json["error"]?.string else { return nil }
    let reason = json["reason"]?.string ?? ""
    switch name {
    case "locationUnknown":
      guard let reason = UnknownReason(rawValue: reason) else { return nil }
      self = .locationUnknown(reason)
    case "denied":
      guard let reason = DenialReason(rawValue: reason) else { return nil }
      self = .denied(reason)
    case "deferredFailed":
      guard let reason = DeferralReason(rawValue: reason) else { return nil }
      self = .deferredFailed(reason)
    case "purposeMissing": self = .purposeMissing
    case "purposeInvalid": self = .purposeInvalid(reason)
    case "identifierInvalid": self = .identifierInvalid
    case "notStored": self = .notStored
    case "fullAccuracyNotAllowed": self = .fullAccuracyNotAllowed(purposeKey: reason)
    case "tooManyNames": self = .tooManyNames(limit: Int(clamping: json["limit"]?.integer ?? 0))
    case "serviceUnreachable": self = .serviceUnreachable(reason)
    case "protocolViolation": self = .protocolViolation(reason)
    default:
      guard let failure = RegionFailure(json: json) else { return nil }
      self = .regionMonitoringFailed(failure)
    }
  }
}

extension LocationError.RegionFailure {
  package var json: JSON {
    switch self {
    case .invalid(let reason):
      .members(["error": .string("regionInvalid"), "reason": .string(reason)])
    case .tooMany(let limit):
      .members(["error": .string("tooManyRegions"), "limit": .integer(Int64(limit))])
    case .tooManyNames(let limit):
      .members(["error": .string("regionTooManyNames"), "limit": .integer(Int64(limit))])
    case .notStored: .members(["error": .string("regionNotStored")])
    case .denied(let reason):
      .members(["error": .string("regionDenied"), "reason": .string(reason.rawValue)])
    }
  }

  package init?(json: JSON?) {
    switch json?["error"]?.string {
    case "regionInvalid": self = .invalid(json?["reason"]?.string ?? "")
    case "tooManyRegions": self = .tooMany(limit: Int(clamping: json?["limit"]?.integer ?? 0))
    case "regionTooManyNames": self = .tooManyNames(limit: Int(clamping: json?["limit"]?.integer ?? 0))
    case "regionNotStored": self = .notStored
    case "regionDenied":
      let reason = json?["reason"]?.string.flatMap(LocationError.DenialReason.init(rawValue:))
      guard let reason else { return nil }
      self = .denied(reason)
    default: return nil
    }
  }
}

extension AuthorizationPolicy.Grant {
  package var json: JSON {
    .members([
      "status": .string(status.rawValue), "accuracy": .string(accuracy.rawValue),
      "fullAccuracyPurposeKeys": fullAccuracyPurposeKeys.isEmpty
        ? nil : .array(fullAccuracyPurposeKeys.sorted().map { .string($0) }),
    ])
  }

  package init?(json: JSON?) {
    guard let status = json?["status"]?.string.flatMap(AuthorizationStatus.init(rawValue:)),
      let accuracy = json?["accuracy"]?.string.flatMap(AccuracyAuthorization.init(rawValue:))
    else { return nil }
    var keys: Set<String> = []
    if let items = json?["fullAccuracyPurposeKeys"], items != .null {
      guard let items = items.array, items.count <= TemporaryFullAccuracy.mostKeys else { return nil }
      for item in items {
        guard let key = item.string, TemporaryFullAccuracy.isPurposeKey(key) else { return nil }
        keys.insert(key)
      }
    }
    self.init(status, accuracy, fullAccuracyPurposeKeys: keys)
  }
}

extension ClientIdentity {
  package var json: JSON { .members(["name": .string(name), "user": .integer(Int64(user))]) }

  package init?(json: JSON?) {
    guard let name = json?["name"]?.string, Self.isName(name),
      let user = json?["user"]?.integer.flatMap(UInt32.init(exactly:))
    else { return nil }
    self.init(name: name, user: user)
  }
}
