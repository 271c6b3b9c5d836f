import JSON
import Navigation

extension ClientMessage {
  /// The line, without its end.
  package var json: JSON {
    switch self {
    case .hello(let version, let name, let purpose):
      .message(
        "hello", ["version": .integer(version), "name": .string(name), "purpose": .string(purpose)])
    case .configure(let settings): settings.message
    case .start(let session): .message("start", ["session": .integer(session)])
    case .stop(let session): .message("stop", ["session": session.map { .integer($0) }])
    case .startSignificantChange(let session):
      .message("startSignificantChange", ["session": .integer(session)])
    case .stopSignificantChange: .message("stopSignificantChange")
    case .startVisits(let session): .message("startVisits", ["session": .integer(session)])
    case .stopVisits: .message("stopVisits")
    case .startHeading(let session, let filter):
      .message(
        "startHeading",
        [
          "session": .integer(session), "filter": filter.map { .number(min($0, .greatestFiniteMagnitude)) },
        ])
    case .stopHeading: .message("stopHeading")
    case .startMonitoring(let region): .message("startMonitoring", ["region": region.json])
    case .stopMonitoring(let identifier):
      .message("stopMonitoring", ["identifier": .string(identifier)])
    case .requestState(let identifier): .message("requestState", ["identifier": .string(identifier)])
    case .requestRegions: .message("requestRegions")
    case .acknowledge(let event): .message("acknowledge", ["event": .integer(event)])
    case .disallowDeferredUpdates: .message("disallowDeferredUpdates")
    case .stopHistory: .message("stopHistory")
    case .authorize(let client, let grant):
      .message("authorize", ["client": client.json, "grant": grant?.json])
    case .requestAuthorizations: .message("requestAuthorizations")
    case .requestLocation, .bestOf, .allowDeferredUpdates, .requestTemporaryFullAccuracy, .startHistory,
      .requestHistory:
      questionJSON
    }
  }

  /// The line of what is answered by its number.
  private var questionJSON: JSON {
    switch self {
    case .requestLocation(let number, let within):
      .message("requestLocation", ["number": .integer(number), "within": .number(within)])
    case .bestOf(let number, let count, let within):
      .message("bestOf", ["number": .integer(number), "count": .integer(count), "within": .number(within)])
    case .allowDeferredUpdates(let number, let traveled, let timeout):
      .message(
        "allowDeferredUpdates",
        [
          "number": .integer(number), "untilTraveled": traveled.map { .number($0) },
          "timeout": timeout.map { .number($0) },
        ])
    case .requestTemporaryFullAccuracy(let number, let key):
      .message("requestTemporaryFullAccuracy", ["number": .integer(number), "purposeKey": .string(key)])
    case .startHistory(let number): .message("startHistory", ["number": .integer(number)])
    case .requestHistory(let number, let since, let count):
      .message(
        "requestHistory",
        [
          "number": .integer(number), "since": since.map { .integer($0.nanoseconds) },
          "count": .integer(count),
        ])
    default: .null
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
    case "disallowDeferredUpdates": self = .disallowDeferredUpdates
    case "stopHistory": self = .stopHistory
    case "authorize": self = try Self.authorization(members)
    case "requestAuthorizations": self = .requestAuthorizations
    default: self = try Self.question(members)
    }
  }

  private static func question(_ members: MessageMembers) throws(MessageFault) -> ClientMessage {
    switch members.type {
    case "requestLocation":
      .requestLocation(number: try members.integer("number"), within: try members.number("within"))
    case "bestOf":
      .bestOf(
        number: try members.integer("number"), count: try members.integer("count"),
        within: try members.number("within"))
    case "allowDeferredUpdates":
      .allowDeferredUpdates(
        number: try members.integer("number"), untilTraveled: try members.numberIfAny("untilTraveled"),
        timeout: try members.numberIfAny("timeout"))
    case "requestTemporaryFullAccuracy":
      .requestTemporaryFullAccuracy(
        number: try members.integer("number"), purposeKey: try members.text("purposeKey"))
    case "startHistory": .startHistory(number: try members.integer("number"))
    case "requestHistory":
      .requestHistory(
        number: try members.integer("number"),
        since: try members.integerIfAny("since").map { Timestamp(nanoseconds: $0) },
        count: try members.integer("count"))
    default: throw MessageFault("\(excerpt(members.type)) is no type of a message")
    }
  }

  private static func authorization(_ members: MessageMembers) throws(MessageFault) -> ClientMessage {
    .authorize(
      try members.value(
        "client", "a name of letters, digits, '.', '-' and '_', and the number of a user",
        ClientIdentity.init(json:)),
      // A decision that is not understood is no wish to forget one.
      try members.valueIfAny(
        "grant",
        "status (\(words(AuthorizationStatus.self))) and accuracy (\(words(AccuracyAuthorization.self))), "
          + "and fullAccuracyPurposeKeys: at most \(TemporaryFullAccuracy.mostKeys) of letters, digits, '.', '-' and '_'",
        AuthorizationPolicy.Grant.init(json:)))
  }

  fileprivate static func words<Word: CaseIterable & RawRepresentable<String>>(_: Word.Type) -> String {
    Word.allCases.map(\.rawValue).joined(separator: ", ")
  }

  private static func excerpt(_ text: String) -> String {
    text.count > 40 ? "\"\(text.prefix(40))…\"" : "\"\(text)\""
  }
}

extension StandardService.Settings {
  fileprivate var message: JSON {
    .message(
      "configure",
      [
        "desiredAccuracy": .string(desiredAccuracy.rawValue),
        // JSON has no word for infinity.
        "distanceFilter": distanceFilter.map { .number(min($0, .greatestFiniteMagnitude)) },
        "pausesAutomatically": .bool(pausesAutomatically), "activity": .string(activity.rawValue),
      ])
  }

  fileprivate init(_ members: MessageMembers) throws(MessageFault) {
    self.init()
    func words<Word: CaseIterable & RawRepresentable<String>>(_: Word.Type) -> String {
      "one of \(ClientMessage.words(Word.self))"
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
