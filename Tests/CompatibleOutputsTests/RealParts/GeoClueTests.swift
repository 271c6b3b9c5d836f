import CompatibleOutputs
import Foundation
import Navigation
import TestParts
import Testing

private let geoClueAgent = "geoclue-2.0/demos/agent"
private let geoClueExample = "geoclue-2.0/demos/where-am-i"

/// GeoClue reads our Unix socket, and its own example program says what it understood. On a bus of its own,
/// with settings of its own that only its own mount name space sees.
@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .enabled(
    if: getuid() == 0
      && Part.areInstalled("geoclue", geoClueAgent, geoClueExample, "dbus-daemon", "dbus-send", "unshare"),
    "needs root and the packages geoclue-2.0, geoclue-2-demo and dbus"))
struct GeoClueTests {
  @Test(arguments: [true, false]) func geoClueReadsTheSocket(isAided: Bool) async throws {
    let folder = ScratchFolder()
    chmod(folder.path, 0o755)
    let bus = folder.path + "/bus"
    try busSettings(bus).write(toFile: folder.path + "/bus.conf", atomically: true, encoding: .utf8)
    try geoClueSettings(folder.path + "/nmea")
      .write(toFile: folder.path + "/geoclue.conf", atomically: true, encoding: .utf8)
    let environment = [
      "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(bus)", "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(bus)",
      "LC_ALL": "C.UTF-8",
    ]
    var settings = CompatibleOutputsSettings()
    settings.gpsd = nil
    settings.nmeaSocket = .init(path: folder.path + "/nmea", permissions: 0o666)
    try await withOutputs(settings) { outputs in
      let drift: @Sendable (inout PositionReport) -> Void = { report in
        guard !isAided else { return }
        report.isAided = false
        report.solution?.positionCovariance = Matrix3(diagonal: Vector3(1e4, 1e4, 1e4))
      }
      try await Publisher.running(outputs, hertz: 5, drift) {
        let daemon = try Part(
          "dbus-daemon", ["--config-file=\(folder.path)/bus.conf", "--nofork"], in: folder)
        try #require(try await daemon.waits(10) { FileManager.default.fileExists(atPath: bus) })
        let command =
          "mount --bind \(folder.path)/geoclue.conf /etc/geoclue/geoclue.conf && exec /usr/libexec/geoclue"
        let geoclue = try Part("unshare", ["-m", "sh", "-c", command], in: folder, environment: environment)
        try #require(try await isOnBus(environment, in: folder), "\(geoclue.text)")
        let agent = try Part(geoClueAgent, [], in: folder, environment: environment)
        try await Task.sleep(for: .milliseconds(500))
        let example = try Part(
          geoClueExample, ["-t", "4", "-a", "8"], in: folder, environment: environment)
        // What it says comes out when it ends.
        #expect(try await example.status(within: 20) == 0)
        let text = example.text
        for part in [example, agent, geoclue, daemon] { part.end() }

        let latitudes = text.components(separatedBy: "Latitude:").dropFirst()
        #expect(latitudes.count >= 4, "\(text) \(geoclue.text)")
        for latitude in latitudes {
          let number = Double(latitude.trimmingCharacters(in: .whitespaces).prefix { $0 != "°" }) ?? 0
          #expect((48.1...48.2).contains(number))
        }
        #expect(text.contains("Longitude:   11.516667°"))
        #expect(text.contains("Altitude:    545.4"))
        // GeoClue has steps: 0 m up to a dilution of 1, 100 m from 10 to 20. σ of 100 m make
        // 245 m for 95 %, so 12.9.
        #expect(text.contains("Accuracy:    \(isAided ? 0 : 100).0"))
      }
    }
  }

  /// Whether GeoClue has taken its name on the bus: some time after it has begun, at most ten seconds.
  private func isOnBus(_ environment: [String: String], in folder: ScratchFolder) async throws -> Bool {
    let question = [
      "--system", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
      "org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.GeoClue2",
    ]
    for _ in 0..<50 {
      let asked = try Part("dbus-send", question, in: folder, environment: environment)
      defer { asked.end() }
      if try await asked.status(within: 5) == 0, asked.text.contains("boolean true") { return true }
      try await Task.sleep(for: .milliseconds(200))
    }
    return false
  }

  private func busSettings(_ path: String) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig><type>custom</type><listen>unix:path=\(path)</listen><auth>EXTERNAL</auth>
    <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>
    """
  }

  private func geoClueSettings(_ socket: String) -> String {
    let off = ["3g", "cdma", "modem-gps", "wifi", "compass"].map { "[\($0)]\nenable=false\n" }.joined()
    return """
      [agent]
      whitelist=geoclue-demo-agent
      [network-nmea]
      enable=true
      nmea-socket=\(socket)
      [geoclue-where-am-i]
      allowed=true
      system=true
      users=
      \(off)
      """
  }
}
