import Evaluation
import Foundation
import Live
import Navigation
import Recording
import Release
import SensorEvents
import TestParts
import Testing

/// The commands about recordings and imports, with the built `reckon`.
@Suite(.enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"))
struct RecordingCommandTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path }

  /// A recording of a simulated drive, with ten ticks a second.
  private func makeRecording(
    _ change: (SensorEvent) -> SensorEvent = { $0 }
  ) throws -> String {
    let path = folder + "/recording"
    var settings = RecordingSettings()
    settings.queueCapacity = 1 << 16
    let writer = try RecordingWriter(
      folder: path, configuration: LiveRecording.text(LiveConfiguration()), settings: settings)
    var next = RecordingReplayTests.events[0].arrival
    for event in RecordingReplayTests.events {
      writer.record(.event(change(event)))
      if event.arrival >= next {
        writer.record(.tick(event.arrival))
        next = event.arrival.advanced(bySeconds: 0.1)
      }
    }
    #expect(writer.stop(within: 20))
    return path
  }

  /// A receiver that takes an old date for the first seconds: the engine is told right soon, and so is the
  /// whole track.
  @Test(arguments: ["gpx", "csv", "tum"])
  func aTrackIsDatedByWhatWasKnownLast(format: String) throws {
    let start = RecordingReplayTests.events[0].arrival
    let recording = try makeRecording { event in
      guard case .fix(var reading) = event.content, event.arrival.seconds(since: start) < 5 else {
        return event
      }
      // 1024 weeks: what is left out of a count of ten bits.
      reading.fix.time = reading.fix.time.advanced(bySeconds: -1024 * 604_800)
      var event = event
      event.content = .fix(reading)
      return event
    }
    let track = folder + "/track.\(format)"
    let replay = try Tool.run(["replay", recording, "--output", track])
    #expect(replay.status == 0, "\(replay.errors)")
    let text = try String(contentsOfFile: track, encoding: .utf8)
    if format == "tum" {
      let times = text.split(separator: "\n").dropFirst().compactMap {
        $0.split(separator: " ").first.flatMap { Double($0) }
      }
      #expect(
        times.count > 100 && times.allSatisfy { (1_772_000_000..<1_772_000_100).contains($0) },
        "\(times.prefix(3))")
    } else {
      // 1,772,000,000 s: date -u -d @1772000000
      #expect(text.contains("2026-02-25T06:13:2") && !text.contains("2006-"))
    }
  }

  /// `reckon.tables` of the Python package.
  @Test func drivesScoresAndRecordingsAreTablesOfPandas() throws {
    guard PythonTools.has("pandas") else { return }
    let root = #filePath.replacing(/\/Tests\/.*/, with: "")
    let (drive, scores) = (root + "/datasets/open-sky-commute", folder + "/scores.json")
    let evaluation = try Tool.run(["evaluate", drive, "--outages", "30", "--no-latency", "--json", scores])
    #expect(evaluation.status == 0, "\(evaluation.errors)")
    let script = """
      import json, sys
      sys.path.insert(0, sys.argv[1])
      from reckon import tables
      _, _, drive, scores, recording, program = sys.argv
      read = tables.drive(drive)
      rows = tables.scores(scores).set_index("estimator")
      outages = tables.outages(scores)
      live = tables.recording(recording, program)
      print(json.dumps({
        "imu": list(read["imu"].columns)[:2], "rows": len(read["gnss"]), "frame": read["imu"].attrs["drive"]["imu"]["frame"][:3],
        "p95": rows.loc["causal", "horizontal_error_m.p95"], "outage": outages.loc[0, "end_error_m.p95"],
        "live": sorted(live), "points": len(live["track"]), "utc": str(live["gnss"]["utc"].iloc[0])[:13],
        "dated": str(live["track"]["utc"].dtype)[:10]}))
      """
    let said = try PythonTools.run(
      script,
      [root + "/clients/python", drive, scores, try makeRecording(), try #require(Tool.path)])
    #expect(said["imu"] as? [String] == ["time_s", "gyro_x_rad_s"] && said["frame"] as? String == "FRD")
    #expect(said["rows"] as? Int == 2765)
    let read = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: scores)))
    let first = (read as? [[String: Any]])?.first
    func p95(_ figures: Any?, _ key: String) -> Double? {
      ((figures as? [String: Any])?[key] as? [String: Any])?["p95"] as? Double
    }
    let causal = (first?["estimators"] as? [String: Any])?["causal"]
    #expect(said["p95"] as? Double == p95(causal, "horizontal_error_m"))
    #expect(said["outage"] as? Double == p95((first?["outages"] as? [Any])?.first, "end_error_m"))
    #expect(Set(["gnss", "imu", "track"]).isSubset(of: said["live"] as? [String] ?? []))
    #expect(said["points"] as? Int ?? 0 > 100)
    #expect(said["utc"] as? String == "2026-02-25 06" && said["dated"] as? String == "datetime64")
  }

  @Test func aRecordingIsReplayedAndImportedAndEvaluated() throws {
    let recording = try makeRecording()
    let track = folder + "/track.csv"
    let replay = try Tool.run(["replay", recording, "--output", track, "--rate", "5"])
    #expect(replay.status == 0, "\(replay.errors)")
    #expect(try String(contentsOfFile: track, encoding: .utf8).split(separator: "\n").count > 50)
    let summary = try Tool.run(["replay", recording])
    #expect(summary.status == 0 && summary.output.contains("inertial samples"), "\(summary.errors)")
    let drive = folder + "/drive"
    let made = try Tool.run(["import", "recording", recording, "--output", drive, "--name", "mine"])
    #expect(made.status == 0, "\(made.errors)")
    // Once a second a satellite was seen.
    let sky = try String(contentsOfFile: drive + "/sky.csv", encoding: .utf8).split(separator: "\n")
    #expect(sky.count > 2 && sky[1].hasSuffix(",0,5,30.0,120.0,41.0,1"), "\(sky.prefix(2))")
    let evaluation = try Tool.run(["evaluate", drive])
    #expect(evaluation.status == 0 && evaluation.output.contains("mine"), "\(evaluation.errors)")
  }

  @Test func recordingWithoutSensorsIsARecordingAllTheSame() throws {
    let path = folder + "/empty"
    for session in 1...2 {
      let run = try Tool.run(["record", path, "--gpsd", "none", "--imu", "none", "--duration", "0.5"])
      #expect(run.status == 0 && run.errors.contains("items recorded, "), "\(run.errors)")
      let replay = try Tool.run(["replay", path])
      #expect(replay.status == 0 && replay.output.contains("0 inertial samples"), "\(replay.errors)")
      #expect(replay.errors.contains("session 2 of 2") == (session == 2))
      #expect(replay.output.contains("recorded by reckon \(Release.version) (commit "), "\(replay.output)")
    }
  }

  @Test(arguments: ["", "some other program's file, longer than the head of a segment would be: 0123456789"])
  func aFolderWithoutOneWholeRecordIsNoRecording(_ text: String) throws {
    try text.write(toFile: folder + "/segment-00000001.rkl", atomically: true, encoding: .utf8)
    for more in [[], ["--output", folder + "/track.csv"]] {
      let run = try Tool.run(["replay", folder] + more)
      #expect(run.status == 3 && run.errors.contains("holds no recording"), "\(run.errors)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["segment-00000001.rkl"])
  }

  /// Another process of the same build reads the state that this one recorded.
  @Test func replayGoesOnFromAStateOfAnotherProcess() throws {
    let path = folder + "/long"
    let none = ["--gpsd", "none", "--imu", "none", "--segment-size", "0.01", "--duration", "8"]
    #expect(try Tool.run(["record", path] + none).status == 0)
    try FileManager.default.removeItem(atPath: path + "/segment-00000001.rkl")
    let replay = try Tool.run(["replay", path])
    #expect(
      replay.status == 0 && replay.errors.contains("went on 1 times from a recorded state"),
      "\(replay.errors)")
    #expect(!replay.errors.contains("not those of live"))
  }

  @Test func unusableArgumentsAndData() throws {
    let recording = try makeRecording()
    let none = ["--gpsd", "none", "--imu", "none", "--duration", "0.2"]
    for (arguments, status) in [
      (["replay", recording, "--verdicts", folder + "/v.csv"], 2),
      (["replay", recording, "--imu-frame", "flu"], 2), (["replay", recording, "--session", "2"], 3),
      (["replay", folder, "--session", "1"], 2), (["record", folder] + none, 2),
      (["record", "/dev/null/x"] + none, 3), (["record", recording, "--segment-size", "0"] + none, 2),
      (["import", "recording", folder + "/none", "--output", folder + "/d"], 3),
      (["import", "recording", recording, "--output", folder + "/d", "--session", "9"], 3),
      (["import", "kitti", recording, "--output", folder + "/d"], 3),
      (["import", "csv", recording, "--output", folder + "/d"], 2),
      (["import", "vhs", recording, "--output", folder + "/d"], 2),
      (["import", "recording", recording, "--output", recording], 2),
    ] as [([String], Int32)] {
      let run = try Tool.run(arguments)
      #expect(run.status == status, "\(arguments): \(run.errors)")
      #expect(!run.errors.isEmpty)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["recording"])
  }

  /// A table by a map, and gpsd's JSON without an IMU, run in evaluate.
  @Test func importedDrivesAreEvaluated() throws {
    var table = "t,wx,wy,wz,ax,ay,az\n"
    var json = ""
    for i in 0..<2000 {
      table += "\(1_622_047_964_000 + i * 10),0,0,0,0,0,1\n"
      if i % 100 == 0 {
        json +=
          #"{"class":"TPV","mode":3,"time":"2021-05-26T16:52:\#(44 + i / 100).000Z","lat":51.5,"lon":0,"altHAE":5,"eph":2,"velN":0,"velE":0,"velD":0}"#
          + "\n"
        if 44 + i / 100 == 59 { break }
      }
    }
    try table.write(toFile: folder + "/log.csv", atomically: true, encoding: .utf8)
    try json.write(toFile: folder + "/log.json", atomically: true, encoding: .utf8)
    let columns = ["gyro_x_rad_s": "wx", "gyro_y_rad_s": "wy", "gyro_z_rad_s": "wz"]
      .map { "\"\($0.key)\": \"\($0.value)\"" }
    let axes = ["x", "y", "z"].map { "\"accel_\($0)_m_s2\": {\"column\": \"a\($0)\", \"unit\": \"g\"}" }
    let map =
      "{\"imuFrame\": \"flu\", \"imu\": {\"columns\": {\"time_s\": {\"column\": \"t\", \"unit\": \"ms\"}, "
      + (columns + axes).joined(separator: ", ") + "}}}"
    try map.write(toFile: folder + "/map.json", atomically: true, encoding: .utf8)
    for arguments in [
      ["csv", folder + "/log.csv", "--map", folder + "/map.json", "--output", folder + "/table"],
      ["gpsd", folder + "/log.json", "--output", folder + "/fixes"],
    ] {
      let run = try Tool.run(["import"] + arguments)
      #expect(run.status == 0, "\(run.errors)")
    }
    let run = try Tool.run(["evaluate", folder + "/table", folder + "/fixes"])
    #expect(run.status == 0, "\(run.errors)")
    // Once more into the same folder only by force.
    let again = ["import", "gpsd", folder + "/log.json", "--output", folder + "/fixes"]
    #expect(try Tool.run(again).status == 2)
    #expect(try Tool.run(again + ["--force"]).status == 0)
  }
}
