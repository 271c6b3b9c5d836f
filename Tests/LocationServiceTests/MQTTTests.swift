import Foundation
import JSON
import Location
import LocationService
import Navigation
import TestParts
import Testing

/// A host that tells a broker.
final class BrokerBench {
  let bench: HostBench

  init(
    port: UInt16, rules: [AuthorizationPolicy.Rule] = [], password: String? = nil,
    _ change: (inout MQTTConfiguration) -> Void = { _ in }
  ) throws {
    var mqtt = MQTTConfiguration()
    (mqtt.host, mqtt.port, mqtt.interval) = ("127.0.0.1", port, 0.1)
    change(&mqtt)
    bench = try HostBench(rules: rules) {
      $0.broker = .init(mqtt: mqtt, password: password)
      $0.metricsPort = 0
    }
  }

  /// Says a place with everything known, again and again, until `condition` holds; whether it did in time.
  func drives(
    _ north: Double = 0, within seconds: Double = 10, until condition: () -> Bool
  ) -> Bool {
    becomesTrue(within: seconds) {
      publish(north)
      usleep(50_000)
      return condition()
    }
  }

  private func publish(_ north: Double) {
    var location = Made.location(north: north, accuracy: 2.5, at: 0)
    location.timestamp = BootClock.now()
    location.utc = Timestamp(nanoseconds: 1_700_000_000_250_000_000)
    (location.ellipsoidalAltitude, location.altitude, location.verticalAccuracy) = (567.25, 520, 3.5)
    (location.headingDegrees, location.headingAccuracyDegrees) = (271.5, 1)
    (location.courseDegrees, location.courseAccuracyDegrees) = (91.5, 1)
    (location.speed, location.signedSpeed, location.speedAccuracy) = (10, -10, 0.1)
    bench.host.publish(.init(location: location, sources: 1), utc: location.utc)
  }

  func metric(_ name: String) -> Double? {
    MetricsPage.text(bench.host.metricsPort ?? 0)?.split(separator: "\n")
      .first { $0.hasPrefix("reckon_mqtt_\(name) ") }?.split(separator: " ").last.flatMap { Double($0) }
  }
}

/// `reckond` and Debian's mosquitto.
@Suite(.serialized, .enabled(if: Mosquitto.isInstalled, "mosquitto and mosquitto_sub are not both installed"))
struct MQTTTests {
  private let scratch = ScratchFolder()

  private func value(_ ear: Mosquitto.Ear, _ topic: String) throws -> String? {
    try ear.newest(topic).map { try #require(JSONParser.parse($0)) }?["value"]?.string
  }

  @Test(arguments: [false, true]) func everySignalArrivesInTheUnitOfItsSpecification(isAcknowledged: Bool)
    throws
  {
    let broker = try Mosquitto()
    let ear = try broker.listen()
    let bench = try BrokerBench(port: broker.port) {
      $0.isAcknowledged = isAcknowledged
      $0.topicPrefix = "fleet/car-7"
    }
    #expect(bench.drives { ear.newest("fleet/car-7/Vehicle/Speed") != nil })
    let expected = [
      "CurrentLocation/Timestamp": "2023-11-14T22:13:20.250Z", "CurrentLocation/Latitude": "48.0",
      "CurrentLocation/Longitude": "11.0", "CurrentLocation/Altitude": "567.25",
      "CurrentLocation/VerticalAccuracy": "3.5", "CurrentLocation/HorizontalAccuracy": "2.5",
      "CurrentLocation/Heading": "271.5", "Speed": "36.0",
    ]
    for (name, text) in expected { #expect(try value(ear, "fleet/car-7/Vehicle/\(name)") == text, "\(name)") }
    let topics = Set(ear.heard.map(\.topic)).subtracting(["fleet/car-7/reckond/status"])
    #expect(topics == Set(expected.keys.map { "fleet/car-7/Vehicle/\($0)" }))
    #expect(ear.newest("fleet/car-7/Vehicle/Speed") == #"{"value":"36.0","ts":"2023-11-14T22:13:20.250Z"}"#)
    #expect(bench.drives { (bench.metric("positions_published_total") ?? 0) > 5 })
    #expect(bench.metric("connected") == 1 && bench.metric("connections_total") == 1)
  }

  @Test func theStatusIsRetainedAndTheWillIsHeardOnceItHasGone() throws {
    let broker = try Mosquitto()
    var bench: BrokerBench? = try BrokerBench(port: broker.port)
    #expect(bench?.drives { bench?.metric("connected") == 1 } == true)
    let late = try broker.listen()
    #expect(becomesTrue(within: 5) { late.newest("reckond/status") == "online" })
    // Nobody who comes later is told an old place.
    #expect(late.heard.allSatisfy { $0.topic == "reckond/status" })
    bench = nil
    #expect(becomesTrue(within: 5) { late.newest("reckond/status") == "offline" })
  }

  @Test func userAndPasswordAreNeededWhereTheBrokerWantsThem() throws {
    let broker = try Mosquitto(isOpen: false)
    var mqtt = MQTTConfiguration()
    mqtt.passwordFile = broker.passwordFile
    // The daemon reads it as this does.
    let text = "[mqtt]\nhost = \"h\"\nuser = \"car\"\npassword_file = \"\(broker.passwordFile)\"\n"
    #expect(try ServiceConfiguration(text: text).mqtt.passwordFile == broker.passwordFile)
    let ear = try broker.listen()
    let stranger = try BrokerBench(port: broker.port)
    #expect(!stranger.drives(within: 2) { !ear.heard.isEmpty })
    #expect(stranger.metric("connected") == 0)
    let bench = try BrokerBench(port: broker.port, password: "drive") { $0.user = "car" }
    #expect(bench.drives { ear.newest("Vehicle/Speed") != nil })
  }

  @Test func whoIsDeniedIsNotEvenConnected() throws {
    let broker = try Mosquitto()
    let ear = try broker.listen()
    let client = ClientIdentity(name: "reckon-mqtt", user: getuid())
    let denied = AuthorizationPolicy.Rule(name: client.name, user: nil, grant: .init(.denied))
    let bench = try BrokerBench(port: broker.port, rules: [denied])
    #expect(!bench.drives(within: 2) { !ear.heard.isEmpty })
    #expect(bench.metric("connections_total") == 0)
    bench.bench.host.setRules([], locationServicesEnabled: true, trustedUser: getuid())
    #expect(bench.drives { ear.newest("Vehicle/Speed") != nil })
    // A denial while it runs: at once nothing more, and the broker says so.
    bench.bench.host.decide(.init(.denied), for: client)
    #expect(becomesTrue(within: 5) { ear.newest("reckond/status") == "offline" })
    let count = ear.heard.count
    #expect(!bench.drives(1000, within: 2) { ear.heard.count > count })
    bench.bench.host.decide(.init(.authorized), for: client)
    #expect(bench.drives { ear.heard.count > count + 8 })
  }

  @Test func withReducedAccuracyTheMiddleOfACellIsToldAndNothingElse() throws {
    let broker = try Mosquitto()
    let ear = try broker.listen()
    let reduced = AuthorizationPolicy.Rule(
      name: "reckon-mqtt", user: nil, grant: .init(.authorized, .reduced))
    let bench = try BrokerBench(port: broker.port, rules: [reduced])
    #expect(bench.drives(1234) { ear.newest("Vehicle/CurrentLocation/Latitude") != nil })
    _ = bench.drives(1234, within: 1) { false }
    let coarse = ReducedAccuracy.coarse(Made.location(north: 1234, accuracy: 2.5, at: 0))
    #expect(
      try value(ear, "Vehicle/CurrentLocation/Latitude").flatMap { Double($0) }
        == (coarse.coordinate.latitudeDegrees * 1e7).rounded() / 1e7)
    #expect(ear.heard.count { $0.topic == "Vehicle/CurrentLocation/Latitude" } == 1)
    for name in ["Vehicle/Speed", "Vehicle/CurrentLocation/Heading", "Vehicle/CurrentLocation/Altitude"] {
      #expect(ear.newest(name) == nil)
    }
  }

  @Test(arguments: [false, true]) func aBrokerThatIsKilledIsFoundAgain(isAcknowledged: Bool) throws {
    let broker = try Mosquitto()
    let bench = try BrokerBench(port: broker.port) { $0.isAcknowledged = isAcknowledged }
    #expect(bench.drives { (bench.metric("positions_published_total") ?? 0) > 2 })
    broker.kill()
    #expect(bench.drives { bench.metric("connected") == 0 })
    try broker.start()
    let ear = try broker.listen()
    #expect(bench.drives(within: 20) { ear.newest("Vehicle/Speed") != nil })
    #expect(bench.metric("connections_total") == 2)
  }

  @Test func theServiceAsAProcessDoesItToo() throws {
    let folder = scratch.path
    let broker = try Mosquitto(isOpen: false)
    let ear = try broker.listen()
    let daemon = try Daemon(
      folder, drive: try StandingDrive.write(folder),
      settings: """
        [mqtt]
        host = "localhost"
        port = \(broker.port)
        user = "car"
        password_file = "\(broker.passwordFile)"
        qos = 1
        """)
    #expect(becomesTrue(within: 20) { ear.newest("Vehicle/CurrentLocation/Latitude") != nil })
    #expect(
      try value(ear, "Vehicle/CurrentLocation/Latitude").flatMap { Double($0) }.map { abs($0 - 48) < 1e-4 }
        == true)
    daemon.signal(SIGTERM)
    #expect(daemon.status(within: 10) == 0)
    #expect(becomesTrue(within: 5) { ear.newest("reckond/status") == "offline" })
  }
}

/// What says that it is a broker, and means harm: the service goes on, and what it keeps is bounded.
@Suite(.serialized) struct MQTTHostileTests {
  private func expectServed(_ bench: BrokerBench) throws {
    let client = try bench.bench.client()
    client.say(.start(session: 1))
    let place = Made.location(north: 7, at: 0).coordinate
    var isServed = false
    _ = bench.drives(7, within: 5) {
      isServed = isServed || client.next(within: 0.2)?.locations.contains { $0.coordinate == place } == true
      return isServed
    }
    #expect(isServed)
  }

  @Test(
    arguments: [
      Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), [0x20, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
      [0x20, 2, 0, 3],
      [0x20, 2, 0, 0, 0x40, 2, 0, 1], [0x20, 2, 0, 0, 0x30, 0xFF, 0xFF, 0xFF, 0x7F],
      [0x20, 2, 0, 0, 0xD0, 0], [0],
    ] as [[UInt8]]) func whatIsNoBrokerIsLeftAtOnceAndTriedAgainLater(bytes: [UInt8]) throws
  {
    let listener = try Listener()
    let bench = try BrokerBench(port: listener.port)
    #expect(listener.accept())
    listener.send(bytes)
    // The second time comes after the first pause, not at once.
    let began = BootClock.now()
    #expect(listener.accept(within: 10))
    #expect(BootClock.now().seconds(since: began) > 0.5)
    try expectServed(bench)
  }

  @Test func oneThatSendsWithoutEndIsHungUpOn() throws {
    let listener = try Listener()
    let bench = try BrokerBench(port: listener.port)
    #expect(listener.accept())
    listener.send([0x20, 2, 0, 0])
    let flood = [UInt8](repeating: 0x30, count: 1 << 20)
    var sent = 0
    while sent < 100 << 20, listener.send(flood) { sent += flood.count }
    #expect(sent < 32 << 20)
    try expectServed(bench)
  }

  /// It takes the connection and nothing more: what is for it is not piled up, and it is given up.
  @Test func oneThatNeverAnswersIsGivenUp() throws {
    let listener = try Listener()
    let bench = try BrokerBench(port: listener.port) { $0.isAcknowledged = true }
    #expect(listener.accept())
    try expectServed(bench)
    // Nothing comes after the greeting; it hangs up by itself.
    _ = listener.line(within: 15)
    #expect(bench.metric("connections_total") == 0)
    #expect(listener.accept(within: 10))
    // Welcomes, and acknowledges nothing: positions are dropped and counted.
    listener.send([0x20, 2, 0, 0])
    #expect(bench.drives(within: 10) { (bench.metric("positions_dropped_total") ?? 0) > 5 })
    #expect((bench.metric("positions_published_total") ?? -1) == 0)
    try expectServed(bench)
    // Its patience has an end here, too.
    #expect(bench.drives(within: 15) { bench.metric("connected") == 0 })
  }
}
