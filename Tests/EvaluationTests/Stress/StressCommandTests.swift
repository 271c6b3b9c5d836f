import Evaluation
import Foundation
import TestParts
import Testing

/// Runs the built `reckon stress`.
@Suite(.enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"))
struct StressCommandTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch("stress command") }

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

  @Test func usableDriveEndsWithZeroTablesAndJSON() throws {
    let drive = try StressMade.write(StressMade.drive(seconds: 90), in: folder)
    let json = folder + "/stress.json"
    let run = try Tool.run(["stress", drive, "--seeds", "3:5", "--json", json, "--jobs", "2"])
    #expect(run.status == 0, "\(run.errors)")
    for part in ["change", "drive", "made", "all variants", "lost", "misleading"] {
      #expect(run.output.contains(part))
    }
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: json)))
    let study = try #require(object as? [String: Any])
    let variants = try #require(study["variants"] as? [[String: Any]])
    #expect(variants.map { $0["seed"] as? Int } == [3, 4, 5])
    #expect((study["pooled"] as? [String: Any])?["variants"] as? Int == 3)
  }

  @Test func badCaseNamesTheCommandThatRunsItAgain() throws {
    let drive = try StressMade.write(StressMade.drive(seconds: 90), in: folder)
    // The first of these that the engine does not take well.
    var found: (changes: String, line: Substring)?
    for changes in ["lasting,wrong-first", "no-velocity,burst", "thinned,wrong-first", "burst,wrong-first"]
    where found == nil {
      let all = try Tool.run(["stress", drive, "--only", changes, "--seeds", "1:20"])
      found = all.output.split(separator: "\n").last {
        $0.hasPrefix("made ") && $0.contains(": reckon stress ")
      }.map { (changes, $0) }
    }
    let (changes, line) = try #require(found)
    let arguments = ["stress", drive, "--only", changes, "--seeds"]
    let command = try #require(line.split(separator: ": reckon ").last)
    // The folder's name has a space in it.
    #expect(command.hasPrefix("stress '\(drive)' --seeds "))
    #expect(command.hasSuffix(" --only \(changes)"))
    let seeds = try #require(command.split(separator: " ").first { $0.contains(":") && !$0.contains("/") })
    let again = try Tool.run(arguments + [String(seeds)])
    #expect(again.output.split(separator: "\n").first == line)
  }

  @Test func listNamesEveryChange() throws {
    let run = try Tool.run(["stress", "--list"])
    #expect(run.status == 0)
    let names = run.output.split(separator: "\n").compactMap {
      $0.split(separator: " ").first.map(String.init)
    }
    #expect(names == StressChange.allCases.map(\.rawValue))
  }

  @Test(arguments: [
    ["--seeds", "5:1"], ["--seeds", "1"], ["--seeds", "a:b"], ["--seeds", "-1:2"], ["--only", "fog"],
    ["--only", ""], ["--jobs", "0"], ["--json", "/nowhere/at/all.json"], ["--unknown"],
  ])
  func unusableArgumentsEndWithTwo(arguments: [String]) throws {
    let run = try Tool.run(["stress", folder] + arguments)
    #expect(run.status == 2, "\(run.errors)")
    #expect(!run.errors.isEmpty)
  }

  @Test func unusableDataEndsWithThree() throws {
    #expect(try Tool.run(["stress", folder]).status == 3)
    #expect(try Tool.run(["stress", folder + "/none"]).status == 3)
    let drive = try StressMade.write(StressMade.drive(seconds: 90), in: folder, truth: false)
    let run = try Tool.run(["stress", drive])
    #expect(run.status == 3)
    #expect(run.errors.contains("truth"))
  }
}
