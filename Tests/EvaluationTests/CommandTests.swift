import CLibrary
import Foundation
import TestParts
import Testing

/// Runs the built `reckon`, which stands in the same folder as the tests' own bundle.
@Suite(.enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"))
struct CommandTests {
  private let scratch = ScratchFolder()

  /// A drive of 20 s straight north, with fixes and truth at 1 and 10 Hz and one wheel speed that no car has.
  private func makeDrive() throws -> String {
    let drive = URL(fileURLWithPath: scratch("drive"))
    try FileManager.default.createDirectory(at: drive, withIntermediateDirectories: true)
    var imu = "time_s,gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s,accel_x_m_s2,accel_y_m_s2,accel_z_m_s2\n"
    var gnss = "time_s,latitude_deg,longitude_deg,height_m,sigma_north_m,sigma_east_m,sigma_down_m\n"
    var truth =
      "time_s,latitude_deg,longitude_deg,height_m,velocity_north_m_s,velocity_east_m_s,velocity_down_m_s\n"
    for i in 0...1000 {
      let t = Double(i) / 50
      imu += "\(t),0,0,0,0,0,-9.81\n"
      let place = "\(52 + t * 1e-4),13,50"
      if i % 50 == 0 { gnss += "\(t),\(place),1,1,2\n" }
      if i % 5 == 0 { truth += "\(t),\(place),11.13,0,0\n" }
    }
    for (name, text) in [
      ("drive.json", #"{"name": "straight", "kind": "simulated"}"#), ("imu.csv", imu), ("gnss.csv", gnss),
      ("truth.csv", truth), ("wheel.csv", "time_s,speed_m_s\n10.5,5000\n"),
    ] {
      try text.write(to: drive.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }
    return drive.path
  }

  @Test func usableDriveEndsWithZeroAndWritesItsFiles() throws {
    let (json, page) = (scratch("figures.json"), scratch("page.html"))
    let run = try Tool.run([
      "evaluate", try makeDrive(), "--json", json, "--report", page, "--outages", "5", "--smoother", "lag:20",
      "--smoother", "full", "--degrade", "white:1,seed:2",
    ])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("straight"))
    let array = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: json)))
    let drives = try #require(array as? [[String: Any]])
    #expect(drives.count == 1)
    let all = try #require(drives[0]["estimators"] as? [String: Any])
    #expect(all["receiver"] is NSNull)
    let estimators = all.compactMapValues { $0 as? [String: Any] }
    let causal = try #require(estimators["causal"])
    for name in ["fixed_lag", "full"] {
      let score = try #require(estimators[name])
      #expect(Set(score.keys) == Set(causal.keys))
      #expect(score["count"] as? Int == causal["count"] as? Int)
      #expect(score["availability"] as? Double == 1)
      #expect((score["coverage_68"] as? Double).map { 0...1 ~= $0 } == true)
    }
    let html = try String(contentsOfFile: page, encoding: .utf8)
    for part in ["straight", "\"role\":\"fixedLag\"", "\"role\":\"full\"", "Fused, full smoother"] {
      #expect(html.contains(part))
    }
    for row in ["fixed lag", "full"] { #expect(run.output.contains("straight  " + row)) }
    let left = try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted()
    #expect(left == ["drive", "figures.json", "page.html"])
  }

  @Test(arguments: [
    [], ["--outages", "x"], ["--outages", "30,30"], ["--outages", "-5"], ["--outage-spacing", "0"],
    ["--degrade", "fog:1"], ["--smoother", "lag:"], ["--smoother", "lag:20", "--smoother", "lag:10"],
    ["--imu-frame", "xyz"],
    ["--json", "/nowhere/at/all.json"],
    ["--unknown"],
  ])
  func unusableArgumentsEndWithTwo(arguments: [String]) throws {
    let drive = arguments.isEmpty ? [] : [try makeDrive()]
    let run = try Tool.run(["evaluate"] + drive + arguments)
    #expect(run.status == 2, "\(run.errors)")
    #expect(!run.errors.isEmpty)
  }

  @Test func unusableDriveEndsWithThreeAndTheOthersAreKept() throws {
    let json = scratch("figures.json")
    let run = try Tool.run(["evaluate", scratch("missing"), try makeDrive(), "--json", json])
    #expect(run.status == 3)
    #expect(run.errors.contains(scratch("missing")))
    let array = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: json)))
    #expect((array as? [[String: Any]])?.map { $0["drive"] as? String } == ["straight"])
  }

  @Test func rowsOfTruthThatCannotBeUsedAreSaid() throws {
    let drive = try makeDrive()
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: drive + "/truth.csv"))
    try file.seekToEnd()
    try file.write(contentsOf: Data("20.1,152,13,50,11.13,0,0\n5,52,13,50,11.13,0,0\n".utf8))
    try file.close()
    let run = try Tool.run(["evaluate", drive])
    #expect(run.status == 0)
    let note =
      "truth.csv: rows left out: 1 with a time, latitude or longitude out of range, 1 out of order of 203."
    #expect(run.errors.contains(note) || run.output.contains(note), "\(run.errors)")
  }

  @Test func helpEndsWithZero() throws {
    let run = try Tool.run(["evaluate", "--help"])
    #expect(run.status == 0)
    #expect(run.output.contains("--outage-spacing"))
  }

  @Test(arguments: ["csv", "geojson", "kml", "gpx", "tum"])
  func replayWritesATrackInEveryFormat(format: String) throws {
    let (track, verdicts) = (scratch("track." + format), scratch("verdicts.csv"))
    let run = try Tool.run([
      "replay", try makeDrive(), "--output", track, "--rate", "2", "--verdicts", verdicts,
    ])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try String(contentsOfFile: track, encoding: .utf8).count > 500)
    let lines = try String(contentsOfFile: verdicts, encoding: .utf8).split(separator: "\n")
    #expect(lines[0] == "time_s,kind,outcome,weight,late_s,nis,dimension")
    #expect(lines.dropFirst().contains("10.5,wheelSpeed,non_finite,0.0,,,0"))
    #expect(lines.allSatisfy { $0.filter { $0 == "," }.count == 6 })
  }

  /// One drive learns, the next starts from it; a file that is of no use is said to
  /// be, and costs nothing else.
  @Test func aSavedStateIsUsedOrRefusedWithAReason() throws {
    let (town, state) = (scratch("town"), scratch("state.json"))
    try #require(try Tool.run(["simulate", "town", "--output", town]).status == 0)
    let first = try Tool.run(["replay", town, "--save-state", state])
    #expect(first.status == 0 && !first.errors.contains("warm start"), "\(first.errors)")

    // It ends parked elsewhere than it began.
    let json = scratch("figures.json")
    let second = try Tool.run(["evaluate", town, "--warm-start", state, "--json", json])
    #expect(second.status == 0)
    #expect(second.errors.contains("the car is not where it was left"), "\(second.errors)")

    let text = try String(contentsOfFile: state, encoding: .utf8)
    try String(text.prefix(text.count / 2)).write(toFile: state, atomically: true, encoding: .utf8)
    for path in [state, scratch("none.json")] {
      let run = try Tool.run(["replay", town, "--warm-start", path])
      #expect(run.status == 0)
      #expect(run.errors.contains(path) && run.errors.contains("Starting cold"), "\(run.errors)")
      #expect(run.output == first.output, "a cold start is a cold start")
    }
    #expect(try Tool.run(["replay", town, "--save-state", scratch("none/state.json")]).status == 2)
  }

  /// A drive that taught nothing leaves what was saved before alone.
  @Test func nothingIsSavedOfADriveThatTaughtNothing() throws {
    let state = scratch("state.json")
    try "before".write(toFile: state, atomically: true, encoding: .utf8)
    let run = try Tool.run(["replay", try makeDrive(), "--save-state", state])
    #expect(run.status == 0 && run.errors.contains("not written"), "\(run.errors)")
    #expect(try String(contentsOfFile: state, encoding: .utf8) == "before")
  }

  @Test func drivesInAFolderAreFound() throws {
    _ = try makeDrive()
    let run = try Tool.run(["evaluate", scratch.path])
    #expect(run.status == 0 && run.output.contains("straight  causal"), "\(run.errors)")
  }

  @Test func anotherSystemGetsARow() throws {
    let drive = try makeDrive()
    #expect(try !Tool.run(["evaluate", drive]).output.contains("straight  receiver"))
    try FileManager.default.copyItem(atPath: drive + "/truth.csv", toPath: drive + "/receiver.csv")
    let run = try Tool.run(["evaluate", drive])
    #expect(run.status == 0, "\(run.errors)")
    let row = try #require(run.output.split(separator: "\n").first { $0.hasPrefix("straight  receiver") })
    #expect(row.split(separator: " ").prefix(5).suffix(3) == ["201", "0.00", "0.00"], "\(row)")
  }

  /// Ctrl-C while a track is being written: neither it nor a part of it is there, and what was there before
  /// stays.
  @Test func anInterruptedReplayLeavesNothingHalfWritten() throws {
    let town = scratch("town")
    #expect(try Tool.run(["simulate", "town", "--output", town]).status == 0)
    let track = scratch("track.csv")
    try "before".write(toFile: track, atomically: true, encoding: .utf8)
    // A thousand points a second take much longer than the interruption.
    let run = try Tool.run(["replay", town, "--rate", "1000", "--output", track], interruptedAfter: 0.4)
    #expect(run.status == 130, "\(run.status) \(run.errors)")
    #expect(try String(contentsOfFile: track, encoding: .utf8) == "before")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() == ["town", "track.csv"])
  }

  /// A disk that is full after 200 KiB, as far as the command can tell.
  @Test func aSimulatedDriveIsWholeOrNotThere() throws {
    let tool = try #require(Tool.path)
    let run = try ProgramRun(
      "/bin/sh",
      [
        "-c",
        "trap '' XFSZ; ulimit -f 400; exec '\(tool)' simulate town --output '\(scratch.path)/drive' 2>/dev/null",
      ])
    #expect(run.status == 3)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == [])
  }

  @Test func aTrackIsDatedWhereTheDriveIs() throws {
    let drive = try makeDrive()
    let json = #"{"name": "straight", "kind": "simulated", "start_utc": "2026-03-01T12:00:00Z"}"#
    try json.write(toFile: drive + "/drive.json", atomically: true, encoding: .utf8)
    for format in ["csv", "gpx", "kml", "geojson"] {
      let track = scratch("track.\(format)")
      #expect(try Tool.run(["replay", drive, "--output", track]).status == 0)
      #expect(try String(contentsOfFile: track, encoding: .utf8).contains("2026-03-01T12:00:1"), "\(format)")
    }
  }

  @Test func placesAreMadeOfTablesAndOfNothingElse() throws {
    let (table, output) = (scratch("wifi.csv"), scratch("places.sqlite"))
    try "bssid,lat,lon,range\n00:11:22:33:44:55,52.5,13.4,50\nnonsense,1,2,3\n".write(
      toFile: table, atomically: true, encoding: .utf8)
    let run = try Tool.run(["places", table, "--output", output])
    #expect(run.status == 0 && run.output.contains("0 cells in 0 groups, 1 access points"), "\(run)")
    #expect(run.errors.contains("1 rows say nothing"))
    // A device that never ends, and a file without a line end.
    try String(repeating: "x", count: 1 << 20).write(toFile: table, atomically: true, encoding: .utf8)
    for path in ["/dev/zero", table, scratch("none.csv")] {
      let refused = try Tool.run(["places", path, "--output", scratch("other.sqlite")])
      #expect(refused.status == 3 && refused.errors.contains(path), "\(refused)")
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() == [
        "places.sqlite", "wifi.csv",
      ])
  }

  @Test func replayTellsArgumentsFromData() throws {
    let drive = try makeDrive()
    #expect(try Tool.run(["replay", drive, "--output", "track.doc"]).status == 2)
    #expect(try Tool.run(["replay", drive, "--rate", "0"]).status == 2)
    #expect(try Tool.run(["replay", drive + "-none"]).status == 3)
    let summary = try Tool.run(["replay", drive])
    #expect(summary.status == 0)
    #expect(summary.output.contains("1001 inertial samples, 21 fixes"))
  }
}

/// The built command.
enum Tool {
  static let path: String? = {
    // The bundle of the tests is an argument of the process that runs them, or that process itself.
    let candidates = CommandLine.arguments + ["/proc/self/exe"].compactMap(linkTarget)
    let folders = candidates.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
    return folders.map { $0 + "/reckon" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  private static func linkTarget(_ path: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: path)
  }

  /// Runs the command, or another program that stands beside it, and waits for at most 60 s; it is
  /// interrupted, as by Ctrl-C, after `seconds` where they are given.
  static func run(
    _ arguments: [String], program: String = "reckon", environment: [String: String] = [:],
    interruptedAfter seconds: Double? = nil
  ) throws -> ProgramRun {
    let folder = URL(fileURLWithPath: try #require(path)).deletingLastPathComponent()
    var left = seconds
    let run = try ProgramRun(
      folder.appendingPathComponent(program).path, arguments, environment: environment
    ) { process in
      guard let seconds = left else { return }
      usleep(UInt32(seconds * 1e6))
      process.interrupt()
      left = nil
    }
    if run.isCutOff { Issue.record("reckon \(arguments) ran for more than 60 s") }
    return run
  }
}
