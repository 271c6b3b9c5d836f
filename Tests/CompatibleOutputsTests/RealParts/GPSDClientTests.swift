import CompatibleOutputs
import Foundation
import TestParts
import Testing

/// gpsd's own client programs, served by us.
@Suite(.serialized, .timeLimit(.minutes(5))) struct GPSDClientTests {
  private func address(_ outputs: CompatibleOutputs) throws -> String {
    "127.0.0.1:\(try #require(outputs.gpsdPort))"
  }

  @Test(.enabled(if: Part.areInstalled("gpspipe"))) func gpspipePrintsOurReports() async throws {
    let folder = ScratchFolder()
    try await withOutputs { outputs in
      try await Publisher.running(outputs) {
        let gpspipe = try Part("gpspipe", ["-w", "-n", "60", try address(outputs)], in: folder)
        #expect(try await gpspipe.status(within: 15) == 0)
        let objects = gpspipe.lines.map { parseJSON($0.utf8) }
        #expect(objects.count == 60)
        #expect(objects.prefix(3).map { $0.text("class") } == ["VERSION", "DEVICES", "WATCH"])
        let tpv = objects.filter { $0.text("class") == "TPV" }
        #expect(tpv.count > 10 && objects.contains { $0.text("class") == "ATT" })
        #expect(objects.contains { $0.text("class") == "SKY" && ($0["satellites"] as? [Any])?.count == 8 })
        for (one, next) in zip(tpv, tpv.dropFirst()) {
          #expect((one.number("lat") ?? .infinity) < (next.number("lat") ?? -.infinity))
        }
      }
    }
  }

  @Test(.enabled(if: Part.areInstalled("gpspipe"))) func gpspipePrintsOurSentences() async throws {
    let folder = ScratchFolder()
    try await withOutputs { outputs in
      try await Publisher.running(outputs, { report in report.isAided = false }) {
        let gpspipe = try Part("gpspipe", ["-r", "-n", "43", try address(outputs)], in: folder)
        #expect(try await gpspipe.status(within: 15) == 0)
        // VERSION, DEVICES and WATCH, then 40 sentences.
        let sentences = gpspipe.lines.dropFirst(3).compactMap { ParsedSentence($0) }
        #expect(sentences.count == 40)
        #expect(sentences.filter { $0.fields[0] == "GNRMC" }.allSatisfy { $0.fields[12] == "E" })
      }
    }
  }

  @Test(.enabled(if: Part.areInstalled("cgps", "tmux"))) func cgpsShowsOurPosition() async throws {
    let folder = ScratchFolder()
    try await withOutputs { outputs in
      try await Publisher.running(outputs) {
        // A terminal of its own, on a server of its own.
        let tmux = try Part(
          "tmux",
          ["-S", folder.path + "/tmux", "-f", "/dev/null", "-D"], in: folder,
          environment: ["LC_ALL": "C.UTF-8", "TERM": "xterm"])
        func ask(_ arguments: String...) async throws -> String {
          let part = try Part("tmux", ["-S", folder.path + "/tmux"] + arguments, in: folder)
          _ = try await part.status(within: 5)
          return part.text
        }
        try await tmux.waits(5) { FileManager.default.fileExists(atPath: folder.path + "/tmux") }
        _ = try await ask(
          "new-session", "-d", "-x", "100", "-y", "30", "cgps \(try address(outputs))")
        var screen = ""
        for _ in 0..<50 where !(screen.contains("Latitude") && screen.contains("3D")) {
          try await Task.sleep(for: .milliseconds(200))
          screen = try await ask("capture-pane", "-p")
        }
        _ = try await ask("kill-server")
        for shown in [
          "Latitude:         48.10", "Longitude:        11.51666667 E", "592.300,    545.400 m", "72.00 km/h",
          "3D GNSSDR FIX", "EPX):  n/a , +/-  5.9 m", "EPY):  n/a , +/-  3.9 m", "+/-  7.8 m", "+/-  8.9 m",
          "Seen  8/Used  6",
        ] {
          #expect(screen.contains(shown), "\(screen)")
        }
      }
    }
  }

  @Test(.enabled(if: Part.areInstalled("gpxlogger"))) func gpxloggerWritesOurTrack() async throws {
    let folder = ScratchFolder()
    try await withOutputs { outputs in
      try await Publisher.running(outputs) {
        let path = folder.path + "/track.gpx"
        let gpxlogger = try Part(
          "gpxlogger", ["-f", path, "-m", "0", "-i", "0", try address(outputs)], in: folder)
        func track() -> String {
          String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
        }
        try await gpxlogger.waits(15) { track().components(separatedBy: "<trkpt").count > 10 }
        gpxlogger.end()
        let points = track().components(separatedBy: "<trkpt").dropFirst()
        #expect(points.count > 5)
        for point in points {
          let text = point.components(separatedBy: "lat=\"").last ?? ""
          #expect((48.1...48.2).contains(Double(text.prefix { $0 != "\"" }) ?? 0))
          #expect(point.contains("lon=\"11.516666"))
          // gpxlogger 3.22 writes the height above the ellipsoid.
          #expect(point.contains("<ele>592.3"))
          #expect(point.contains("<fix>3d</fix>") || point.contains("<fix>dgps</fix>"))
        }
      }
    }
  }
}
