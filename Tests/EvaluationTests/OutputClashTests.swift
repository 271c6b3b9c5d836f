import Foundation
import TestParts
import Testing

/// Commands write over nothing that they read, and no output over another.
@Suite(.enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"))
struct OutputClashTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path }
  private var drive: String { folder + "/drive" }

  init() throws {
    var gnss = "time_s,latitude_deg,longitude_deg,height_m,sigma_north_m,sigma_east_m,sigma_down_m\n"
    for i in 0...20 { gnss += "\(i),\(52 + Double(i) * 1e-4),13,50,1,1,2\n" }
    try scratch.put("drive/drive.json", #"{"name": "straight"}"#)
    try scratch.put("drive/gnss.csv", gnss)
    try scratch.put("drive/truth.csv", "time_s,latitude_deg,longitude_deg,height_m\n1,52.0001,13,50\n")
  }

  private func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      contents[name] = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
    }
    return contents
  }

  @Test func anOutputThatIsReadIsRefused() throws {
    try scratch.put("list", "\(drive)\n")
    try scratch.put("a.json", "[]")
    try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: drive)
    let before = try contents()
    for (arguments, option, input) in [
      (["replay", drive, "--output", drive + "/gnss.csv"], "--output", "<drive>"),
      (["replay", folder + "/link", "--output", drive + "/../drive/gnss.csv"], "--output", "<drive>"),
      // What is not there yet would be read the next time.
      (["replay", drive, "--output", drive + "/wheel.csv"], "--output", "<drive>"),
      (["replay", drive, "--save-state", drive + "/drive.json"], "--save-state", "<drive>"),
      (["evaluate", drive, "--json", drive + "/truth.csv"], "--json", "<drives>"),
      (["evaluate", folder, "--json", drive + "/truth.csv"], "--json", "<drives>"),
      (["evaluate", folder + "/list", "--report", folder + "/list"], "--report", "<drives>"),
      (
        ["evaluate", drive, "--baseline", folder + "/a.json", "--json", folder + "/a.json"], "--json",
        "--baseline"
      ),
      (["ablate", drive, "--json", drive + "/gnss.csv"], "--json", "<drives>"),
      (["stress", drive, "--state", drive + "/gnss.csv"], "--state", "<drives>"),
      (
        ["compare", folder + "/a.json", folder + "/a.json", "--json", folder + "/a.json"], "--json", "<first>"
      ),
      (["merge", folder + "/a.json", "--json", folder + "/a.json"], "--json", "<shards>"),
      (["score", folder + "/a.json", "--drive", drive, "--json", drive + "/truth.csv"], "--json", "--drive"),
      (
        ["import", "csv", drive, "--map", folder + "/a.json", "--force", "--output", drive], "--output",
        "<path>"
      ),
    ] {
      let run = try Tool.run(arguments)
      #expect(run.status == 2, "\(arguments): \(run)")
      #expect(run.errors.contains("\(option): ") && run.errors.contains("read for \(input)"), "\(run.errors)")
    }
    #expect(try contents() == before)
  }

  @Test func twoOutputsInOneFileAreRefused() throws {
    let before = try contents()
    let x = folder + "/x.csv"
    for (arguments, one, other) in [
      (["replay", drive, "--output", x, "--times", folder + "/./x.csv"], "--output", "--times"),
      (["evaluate", drive, "--json", x, "--report", x], "--json", "--report"),
      (
        ["run", "--gpsd", "none", "--imu", "none", "--output", x, "--save-state", x], "--output",
        "--save-state"
      ),
    ] {
      let run = try Tool.run(arguments)
      #expect(run.status == 2, "\(arguments): \(run)")
      #expect(
        run.errors.contains("\(other): ") && run.errors.contains("what \(one) names, too"), "\(run.errors)")
    }
    #expect(try contents() == before)
  }

  /// Devices take anything, and a state may follow the one that it was started from.
  @Test func whatLosesNothingIsLet() throws {
    #expect(
      try Tool.run(["evaluate", drive, "--json", "/dev/null", "--report", "/dev/null", "--no-latency"]).status
        == 0)
    let state = folder + "/state.json"
    #expect(try Tool.run(["replay", drive, "--warm-start", state, "--save-state", state]).status == 0)
    #expect(try Tool.run(["replay", drive, "--output", drive + "/track.csv"]).status == 0)
    #expect(try Tool.run(["replay", drive, "--output", drive + "/track.csv"]).status == 0)
  }
}
