import JSON
import Navigation

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
        // JSON has no word for infinity.
        "distanceFilter": settings.distanceFilter.map { .number(min($0, .greatestFiniteMagnitude)) },
        "pausesAutomatically": .bool(settings.pausesAutomatically),
        "activity": .string(settings.activity.rawValue),
      ])
    case .start(let session): return .members(["type": type("start"), "session": .integer(session)])
    case .stop(let session):
      return .members(["type": type("stop"), "session": session.map { .integer($0) }])
    case .startSignificantChange(let session):
      return .members(["type": type("startSignificantChange"), "session": .integer(session)])
    case .stopSignificantChange: return .members(["type": type("stopSignificantChange")])
    case .startVisits(let session):
      return .members(["type": type("startVisits"), "session": .integer(session)])
    case .stopVisits: return .members(["type": type("stopVisits")])
    case .startHeading(let session, let filter):
      return .members([
        "type": type("startHeading"), "session": .integer(session),
        "filter": filter.map { .number(min($0, .greatestFiniteMagnitude)) },
      ])
    case .stopHeading: return .members(["type": type("stopHeading")])
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
    case .requestTemporaryFullAccuracy(let number, let key):
      return .members([
        "type": type("requestTemporaryFullAccuracy"), "number": .integer(number), "purposeKey": .string(key),
      ])
    case .startHistory(let number):
      return .members(["type": type("startHistory"), "number": .integer(number)])
    case .stopHistory: return .members(["type": type("stopHistory")])
    case .requestHistory(let number, let since, let count):
      return .members([
        "type": type("requestHistory"), "number": .integer(number),
        "since": since.map { .integer($0.nanoseconds) }, "count": .integer(count),
      ])
    case .authorize(let client, let grant):
      return .members(["type": type("authorize"), "client": client.json, "grant": grant?.json])
    case .requestAuthorizations: return .members(["type": type("requestAuthorizations")])
    }
  }

  /// What a line says; an error for whatever this version does not understand.
  package init(json: JSON) throws(MessageFault) {
    let members = try MessageMembers(json)
    switch members.type {
    case "hello":
      self = .hello(
        version: try members.integer("version"), name: try members.text("name"),
        purpose: try members.textIfAny("purpose") ?? "")
    case "configure": self = .configure(try StandardService.Settings(members))
    case "start": self = .start(session: try members.integer("session"))
    case "stop": self = .stop(session: try members.integerIfAny("session"))
    case "startSignificantChange":
      self = .startSignificantChange(session: try members.integer("session"))
    case "stopSignificantChange": self = .stopSignificantChange
    case "startVisits": self = .startVisits(session: try members.integer("session"))
    case "stopVisits": self = .stopVisits
    case "startHeading":
      self = .startHeading(session: try members.integer("session"), filter: try members.numberIfAny("filter"))
    case "stopHeading": self = .stopHeading
    case "startMonitoring":
      self = .startMonitoring(
        try members.value(
          "region", "identifier, latitudeDegrees, longitudeDegrees, radius and boolean flags",
          Region.init(json:)))
    case "stopMonitoring": self = .stopMonitoring(identifier: try members.text("identifier"))
    case "requestState": self = .requestState(identifier: try members.text("identifier"))
    case "requestRegions": self = .requestRegions
    case "acknowledge": self = .acknowledge(event: try members.integer("event"))
    case "requestLocation":
      self = .requestLocation(
        number: try members.integer("number"), within: try members.number("within"))
    case "bestOf":
      self = .bestOf(
        number: try members.integer("number"), count: try members.integer("count"),
        within: try members.number("within"))
    case "allowDeferredUpdates":
      self = .allowDeferredUpdates(
        number: try members.integer("number"), untilTraveled: try members.numberIfAny("untilTraveled"),
        timeout: try members.numberIfAny("timeout"))
    case "disallowDeferredUpdates": self = .disallowDeferredUpdates
    case "requestTemporaryFullAccuracy":
      self = .requestTemporaryFullAccuracy(
        number: try members.integer("number"), purposeKey: try members.text("purposeKey"))
    case "startHistory": self = .startHistory(number: try members.integer("number"))
    case "stopHistory": self = .stopHistory
    case "requestHistory":
      self = .requestHistory(
        number: try members.integer("number"),
        since: try members.integerIfAny("since").map { Timestamp(nanoseconds: $0) },
        count: try members.integer("count"))
    case "authorize":
      self = .authorize(
        try members.value(
          "client", "a name of letters, digits, '.', '-' and '_', and the number of a user",
          ClientIdentity.init(json:)),
        // A decision that is not understood is no wish to forget one.
        try members.valueIfAny(
          "grant",
          "status (\(Self.words(AuthorizationStatus.self))) "
            + "and accuracy (\(Self.words(AccuracyAuthorization.self))), and fullAccuracyPurposeKeys: "
            + "at most \(TemporaryFullAccuracy.mostKeys) of letters, digits, '.', '-' and '_'",
          AuthorizationPolicy.Grant.init(json:)))
    case "requestAuthorizations": self = .requestAuthorizations
    default: throw MessageFault("\(Self.excerpt(members.type)) is no type of a message")
    }
  }

  private static func words<Word: CaseIterable & RawRepresentable<String>>(_: Word.Type) -> String {
    Word.allCases.map(\.rawValue).joined(separator: ", ")
  }

  private static func excerpt(_ text: String) -> String {
    text.count > 40 ? "\"\(text.prefix(40))…\"" : "\"\(text)\""
  }
}

extension StandardService.Settings {
  fileprivate init(_ members: MessageMembers) throws(MessageFault) {
    self.init()
    func words<Word: CaseIterable & RawRepresentable<String>>(_: Word.Type) -> String {
      "one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))"
    }
    desiredAccuracy =
      try members.valueIfAny("desiredAccuracy", words(DesiredAccuracy.self)) {
        $0.string.flatMap(DesiredAccuracy.init(rawValue:))
      } ?? desiredAccuracy
    activity =
      try members.valueIfAny("activity", words(ActivityType.self)) {
        $0.string.flatMap(ActivityType.init(rawValue:))
      } ?? activity
    distanceFilter = try members.numberIfAny("distanceFilter")
    pausesAutomatically =
      try members.valueIfAny("pausesAutomatically", "true or false", \.bool) ?? true
  }
}
