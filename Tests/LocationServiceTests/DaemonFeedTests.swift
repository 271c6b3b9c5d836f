import CLibrary
import Foundation
import Location
import LocationService
import TestParts
import Testing

/// Runs the built `reckond` with what it reads, and with what it serves beside its clients.
@Suite(.serialized, .enabled(if: Daemon.binary != nil, "the reckond binary is not beside the tests"))
struct DaemonFeedTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path }
  private static let drive = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../datasets/open-sky-commute").path

  /// Port 1 of the loopback has no gpsd, and the IMU is a server that is not there.
  private static let nothing = """
    [sensors]
    gpsd = "127.0.0.1:1"
    imu = "ip:127.0.0.1:1"

    """

  private func status(_ client: RawClient, within seconds: Double) -> LocationStatus? {
    guard case .status(let status)? = client.next(within: seconds) else { return nil }
    return status
  }

  @Test func withoutSensorsItSaysSoAndEndsInTime() throws {
    let daemon = try Daemon(folder, drive: nil, settings: Self.nothing)
    let client = try daemon.client()
    #expect(client.next(within: 1) == .welcome(version: 1, accuracy: .full))
    let first = try #require(status(client, within: 1))
    #expect(first.unknown != nil && first.horizontalAccuracy < 0)
    client.say(.start(session: 1))
    var last = first
    for _ in 0..<10 where last.unknown != .sourceUnreachable {
      last = status(client, within: 2) ?? last
    }
    #expect(last.unknown == .sourceUnreachable)
    #expect(last.lostSources == ["gpsd 127.0.0.1:1", "IMU ip:127.0.0.1:1"])
    daemon.signal(SIGTERM)
    #expect(daemon.status(within: 6) == 0)
  }

  /// At 47.496° N 8.722° E the geoid is 47.06 m above the ellipsoid, by `cs2cs EPSG:4979 EPSG:4326+5773`.
  @Test func aReplayHasHeightsAboveTheSea() throws {
    let daemon = try Daemon(folder, drive: Self.drive)
    let client = try daemon.client()
    client.say(.start(session: 1))
    var found: Location?
    _ = client.first(within: 10) { message in
      guard case .locations(_, _, let list) = message else { return false }
      found = list.last { $0.verticalAccuracy > 0 }
      return found != nil
    }
    let location = try #require(found)
    let altitude = try #require(location.altitude)
    #expect(abs(location.ellipsoidalAltitude - altitude - 47.06) < 0.2)
  }

  @Test func sensorsThatAreThereGiveLocationsAndOneThatIsLostIsNamed() throws {
    let imu = try IIODServer([.imu()])
    let feed = try IMUFeed(imu)
    let gpsd = try StandingReceiver()
    let metrics = try Listener.freePort()
    let settings =
      "metrics_port = \(metrics)\n[sensors]\ngpsd = \"127.0.0.1:\(gpsd.port)\"\nimu = \"\(imu.uri)\"\n"
    let daemon = try Daemon(folder, drive: nil, settings: settings)
    let client = try daemon.client()
    client.say(.start(session: 1))
    let located = client.first(within: 15) { message in
      guard case .locations(_, _, let list) = message, let last = list.last else { return false }
      return last.sources == [.gnss, .inertial] && abs(last.coordinate.latitudeDegrees - 52.5) < 1e-3
        && last.utc != nil
    }
    #expect(located != nil)
    let page = MetricsPage.text(metrics) ?? ""
    for line in [
      "reckon_engine_running 1.0", "reckon_recoveries_total 0.0",
      "reckon_source_up{source=\"gpsd 127.0.0.1:\(gpsd.port)\",role=\"fix\"} 1.0",
      "reckon_source_up{source=\"IMU \(imu.uri)\",role=\"inertial\"} 1.0",
      #"reckon_measurements_total{kind="gnssPosition",outcome="outlier"} 0.0"#,
    ] { #expect(page.contains("\n\(line)\n"), "\(line) in \(page)") }
    for figure in [
      "reckon_fix_age_seconds", "reckon_horizontal_accuracy_meters", "reckon_source_rate_hertz{",
      "reckon_engine_allocations_total ",
    ] {
      // The first position may be told before the first look at the engine.
      #expect(MetricsPage.shows("\n\(figure)", at: metrics, within: 5), "\(figure)")
    }
    gpsd.stop()
    let lost = client.first(within: 15) { message in
      guard case .status(let status) = message else { return false }
      return status.lostSources == ["gpsd 127.0.0.1:\(gpsd.port)"]
    }
    #expect(lost != nil)
    let down = "\nreckon_source_up{source=\"gpsd 127.0.0.1:\(gpsd.port)\",role=\"fix\"} 0.0\n"
    #expect(MetricsPage.shows(down, at: metrics, within: 5))
    daemon.signal(SIGTERM)
    #expect(daemon.status(within: 6) == 0)
    feed.stop()
  }

  @Test func aSensorThatCannotBeEndsWithTwo() throws {
    for flaw in [
      "[sensors]\ngpsd = \"host:port\"", "[sensors]\nimu = \"serial:\"", "[sensors]\nwheel = \"-\"",
      "[outputs]\nterminal = \"/tmp/t\"\ngpsd_port = 1\ngpsd_host = \"\"",
    ] {
      let path = folder + "/bad.toml"
      try flaw.write(toFile: path, atomically: true, encoding: .utf8)
      #expect(try Daemon.run(["--config", path, "--check-config"]) == 2, "\(flaw)")
    }
  }

  /// gpsd's own client at the port that is configured; what it printed, nil where there is no such client.
  private func gpspipe(_ port: UInt16, lines: Int) throws -> [[String: Any]]? {
    let path = "/usr/bin/gpspipe"
    guard FileManager.default.isExecutableFile(atPath: path) else {
      print("skipped: gpspipe is not installed")
      return nil
    }
    return try ProgramRun(path, ["-w", "-n", "\(lines)", "127.0.0.1:\(port)"], within: 20).lines.map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
  }

  @Test func aReplayedDriveIsSeenByGpsdsOwnClient() throws {
    let port = try Listener.freePort()
    let settings = """
      [outputs]
      gpsd_port = \(port)
      nmea_socket = "\(folder)/nmea"
      terminal = "\(folder)/tty"

      """
    let daemon = try Daemon(folder, drive: Self.drive, settings: settings)
    let client = try daemon.client()
    client.say(.start(session: 1))
    // The host's clients and gpsd's are told of one place.
    let told = client.first(within: 10) { message in
      if case .locations = message { true } else { false }
    }
    guard case .locations(_, _, let locations)? = told, let place = locations.last else {
      Issue.record("no location: \(String(describing: told))")
      return
    }
    guard let reports = try gpspipe(port, lines: 20) else { return }
    #expect(reports.prefix(3).map { $0["class"] as? String } == ["VERSION", "DEVICES", "WATCH"])
    let positions = reports.filter { $0["class"] as? String == "TPV" && $0["mode"] as? Int == 3 }
    #expect(positions.count > 10)
    for position in positions {
      // 8: simulated.
      #expect(position["status"] as? Int == 8)
      #expect(abs((position["lat"] as? Double ?? 0) - place.coordinate.latitudeDegrees) < 0.01)
      #expect(abs((position["lon"] as? Double ?? 0) - place.coordinate.longitudeDegrees) < 0.01)
    }
    let sentences = RawClient(descriptor: try UnixSocket.connect(folder + "/nmea"))
    var buffer = [UInt8](repeating: 0, count: 6)
    var polled = pollfd(fd: sentences.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&polled, 1, 2000) == 1)
    #expect(
      read(sentences.descriptor, &buffer, 6) == 6 && String(decoding: buffer, as: UTF8.self) == "$GNGGA")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/tty").hasPrefix("/dev/pts/"))
    daemon.signal(SIGTERM)
    #expect(daemon.status(within: 6) == 0)
    for name in ["s", "nmea", "tty"] {
      var information = stat()
      #expect(lstat("\(folder)/\(name)", &information) != 0, "\(name) is left behind")
    }
  }

  @Test func locationServicesThatAreOffAreOffForGpsdsClientsToo() throws {
    let port = try Listener.freePort()
    let off = "location_services_enabled = false\n[outputs]\ngpsd_port = \(port)\n"
    let daemon = try Daemon(folder, drive: Self.drive, settings: off)
    _ = try daemon.client()
    usleep(500_000)
    guard let reports = try gpspipe(port, lines: 10) else { return }
    #expect(reports.contains { $0["class"] as? String == "TPV" })
    #expect(reports.allSatisfy { $0["lat"] == nil })
    daemon.signal(SIGTERM)
    #expect(daemon.status(within: 6) == 0)
  }
}
