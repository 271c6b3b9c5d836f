import JSON
import Location
import LocationService
import Navigation
import TestParts
import Testing

@Suite struct WireTests {
  static let clientMessages: [ClientMessage] = {
    var settings = StandardService.Settings()
    settings.desiredAccuracy = .hundredMeters
    settings.distanceFilter = 12.5
    settings.pausesAutomatically = false
    settings.activity = .fitness
    let client = ClientIdentity(name: "a.b", user: 7)
    return [
      .hello(version: 1, name: "a", purpose: "quotes \" and \\ and \n and ü and 🚗"),
      .configure(settings), .configure(.init()), .start(session: 3), .stop(),
      .stop(session: 3),
      .startSignificantChange(session: 4), .stopSignificantChange, .startVisits(session: 5), .stopVisits,
      .startHistory(number: 8), .stopHistory, .requestHistory(number: 9, since: nil, count: 3),
      .requestHistory(number: 9, since: Made.time(1), count: -1),
      .startHeading(session: 1, filter: nil), .startHeading(session: 2, filter: 5.5), .stopHeading,
      .startMonitoring(Made.home),
      .stopMonitoring(identifier: "home"), .requestState(identifier: "home"), .requestRegions,
      .acknowledge(event: .max), .requestLocation(number: 1, within: 0.1),
      .bestOf(number: 2, count: 5, within: 1e9),
      .allowDeferredUpdates(number: 1, untilTraveled: nil, timeout: 3),
      .allowDeferredUpdates(number: 1, untilTraveled: 1e-3, timeout: nil), .disallowDeferredUpdates,
      .authorize(client, .init(.authorized, .reduced)), .authorize(client, nil),
      .authorize(client, .init(.authorized, .reduced, fullAccuracyPurposeKeys: ["a", "b.c"])),
      .requestTemporaryFullAccuracy(number: 3, purposeKey: "a"), .requestAuthorizations,
    ]
  }()

  @Test(arguments: clientMessages) func clientMessagesComeBackFromTheirLines(_ message: ClientMessage) throws
  {
    let line = message.json.text
    #expect(!line.contains("\n"))
    #expect(try ClientMessage(json: #require(JSONParser.parse(line))) == message)
  }

  /// Some of each type, and together with every member that there is.
  static let serviceMessages: [ServiceMessage] = {
    var full = Made.location(at: 1)
    full.floor = .init(level: -2)
    (full.altitude, full.ellipsoidalAltitude, full.verticalAccuracy) = (450, 500, 3)
    (full.courseDegrees, full.courseAccuracyDegrees) = (0.1, 2)
    (full.headingDegrees, full.headingAccuracyDegrees) = (359.9, 1)
    (full.speed, full.signedSpeed, full.speedAccuracy) = (3, -3, 0.1)
    full.sources = [.gnss, .inertial, .wheel, .simulated, .cached, .refined, .reduced, .wifi, .cell]
    var messages: [ServiceMessage] = [
      .welcome(version: 1, accuracy: .reduced), .welcome(version: 1, accuracy: .full, release: "9.9"),
      .welcome(version: 1, accuracy: .full, release: nil), .locations(.standard, session: 1, [full]),
      .locations(.significantChange, session: -1, [Made.location(at: 2), full]),
      .refused(.visits, .denied(.accuracyReduced)), .refused(.heading, .denied(.deniedForClient)),
      .heading(
        session: 4,
        .init(
          trueHeadingDegrees: 359.5, headingAccuracyDegrees: 0.5, timestamp: Made.time(1), utc: Made.time(2))),
      .visits(
        session: 3,
        [
          .init(
            coordinate: Made.home.center, horizontalAccuracy: 4, arrival: nil,
            departure: Made.time(1), sources: [.gnss]),
          .init(coordinate: Made.home.center, horizontalAccuracy: 4, arrival: Made.time(0)),
        ]),
      .authorization(.init(.denied)), .paused(session: 1), .resumed(session: 1),
      .regionEvent(
        .init(number: 4, identifier: "home", kind: .exited, timestamp: Made.time(1), utc: nil)),
      .regionEvent(
        .init(number: 5, identifier: "home", kind: .entered, timestamp: Made.time(1), utc: Made.time(2))),
      .regionStarted(identifier: "home"), .regions([Made.home]), .answer(number: 1, .success(full)),
      .answer(number: 1, .failure(.locationUnknown(.searching))),
      .history(number: 2, .success([full])), .history(number: 3, .success([])),
      .history(number: 4, .failure(.denied(.deniedForClient))),
      .temporaryFullAccuracy(number: 1, .success(nil)),
      .temporaryFullAccuracy(number: 2, .success(Made.time(1))),
      .temporaryFullAccuracy(number: 3, .failure(.fullAccuracyNotAllowed(purposeKey: "a"))),
      .status(
        .init(
          timestamp: Made.time(1), mode: .carried, unknown: nil, horizontalAccuracy: 4,
          lostSources: ["a"])),
      .authorizations(
        [
          .init(client: .init(name: "a", user: 1), grant: .init(.authorized)),
          .init(client: .init(name: "b", user: 1), grant: .init(.denied), isStored: false),
          .init(client: .init(name: "c", user: 1), grant: nil, isStored: false),
        ],
        [
          .init(
            client: .init(name: "a", user: 1), purpose: "p", from: Made.time(0), until: Made.time(1),
            count: 3)
        ]),
    ]
    messages += RegionState.allCases.map { .regionState(identifier: "x", $0) }
    messages += DeferralReason.allCases.map { .deferredFinished(number: 1, $0) }
    let failures: [LocationError.RegionFailure] =
      [.invalid("r"), .tooMany(limit: 3), .tooManyNames(limit: 4), .notStored]
      + LocationError.DenialReason.allCases.map { .denied($0) }
    messages += failures.map { .regionFailed(identifier: "x", $0) }
    var errors: [LocationError] = [
      .purposeMissing, .purposeInvalid("p"), .notStored, .tooManyNames(limit: 5), .identifierInvalid,
      .serviceUnreachable("s"), .protocolViolation("p"),
    ]
    errors += LocationError.UnknownReason.allCases.map { .locationUnknown($0) }
    errors += LocationError.DenialReason.allCases.map { .denied($0) }
    errors += DeferralReason.allCases.map { .deferredFailed($0) }
    errors += failures.map { .regionMonitoringFailed($0) }
    messages += errors.map { .failed($0) }
    return messages
  }()

  @Test func serviceMessagesComeBackFromTheirLines() {
    for message in Self.serviceMessages {
      #expect(JSONParser.parse(message.json.text).flatMap(ServiceMessage.init(json:)) == message)
    }
  }

  @Test func altitudeAboveTheSeaIsLeftOutWhereTheGeoidIsNotKnown() {
    var location = Made.location(at: 1)
    #expect(
      location.altitude == nil && location.json["ellipsoidalAltitude"] == nil
        && location.json["altitude"] == nil)
    (location.ellipsoidalAltitude, location.verticalAccuracy) = (500, 3)
    #expect(location.json["ellipsoidalAltitude"] == .number(500) && location.json["altitude"] == nil)
    location.altitude = 450
    #expect(location.json["altitude"] == .number(450) && Location(json: location.json)?.altitude == 450)
    // Not valid by its accuracy, it is not told, whatever stands in it.
    location.verticalAccuracy = -1
    #expect(location.json["altitude"] == nil && Location(json: location.json)?.altitude == nil)
  }

  @Test(arguments: [
    ("7", "a message is a JSON object"),
    (#"{"session":1}"#, "a message has a type, a string"),
    (#"{"type":"begin"}"#, "\"begin\" is no type of a message"),
    (#"{"type":"start"}"#, "start without session: it takes a whole number"),
    (#"{"type":"stop","session":"1"}"#, "stop: session takes a whole number"),
    (#"{"type":"configure","distanceFilter":"10"}"#, "configure: distanceFilter takes a number"),
    (
      #"{"type":"configure","activity":"swimming"}"#,
      "configure: activity takes one of \(ActivityType.allCases.map(\.rawValue).joined(separator: ", "))"
    ),
    (
      #"{"type":"startMonitoring","region":{"identifier":"home"}}"#,
      "startMonitoring: region takes identifier, latitudeDegrees, longitudeDegrees, radius and boolean flags"
    ),
    (
      #"{"type":"startMonitoring","region":{"identifier":"a","latitudeDegrees":1,"longitudeDegrees":1,"radius":50,"notifyOnExit":0}}"#,
      "startMonitoring: region takes identifier, latitudeDegrees, longitudeDegrees, radius and boolean flags"
    ),
    (
      #"{"type":"authorize","client":{"name":"a","user":0},"grant":"all"}"#,
      "authorize: grant takes status (notDetermined, restricted, denied, authorized) "
        + "and accuracy (full, reduced), and fullAccuracyPurposeKeys: "
        + "at most 16 of letters, digits, '.', '-' and '_'"
    ),
  ]) func aFaultyMessageIsToldWhatItLacks(_ line: String, _ reason: String) throws {
    let json = try #require(JSONParser.parse(line))
    let fault = #expect(throws: MessageFault.self) { try ClientMessage(json: json) }
    #expect(fault?.description == reason)
  }

  @Test func aRegionTellsOfBothWaysUnlessItSaysOtherwise() {
    let place = #""identifier":"home","latitudeDegrees":48,"longitudeDegrees":11,"radius":100"#
    for flags in ["", #","notifyOnEntry":null"#, #","notifyOnEntry":true,"notifyOnExit":true"#] {
      #expect(Region(json: JSONParser.parse("{\(place)\(flags)}")) == Made.home)
    }
    let quiet = Region(json: JSONParser.parse("{\(place),\"notifyOnEntry\":false}"))
    #expect(quiet?.notifyOnEntry == false && quiet?.notifyOnExit == true)
    for wrong in ["0", "1", #""false""#, "[]"] {
      #expect(Region(json: JSONParser.parse("{\(place),\"notifyOnEntry\":\(wrong)}")) == nil)
    }
  }

  @Test func aFilterWithoutEndIsSaid() throws {
    var settings = StandardService.Settings()
    settings.distanceFilter = .infinity
    let line = ClientMessage.configure(settings).json.text
    settings.distanceFilter = .greatestFiniteMagnitude
    #expect(try ClientMessage(json: #require(JSONParser.parse(line))) == .configure(settings))
  }

  /// Random lines and random damage to good ones: never a trap, and the hub takes whatever message comes out.
  @Test(arguments: [Dice.newSeed]) func damagedLinesNeverHarmTheHub(seed: UInt64) {
    var dice = Dice(seed: seed)
    let good = Self.clientMessages.map { Array($0.json.text.utf8) }
    var bench = Bench()
    bench.drive(north: 0)
    let calm = bench.client("calm")
    bench.say(.start(session: 1), calm)
    _ = bench.take(calm)
    var understood = 0
    for _ in 0..<50_000 {
      var line = good.randomElement(using: &dice) ?? []
      for _ in 0..<Int.random(in: 0...3, using: &dice) where !line.isEmpty {
        let at = line.indices.randomElement(using: &dice) ?? 0
        switch Int.random(in: 0...3, using: &dice) {
        case 0: line[at] = UInt8.random(in: 0...255, using: &dice)
        case 1: line.remove(at: at)
        case 2: line.insert(UInt8.random(in: 0...255, using: &dice), at: at)
        default: line.removeSubrange(at...)
        }
      }
      guard let json = JSONParser.parse(line[...]), let message = try? ClientMessage(json: json) else {
        continue
      }
      understood += 1
      let id = bench.client("wild")
      bench.say(message, id)
      bench.drive(north: Double.random(in: 0...1000, using: &dice), step: 0.1)
      _ = bench.take(id)
      bench.hub.disconnect(id)
    }
    #expect(understood > 1000)
    #expect(!bench.hub.isOver(calm) && !bench.takeLocations(calm).isEmpty)
  }

  @Test func linesComeWholeHoweverTheBytesArrive() {
    var lines = LineBuffer(limit: 10)
    var found: [String] = []
    for byte in Array("ab\n\ncdefgh\nxy".utf8) {
      lines.append([byte])
      while let line = lines.next() { found.append(String(decoding: line, as: UTF8.self)) }
    }
    #expect(found == ["ab", "", "cdefgh"] && lines.isInside && !lines.isOverlong)
    lines.append(Array("123456789".utf8))
    #expect(lines.next() == nil && lines.isOverlong)
  }
}
