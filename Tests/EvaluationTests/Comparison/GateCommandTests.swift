import Foundation
import TestParts
import Testing

/// Runs the built `reckon evaluate --baseline` and `reckon compare`.
@Suite(.enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"))
struct GateCommandTests {
  private let made = TrackMade()

  @Test func worseFiguresEndWithOneAndSayWhich() throws {
    let drive = try StressMade.write(StressMade.drive(seconds: 90), in: made.folder)
    let (a, b) = (made("a.json"), made("b.json"))
    #expect(try Tool.run(["evaluate", drive, "--json", a]).status == 0)
    let same = try Tool.run(["evaluate", drive, "--baseline", a])
    #expect(same.status == 0 && same.output.contains("baseline: passed"), "\(same.output)")
    let worse = try Tool.run(["evaluate", drive, "--baseline", a, "--degrade", "white:5,seed:1", "--json", b])
    #expect(worse.status == 1, "\(worse.errors)")
    #expect(
      worse.output.contains("baseline: failed") && worse.output.contains("causal horizontal_error_m p95"))
    #expect(worse.errors.contains("other options"))
    let comparison = try Tool.run(["compare", a, b, "--json", made("c.json")])
    #expect(
      comparison.status == 0 && comparison.output.contains("causal horizontal_error_m p95"),
      "\(comparison.errors)")
    let object = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: made("c.json"))))
    #expect((object as? [String: Any])?["pairs"] as? Int == 1)
    #expect(try Tool.run(["evaluate", drive, "--baseline", made("none.json")]).status == 3)
    #expect(try Tool.run(["evaluate", drive, "--baseline", a, "--tolerance", "-1"]).status == 2)
    #expect(try Tool.run(["compare", a, made("none.json")]).status == 3)
    #expect(try Tool.run(["compare", a]).status == 2)
  }
}
