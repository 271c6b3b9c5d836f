import JSON
import Navigation

extension ServiceMessage {
  /// The line, without its end.
  package var json: JSON {
    switch self {
    case .welcome(let version, let accuracy, let release):
      .message(
        "welcome",
        [
          "version": .integer(version), "accuracy": .string(accuracy.rawValue),
          "release": release.map(JSON.string),
        ])
    case .locations(let service, let session, let locations):
      .message(
        "locations",
        [
          "service": .string(service.rawValue), "session": .integer(session),
          "locations": .array(locations.map(\.json)),
        ])
    case .visits(let session, let visits):
      .message("visits", ["session": .integer(session), "visits": .array(visits.map(\.json))])
    case .heading(let session, let heading):
      .message("heading", ["session": .integer(session), "heading": heading.json])
    case .refused(let service, let error):
      .message("refused", ["service": .string(service.rawValue), "failure": error.json])
    case .failed(let error): .message("failed", ["failure": error.json])
    case .authorization(let grant): .message("authorization", ["grant": grant.json])
    case .paused(let session): .message("paused", ["session": .integer(session)])
    case .resumed(let session): .message("resumed", ["session": .integer(session)])
    case .deferredFinished(let number, let reason):
      .message("deferredFinished", ["number": .integer(number), "reason": .string(reason.rawValue)])
    case .status(let status): .message("status", ["status": status.json])
    case .authorizations(let decisions, let audit):
      .message(
        "authorizations",
        ["decisions": .array(decisions.map(\.json)), "audit": .array(audit.map(\.json))])
    case .regionEvent, .regionState, .regionStarted, .regionFailed, .regions: regionJSON
    case .answer, .temporaryFullAccuracy, .history: answerJSON
    }
  }

  private var regionJSON: JSON {
    switch self {
    case .regionEvent(let event): .message("regionEvent", ["event": event.json])
    case .regionState(let identifier, let state):
      .message("regionState", ["identifier": .string(identifier), "state": .string(state.rawValue)])
    case .regionStarted(let identifier): .message("regionStarted", ["identifier": .string(identifier)])
    case .regionFailed(let identifier, let failure):
      .message("regionFailed", ["identifier": .string(identifier), "failure": failure.json])
    case .regions(let regions): .message("regions", ["regions": .array(regions.map(\.json))])
    default: .null
    }
  }

  private var answerJSON: JSON {
    switch self {
    case .answer(let number, let answer):
      Self.answer("answer", number, answer, ["location": (try? answer.get())?.json])
    case .temporaryFullAccuracy(let number, let answer):
      Self.answer(
        "temporaryFullAccuracy", number, answer,
        ["until": (try? answer.get()).map { .integer($0.nanoseconds) }])
    case .history(let number, let answer):
      Self.answer(
        "history", number, answer, ["locations": (try? answer.get()).map { .array($0.map(\.json)) }])
    default: .null
    }
  }

  /// The answer to question `number`: what was asked for, in the one member of `success`, or why not.
  private static func answer<Success>(
    _ type: String, _ number: Int64, _ answer: Result<Success, LocationError>,
    _ success: KeyValuePairs<String, JSON?>
  ) -> JSON {
    guard case .failure(let error) = answer else {
      return .message(type, ["number": .integer(number), success[0].key: success[0].value])
    }
    return .message(type, ["number": .integer(number), "failure": error.json])
  }

  /// What a line says; nil for whatever this version does not understand.
  package init?(json: JSON) {
    let members = Members(json: json)
    let message =
      members.delivery ?? members.region ?? members.answer ?? members.authorization
    guard let message else { return nil }
    self = message
  }

  /// The members of a line, and the message that they make: nil where its type is another, or one
  /// that it needs is missing.
  private struct Members {
    let json: JSON

    private func integer(_ key: String) -> Int64? { json[key]?.integer }
    private func text(_ key: String) -> String? { json[key]?.string }
    private var type: String? { text("type") }

    var delivery: ServiceMessage? {
      switch type {
      case "locations":
        guard let service = text("service").flatMap(Service.init(rawValue:)),
          let session = integer("session"), let items = json["locations"]?.array
        else { return nil }
        return .locations(service, session: session, items.compactMap(Location.init(json:)))
      case "visits":
        guard let session = integer("session"), let items = json["visits"]?.array else { return nil }
        return .visits(session: session, items.compactMap(Visit.init(json:)))
      case "heading":
        guard let session = integer("session"), let heading = Heading(json: json["heading"]) else {
          return nil
        }
        return .heading(session: session, heading)
      case "paused": return integer("session").map { .paused(session: $0) }
      case "resumed": return integer("session").map { .resumed(session: $0) }
      case "deferredFinished":
        guard let number = integer("number"),
          let reason = text("reason").flatMap(DeferralReason.init(rawValue:))
        else { return nil }
        return .deferredFinished(number: number, reason)
      case "status": return LocationStatus(json: json["status"]).map { .status($0) }
      default: return nil
      }
    }

    var region: ServiceMessage? {
      switch type {
      case "regionEvent": return RegionEvent(json: json["event"]).map { .regionEvent($0) }
      case "regionState":
        guard let identifier = text("identifier"),
          let state = text("state").flatMap(RegionState.init(rawValue:))
        else { return nil }
        return .regionState(identifier: identifier, state)
      case "regionStarted": return text("identifier").map { .regionStarted(identifier: $0) }
      case "regionFailed":
        guard let identifier = text("identifier"),
          let failure = LocationError.RegionFailure(json: json["failure"])
        else { return nil }
        return .regionFailed(identifier: identifier, failure)
      case "regions":
        return (json["regions"]?.array).map { .regions($0.compactMap(Region.init(json:))) }
      default: return nil
      }
    }

    var answer: ServiceMessage? {
      guard let number = integer("number") else { return nil }
      let error = LocationError(json: json["failure"])
      switch type {
      case "answer":
        if let location = Location(json: json["location"]) {
          return .answer(number: number, .success(location))
        }
        return error.map { .answer(number: number, .failure($0)) }
      case "history":
        if let items = json["locations"]?.array {
          return .history(number: number, .success(items.compactMap(Location.init(json:))))
        }
        return error.map { .history(number: number, .failure($0)) }
      case "temporaryFullAccuracy":
        if let failure = json["failure"], failure != .null {
          return error.map { .temporaryFullAccuracy(number: number, .failure($0)) }
        }
        return .temporaryFullAccuracy(
          number: number, .success(integer("until").map { Timestamp(nanoseconds: $0) }))
      default: return nil
      }
    }

    var authorization: ServiceMessage? {
      switch type {
      case "welcome":
        guard let version = integer("version"),
          let accuracy = text("accuracy").flatMap(AccuracyAuthorization.init(rawValue:))
        else { return nil }
        return .welcome(version: version, accuracy: accuracy, release: text("release"))
      case "refused":
        guard let service = text("service").flatMap(ExactService.init(rawValue:)),
          let error = LocationError(json: json["failure"])
        else { return nil }
        return .refused(service, error)
      case "failed": return LocationError(json: json["failure"]).map { .failed($0) }
      case "authorization":
        return AuthorizationPolicy.Grant(json: json["grant"]).map { .authorization($0) }
      case "authorizations":
        let decisions = (json["decisions"]?.array ?? []).compactMap(Decision.init(json:))
        let audit = (json["audit"]?.array ?? []).compactMap(UsageAudit.Entry.init(json:))
        return .authorizations(decisions, audit)
      default: return nil
      }
    }
  }
}

extension ServiceMessage.Decision {
  fileprivate var json: JSON {
    .members(["client": client.json, "grant": grant?.json, "stored": isStored ? nil : .bool(false)])
  }

  fileprivate init?(json: JSON) {
    guard let client = ClientIdentity(json: json["client"]) else { return nil }
    self.init(
      client: client, grant: AuthorizationPolicy.Grant(json: json["grant"]),
      isStored: json["stored"]?.bool ?? true)
  }
}

extension UsageAudit.Entry {
  package var json: JSON {
    .members([
      "client": client.json, "purpose": .string(purpose), "from": .integer(from.nanoseconds),
      "until": .integer(until.nanoseconds), "count": .integer(Int64(count)),
    ])
  }

  package init?(json: JSON) {
    guard let client = ClientIdentity(json: json["client"]), let purpose = json["purpose"]?.string,
      let from = json["from"]?.integer, let until = json["until"]?.integer,
      let count = json["count"]?.integer
    else { return nil }
    self.init(
      client: client, purpose: purpose, from: Timestamp(nanoseconds: from),
      until: Timestamp(nanoseconds: until), count: Int(count))
  }
}
