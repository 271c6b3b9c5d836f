import Foundation
import TestParts
import Testing

/// Runs the built `reckon` for pages and figures.
@Suite(.enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"))
struct ReportCommandTests {
  private let made = TrackMade()

  @Test func pagesAndFiguresAreWritten() throws {
    let drive = made("drive")
    #expect(try Tool.run(["simulate", "ideal", "--output", drive]).status == 0)
    let (a, page, figures) = (made("a.json"), made("page.html"), made("figures/here"))
    let run = try Tool.run([
      "evaluate", drive, "--outages", "10", "--json", a, "--report", page, "--figures", figures,
    ])
    #expect(run.status == 0, "\(run.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: figures)
    #expect(names.contains("outages.svg") && names.contains("gyro-bias.svg") && names.contains("map.svg"))
    let text = try String(contentsOfFile: page, encoding: .utf8)
    #expect(text.ranges(of: "<figure ").count == names.count)
    let comparison = try Tool.run(["compare", a, a, "--report", made("c.html")])
    #expect(comparison.status == 0, "\(comparison.errors)")
    #expect(
      try String(contentsOfFile: made("c.html"), encoding: .utf8).contains("data-name=\"difference-causal\""))
    #expect(try Tool.run(["evaluate", drive, "--figures", "/dev/null/x"]).status == 3)
    #expect(try Tool.run(["evaluate", drive, "--figures", figures, "--state", made("s")]).status == 2)
  }

  @Test func formatsOfTracksAreChosenByEndingOrName() throws {
    let drive = try StressMade.write(StressMade.drive(seconds: 30), in: made.folder)
    for arguments in [
      ["--output", made("t.mcap")], ["--output", made("t.gpx"), "--format", "gpx-1.0"],
      ["--output", made("t.kitti"), "--times", made("times.txt")],
      ["--output", made("t.csv"), "--format", "csv-exact"],
    ] {
      let run = try Tool.run(["replay", drive] + arguments)
      #expect(run.status == 0, "\(arguments) \(run.errors)")
    }
    let count = { (name: String) in
      try String(contentsOfFile: made(name), encoding: .utf8).split(separator: "\n").count {
        !$0.hasPrefix("#")
      }
    }
    #expect(try count("t.kitti") == count("times.txt"))
    #expect(try String(contentsOfFile: made("t.gpx"), encoding: .utf8).contains("<speed>"))
    for arguments in [
      ["--format", "gpx-1.0"], ["--output", made("t.gpx"), "--format", "shp"],
      ["--output", made("t.gpx-1.0")],
    ] { #expect(try Tool.run(["replay", drive] + arguments).status == 2, "\(arguments)") }
  }
}
