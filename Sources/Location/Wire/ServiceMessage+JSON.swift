import JSON
import Navigation

extension ServiceMessage {
  /// The line, without its end.
  package var json: JSON {
    func type(_ name: String) -> JSON? { .string(name) }
    switch self {
    case .welcome(let version, let accuracy, let release):
      return .members([
        "type": type("welcome"), "version": .integer(version), "accuracy": .string(accuracy.rawValue),
        "release": release.map(JSON.string),
      ])
    case .locations(let service, let session, let locations):
      return .members([
        "type": type("locations"), "service": .string(service.rawValue), "session": .integer(session),
        "locations": .array(locations.map(\.json)),
      ])
    case .visits(let session, let visits):
      return .members([
        "type": type("visits"), "session": .integer(session), "visits": .array(visits.map(\.json)),
      ])
    case .heading(let session, let heading):
      return .members([
        "type": type("heading"), "session": .integer(session), "heading": heading.json,
      ])
    case .refused(let service, let error):
      return .members([
        "type": type("refused"), "service": .string(service.rawValue), "failure": error.json,
      ])
    case .failed(let error): return .members(["type": type("failed"), "failure": error.json])
    case .authorization(let grant):
      return .members(["type": type("authorization"), "grant": grant.json])
    case .paused(let session): return .members(["type": type("paused"), "session": .integer(session)])
    case .resumed(let session):
      return .members(["type": type("resumed"), "session": .integer(session)])
    case .regionEvent(let event): return .members(["type": type("regionEvent"), "event": event.json])
    case .regionState(let identifier, let state):
      return .members([
        "type": type("regionState"), "identifier": .string(identifier),
        "state": .string(state.rawValue),
      ])
    case .regionStarted(let identifier):
      return .members(["type": type("regionStarted"), "identifier": .string(identifier)])
    case .regionFailed(let identifier, let failure):
      return .members([
        "type": type("regionFailed"), "identifier": .string(identifier), "failure": failure.json,
      ])
    case .regions(let regions):
      return .members(["type": type("regions"), "regions": .array(regions.map(\.json))])
    case .deferredFinished(let number, let reason):
      return .members([
        "type": type("deferredFinished"), "number": .integer(number),
        "reason": .string(reason.rawValue),
      ])
    case .answer(let number, .success(let location)):
      return .members([
        "type": type("answer"), "number": .integer(number), "location": location.json,
      ])
    case .answer(let number, .failure(let error)):
      return .members(["type": type("answer"), "number": .integer(number), "failure": error.json])
    case .temporaryFullAccuracy(let number, .success(let until)):
      return .members([
        "type": type("temporaryFullAccuracy"), "number": .integer(number),
        "until": until.map { .integer($0.nanoseconds) },
      ])
    case .history(let number, .success(let locations)):
      return .members([
        "type": type("history"), "number": .integer(number), "locations": .array(locations.map(\.json)),
      ])
    case .history(let number, .failure(let error)):
      return .members(["type": type("history"), "number": .integer(number), "failure": error.json])
    case .temporaryFullAccuracy(let number, .failure(let error)):
      return .members([
        "type": type("temporaryFullAccuracy"), "number": .integer(number), "failure": error.json,
      ])
    case .status(let status): return .members(["type": type("status"), "status": status.json])
    case .authorizations(let decisions, let audit):
      return .members([
        "type": type("authorizations"),
        "decisions": .array(
          decisions.map {
            .members([
              "client": $0.client.json, "grant": $0.grant?.json, "stored": $0.isStored ? nil : .bool(false),
            ])
          }),
        "audit": .array(audit.map(\.json)),
      ])
    }
  }

  /// What a line says; nil for whatever this version does not understand.
  package init?(json: JSON) {
    func integer(_ key: String) -> Int64? { json[key]?.integer }
    func text(_ key: String) -> String? { json[key]?.string }
    switch text("type") {
    case "welcome":
      guard let version = integer("version"),
        let accuracy = text("accuracy").flatMap(AccuracyAuthorization.init(rawValue:))
      else { return nil }
      self = .welcome(version: version, accuracy: accuracy, release: text("release"))
    case "locations":
      guard let service = text("service").flatMap(Service.init(rawValue:)),
        let session = integer("session"), let items = json["locations"]?.array
      else { return nil }
      self = .locations(service, session: session, items.compactMap(Location.init(json:)))
    case "visits":
      guard let session = integer("session"), let items = json["visits"]?.array else { return nil }
      self = .visits(session: session, items.compactMap(Visit.init(json:)))
    case "heading":
      guard let session = integer("session"), let heading = Heading(json: json["heading"]) else { return nil }
      self = .heading(session: session, heading)
    case "refused":
      guard let service = text("service").flatMap(ExactService.init(rawValue:)),
        let error = LocationError(json: json["failure"])
      else { return nil }
      self = .refused(service, error)
    case "failed":
      guard let error = LocationError(json: json["failure"]) else { return nil }
      self = .failed(error)
    case "authorization":
      guard let grant = AuthorizationPolicy.Grant(json: json["grant"]) else { return nil }
      self = .authorization(grant)
    case "paused":
      guard let session = integer("session") else { return nil }
      self = .paused(session: session)
    case "resumed":
      guard let session = integer("session") else { return nil }
      self = .resumed(session: session)
    case "regionEvent":
      guard let event = RegionEvent(json: json["event"]) else { return nil }
      self = .regionEvent(event)
    case "regionState":
      guard let identifier = text("identifier"),
        let state = text("state").flatMap(RegionState.init(rawValue:))
      else { return nil }
      self = .regionState(identifier: identifier, state)
    case "regionStarted":
      guard let identifier = text("identifier") else { return nil }
      self = .regionStarted(identifier: identifier)
    case "regionFailed":
      guard let identifier = text("identifier"),
        let failure = LocationError.RegionFailure(json: json["failure"])
      else { return nil }
      self = .regionFailed(identifier: identifier, failure)
    case "regions":
      guard let items = json["regions"]?.array else { return nil }
      self = .regions(items.compactMap(Region.init(json:)))
    case "deferredFinished":
      guard let number = integer("number"),
        let reason = text("reason").flatMap(DeferralReason.init(rawValue:))
      else { return nil }
      self = .deferredFinished(number: number, reason)
    case "answer":
      guard let number = integer("number") else { return nil }
      if let location = Location(json: json["location"]) {
        self = .answer(number: number, .success(location))
      } else if let error = LocationError(json: json["failure"]) {
        self = .answer(number: number, .failure(error))
      } else {
        return nil
      }
    case "history":
      guard let number = integer("number") else { return nil }
      if let items = json["locations"]?.array {
        self = .history(number: number, .success(items.compactMap(Location.init(json:))))
      } else if let error = LocationError(json: json["failure"]) {
        self = .history(number: number, .failure(error))
      } else {
        return nil
      }
    case "temporaryFullAccuracy":
      guard let number = integer("number") else { return nil }
      if let failure = json["failure"], failure != .null {
        guard let error = LocationError(json: failure) else { return nil }
        self = .temporaryFullAccuracy(number: number, .failure(error))
      } else {
        self = .temporaryFullAccuracy(
          number: number, .success(integer("until").map { Timestamp(nanoseconds: $0) }))
      }
    case "status":
      guard let status = LocationStatus(json: json["status"]) else { return nil }
      self = .status(status)
    case "authorizations":
      let decisions = (json["decisions"]?.array ?? []).compactMap { item -> Decision? in
        guard let client = ClientIdentity(json: item["client"]) else { return nil }
        return Decision(
          client: client, grant: AuthorizationPolicy.Grant(json: item["grant"]),
          isStored: item["stored"]?.bool ?? true)
      }
      let audit = (json["audit"]?.array ?? []).compactMap(UsageAudit.Entry.init(json:))
      self = .authorizations(decisions, audit)
    default: return nil
    }
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
