import JSON

extension ClientMessage {
  /// The line, without its end.
  package var json: JSON {
    func type(_ name: String) -> JSON? { .string(name) }
    switch self {
    case .hello(let version, let name, let purpose):
      return .members([
        "type": type("hello"), "version": .integer(version), "name": .string(name),
        "purpose": .string(purpose),
      ])
    case .configure(let settings):
      return .members([
        "type": type("configure"), "desiredAccuracy": .string(settings.desiredAccuracy.rawValue),
        "distanceFilter": settings.distanceFilter.map { .number($0) },
        "pausesAutomatically": .bool(settings.pausesAutomatically),
        "activity": .string(settings.activity.rawValue),
      ])
    case .start(let session): return .members(["type": type("start"), "session": .integer(session)])
    case .stop(let session):
      return .members(["type": type("stop"), "session": session.map { .integer($0) }])
    case .startSignificantChange(let session):
      return .members(["type": type("startSignificantChange"), "session": .integer(session)])
    case .stopSignificantChange: return .members(["type": type("stopSignificantChange")])
    case .startMonitoring(let region):
      return .members(["type": type("startMonitoring"), "region": region.json])
    case .stopMonitoring(let identifier):
      return .members(["type": type("stopMonitoring"), "identifier": .string(identifier)])
    case .requestState(let identifier):
      return .members(["type": type("requestState"), "identifier": .string(identifier)])
    case .requestRegions: return .members(["type": type("requestRegions")])
    case .acknowledge(let event):
      return .members(["type": type("acknowledge"), "event": .integer(event)])
    case .requestLocation(let number, let within):
      return .members([
        "type": type("requestLocation"), "number": .integer(number), "within": .number(within),
      ])
    case .bestOf(let number, let count, let within):
      return .members([
        "type": type("bestOf"), "number": .integer(number), "count": .integer(count),
        "within": .number(within),
      ])
    case .allowDeferredUpdates(let number, let traveled, let timeout):
      return .members([
        "type": type("allowDeferredUpdates"), "number": .integer(number),
        "untilTraveled": traveled.map { .number($0) }, "timeout": timeout.map { .number($0) },
      ])
    case .disallowDeferredUpdates: return .members(["type": type("disallowDeferredUpdates")])
    case .authorize(let client, let grant):
      return .members(["type": type("authorize"), "client": client.json, "grant": grant?.json])
    case .requestAuthorizations: return .members(["type": type("requestAuthorizations")])
    }
  }

  /// What a line says; nil for whatever this version does not understand.
  package init?(json: JSON) {
    func number(_ key: String) -> Double? { json[key]?.double }
    func integer(_ key: String) -> Int64? { json[key]?.integer }
    func text(_ key: String) -> String? { json[key]?.string }
    switch text("type") {
    case "hello":
      guard let version = integer("version"), let name = text("name") else { return nil }
      self = .hello(version: version, name: name, purpose: text("purpose") ?? "")
    case "configure":
      guard let settings = StandardService.Settings(json: json) else { return nil }
      self = .configure(settings)
    case "start":
      guard let session = integer("session") else { return nil }
      self = .start(session: session)
    case "stop":
      let session = integer("session")
      // A session that is not understood is no wish to stop whichever runs.
      guard session != nil || json["session"] == nil || json["session"] == .null else { return nil }
      self = .stop(session: session)
    case "startSignificantChange":
      guard let session = integer("session") else { return nil }
      self = .startSignificantChange(session: session)
    case "stopSignificantChange": self = .stopSignificantChange
    case "startMonitoring":
      guard let region = Region(json: json["region"]) else { return nil }
      self = .startMonitoring(region)
    case "stopMonitoring":
      guard let identifier = text("identifier") else { return nil }
      self = .stopMonitoring(identifier: identifier)
    case "requestState":
      guard let identifier = text("identifier") else { return nil }
      self = .requestState(identifier: identifier)
    case "requestRegions": self = .requestRegions
    case "acknowledge":
      guard let event = integer("event") else { return nil }
      self = .acknowledge(event: event)
    case "requestLocation":
      guard let number = integer("number"), let within = json["within"]?.double else { return nil }
      self = .requestLocation(number: number, within: within)
    case "bestOf":
      guard let number = integer("number"), let count = integer("count"),
        let within = json["within"]?.double
      else { return nil }
      self = .bestOf(number: number, count: count, within: within)
    case "allowDeferredUpdates":
      guard let call = integer("number") else { return nil }
      self = .allowDeferredUpdates(
        number: call, untilTraveled: number("untilTraveled"), timeout: number("timeout"))
    case "disallowDeferredUpdates": self = .disallowDeferredUpdates
    case "authorize":
      guard let client = ClientIdentity(json: json["client"]) else { return nil }
      let grant = AuthorizationPolicy.Grant(json: json["grant"])
      // A decision that is not understood is no wish to forget one.
      guard grant != nil || json["grant"] == nil || json["grant"] == .null else { return nil }
      self = .authorize(client, grant)
    case "requestAuthorizations": self = .requestAuthorizations
    default: return nil
    }
  }
}

extension StandardService.Settings {
  fileprivate init?(json: JSON) {
    self.init()
    if let word = json["desiredAccuracy"]?.string {
      guard let accuracy = DesiredAccuracy(rawValue: word) else { return nil }
      desiredAccuracy = accuracy
    }
    if let word = json["activity"]?.string {
      guard let known = ActivityType(rawValue: word) else { return nil }
      activity = known
    }
    distanceFilter = json["distanceFilter"]?.double
    pausesAutomatically = json["pausesAutomatically"]?.bool ?? true
  }
}
