import Foundation
import Location
import LocationService
import TestParts
import Testing

@Suite struct ConfigurationTests {
  private func flaw(_ text: String) -> ServiceConfiguration.Flaw? {
    do {
      _ = try ServiceConfiguration(text: text)
      return nil
    } catch { return error }
  }

  @Test func anEmptyFileIsTheDefaults() throws {
    #expect(try ServiceConfiguration(text: "") == ServiceConfiguration())
    #expect(try ServiceConfiguration(text: "# only this\n\n[service]\n") == ServiceConfiguration())
  }

  @Test func linesEndAsOnAnySystem() throws {
    let text =
      "# my car\n[service]  # here\nlocation_services_enabled = false\n[[client]]\nname = \"*\"\nallow = \"nothing\"\n"
    let settings = try ServiceConfiguration(text: text)
    #expect(!settings.locationServicesEnabled && settings.rules.count == 1)
    #expect(try ServiceConfiguration(text: text.replacing("\n", with: "\r\n")) == settings)
    #expect(try ServiceConfiguration(text: "\u{FEFF}" + text) == settings)
    #expect(flaw("# my car\r\n[service]\r\nwrong = 1\r\n")?.line == 3)
  }

  @Test func everyKeyIsTaken() throws {
    let settings = try ServiceConfiguration(
      text: """
        [service]
        socket = "/tmp/a # b"  # with a comment
        socket_mode = 0o660
        database = ""
        location_services_enabled = false
        trust_own_user = false
        health_interval = 0
        metrics_port = 9100
        [sensors]
        gpsd = "none"
        imu = "ip:host,a+b"
        imu_rate = 200
        wheel = "/tmp/w"
        always = true
        realtime = true
        [coarse]
        database = "/tmp/p"
        socket = "/tmp/c"
        mode = 0o600
        [outputs]
        gpsd_host = "::1"
        gpsd_port = 2948
        nmea_socket = "/tmp/n"
        terminal = "/tmp/t"
        mode = 0o600
        [web]
        port = 8780
        address_file = "/tmp/address"
        [viss]
        port = 8790
        address_file = "/tmp/viss"
        [mqtt]
        host = "broker.example"
        port = 8883
        client_id = "car-7"
        user = "car"
        password_file = "/tmp/password"
        topic_prefix = "fleet/car-7"
        qos = 1
        interval_seconds = 0.5
        keep_alive_seconds = 60
        [limits]
        connections = 5
        connections_per_user = 4
        hello_seconds = 1.5
        line_seconds = 2
        messages_per_second = 7
        [[client]]
        name = "com.example.*"
        user = 1000
        allow = "reduced"
        [[client]]
        name = "*"
        allow = "nothing"
        """)
    #expect(settings.socket == "/tmp/a # b" && settings.socketMode == 0o660 && settings.metricsPort == 9100)
    #expect(
      settings.sensors.gpsd == "none" && settings.sensors.imu == "ip:host,a+b"
        && settings.sensors.imuRate == 200 && settings.sensors.wheel == "/tmp/w"
        && settings.sensors.always && settings.sensors.realtime)
    #expect(
      settings.coarse.database == "/tmp/p" && settings.coarse.socket == "/tmp/c"
        && settings.coarse.mode == 0o600
        && settings.coarse.isAny)
    #expect(
      settings.outputs.gpsdHost == "::1" && settings.outputs.gpsdPort == 2948
        && settings.outputs.nmeaSocket == "/tmp/n" && settings.outputs.terminal == "/tmp/t"
        && settings.outputs.mode == 0o600 && settings.outputs.isAny)
    #expect(settings.web.port == 8780 && settings.pageAddressFile == "/tmp/address")
    #expect(try ServiceConfiguration(text: "[service]\nsocket = \"/r/s\"").pageAddressFile == "/r/live-page")
    #expect(settings.viss.port == 8790 && settings.vissAddressFile == "/tmp/viss")
    let mqtt = settings.mqtt
    #expect(
      mqtt.host == "broker.example" && mqtt.port == 8883 && mqtt.clientID == "car-7" && mqtt.user == "car"
        && mqtt.passwordFile == "/tmp/password" && mqtt.topicPrefix == "fleet/car-7" && mqtt.isAcknowledged
        && mqtt.interval == 0.5 && mqtt.keepAlive == 60)
    #expect(settings.limits.connections == 5 && settings.limits.messagesPerSecond == 7)
    #expect(
      settings.rules == [
        .init(name: "com.example.*", user: 1000, grant: .init(.authorized, .reduced)),
        .init(name: "*", user: nil, grant: .init(.denied)),
      ])
  }

  @Test(arguments: [
    ("[service]\nsocke = \"x\"", 2), ("[servce]", 1), ("socket = \"x\"", 1),
    ("[service]\nsocket = x", 2), ("[service]\nsocket = \"x", 2), ("[service]\n\nmetrics_port = 70000", 3),
    ("[service]\nmetrics_port", 2), ("[service]\nsocket=\"a\"\nsocket=\"b\"", 3), ("[service]\n[service]", 2),
    ("[[client]]\nallow = \"full\"", 2), ("[[client]]\nname = \"a b\"", 2),
    ("[[client]]\nname = \"a\"\nallow = \"some\"", 3), ("[limits]\nhello_seconds = nan", 2),
    ("[limits]\nconnections = 0", 2), ("[service]\ntrust_own_user = yes", 2),
    ("[sensors]\nimu_rate = 1", 2), ("[outputs]\nport = 1", 2), ("[sensors]\n[outputs]\n[sensors]", 3),
    ("[coarse]\nsocket = \"/tmp/c\"", 2), ("[mqtt]\nqos = 2", 2), ("[mqtt]\nport = 0", 2),
    ("[mqtt]\nretain = true", 2),
  ]) func whatIsNotKnownIsRefusedWithItsLine(_ text: String, _ line: Int) {
    #expect(flaw(text)?.line == line)
  }

  /// What C calls octal is no number in TOML.
  @Test(arguments: ["[service]\nsocket_mode", "[coarse]\nmode", "[outputs]\nmode"])
  func permissionsAreOctalOnlyAfterTheirMark(_ key: String) throws {
    #expect(flaw("\(key) = 0666")?.reason.contains("as in 0o666") == true)
    #expect(flaw("\(key) = 0440")?.reason.contains("as in 0o440") == true)
    #expect(flaw("\(key) = 0o1000")?.reason.contains("to 0o777") == true)
    for good in ["0o660", "432", "0", "0o0"] {
      #expect(flaw("\(key) = \(good)")?.reason.contains("octal") != true)
    }
  }

  @Test func whatCanBeReadAndNotUsedIsRefusedWithItsKey() throws {
    func refused(_ change: (inout ServiceConfiguration) -> Void) -> String? {
      var settings = ServiceConfiguration()
      change(&settings)
      do throws(ServiceConfiguration.Unusable) {
        try settings.check()
        return nil
      } catch { return error.key }
    }
    let longest = String(repeating: "s", count: 107)
    #expect(refused { _ in } == nil)
    #expect(refused { $0.socket = longest } == nil)
    #expect(refused { $0.socket = longest + "s" } == "socket")
    #expect(refused { $0.socket = "" } == "socket")
    #expect(refused { ($0.coarse.database, $0.coarse.socket) = ("/d", longest + "s") } == "[coarse] socket")
    #expect(refused { ($0.metricsPort, $0.outputs.gpsdPort) = (2948, 2949) } == nil)
    #expect(refused { ($0.metricsPort, $0.outputs.gpsdPort) = (2948, 2948) } == "metrics_port")
    #expect(refused { ($0.web.port, $0.metricsPort, $0.outputs.gpsdPort) = (2948, 2949, 2950) } == nil)
    #expect(refused { ($0.web.port, $0.metricsPort) = (2948, 2948) } == "[web] port")
    #expect(refused { ($0.web.port, $0.outputs.gpsdPort) = (2948, 2948) } == "[web] port")
    #expect(refused { ($0.viss.port, $0.web.port) = (2948, 2948) } == "[viss] port")
    for prefix in ["a/#", "+/a", "$SYS", "/a", "a/", "a\nb", String(repeating: "a", count: 257)] {
      #expect(refused { $0.mqtt.topicPrefix = prefix } == "[mqtt] topic_prefix", "\(prefix)")
    }
    #expect(refused { $0.mqtt.passwordFile = "/p" } == "[mqtt] password_file")
    #expect(
      refused { ($0.mqtt.host, $0.mqtt.user, $0.mqtt.passwordFile) = ("broker", "car", "/p") } == nil)
    // Half of a setting, whose other half switches it on.
    #expect(refused { $0.outputs.gpsdHost = "::1" } == "[outputs] gpsd_host")
    #expect(refused { ($0.outputs.gpsdHost, $0.outputs.gpsdPort) = ("::1", 2948) } == nil)
    #expect(refused { $0.web.streets = "/s" } == "[web] streets")
    #expect(refused { $0.web.addressFile = "/a" } == "[web] address_file")
    #expect(refused { ($0.web.port, $0.web.addressFile, $0.web.streets) = (1, "/a", "/s") } == nil)
    #expect(refused { $0.viss.addressFile = "/a" } == "[viss] address_file")
    #expect(refused { $0.mqtt.port = 8883 } == "[mqtt] port")
    #expect(refused { $0.mqtt.topicPrefix = "fleet" } == "[mqtt] topic_prefix")
    #expect(refused { $0.mqtt.user = "car" } == "[mqtt] user")
  }

  @Test func aPasswordIsTheFirstLineOfItsFile() throws {
    let scratch = ScratchFolder()
    let path = scratch("password")
    var mqtt = MQTTConfiguration()
    #expect(try mqtt.password() == nil)
    mqtt.passwordFile = path
    #expect(throws: ServiceConfiguration.Unusable.self) { _ = try mqtt.password() }
    for (text, password) in [
      ("a b\nc\n", "a b"), ("é\r\n", "é"), ("no end", "no end"), ("", nil), ("\n", nil),
    ] {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      #expect((try? mqtt.password()) == password, "\(text)")
    }
  }

  @Test func theFileThatIsShippedIsTheDefaults() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../scripts/systemd/reckond.toml")
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(try ServiceConfiguration(text: text) == ServiceConfiguration())
    // Each key of it, commented out or not, is one that is taken.
    let all = text.split(separator: "\n").map { $0.hasPrefix("#:") ? String($0.dropFirst(2)) : String($0) }
    _ = try ServiceConfiguration(text: all.joined(separator: "\n"))
  }
}
