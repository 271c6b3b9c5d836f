import Evaluation
import Foundation
import TestParts
import Testing

@Suite struct ShardTests {
  @Test(arguments: [(0, 3), (1, 3), (10, 3), (100, 7), (3, 3)])
  func partsAreAllOfItOnce(total: Int, count: Int) throws {
    let ranges = try (1...count).map { try Shard(parsing: "\($0)/\(count)").range(of: total) }
    #expect(ranges.flatMap(Array.init) == Array(0..<total))
    let lengths = ranges.map(\.count)
    #expect((lengths.max() ?? 0) - (lengths.min() ?? 0) <= 1)
  }

  @Test(arguments: ["", "1", "0/3", "4/3", "-1/3", "a/b", "1/2/3", "1/100001", "1/"])
  func whatIsNoPartIsSaid(text: String) {
    #expect(throws: EvaluationError.self) { try Shard(parsing: text) }
  }

  /// The results of stress, in order, whatever the part.
  @Test func partsOfAStressStudyAreThoseOfTheWhole() throws {
    let made = TrackMade()
    let drives = try ["a", "b", "c"].map {
      try StressMade.write(StressMade.drive($0, seconds: 60), in: made.folder)
    }
    var study = StressStudy(drives: drives, seeds: 1...3)
    study.jobs = 2
    let whole = run(study)
    var parts: [StressResult] = []
    for number in 1...4 {
      study.shard = try Shard(parsing: "\(number)/4")
      parts += run(study)
    }
    #expect(whole.count == 9 && parts == whole)
  }

  private func run(_ study: StressStudy) -> [StressResult] {
    let results = Results()
    study.run { outcome in
      if case .result(let result, _) = outcome { results.add(result) }
    }
    return results.all
  }

  /// What one study says, one outcome at a time.
  private final class Results: @unchecked Sendable {
    private(set) var all: [StressResult] = []
    func add(_ result: StressResult) { all.append(result) }
  }
}

/// Runs the built `reckon evaluate`, `stress` and `merge`.
@Suite(.enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"))
struct ShardCommandTests {
  private let made: TrackMade
  private let fixed = ["SOURCE_DATE_EPOCH": "1700000000"]

  init() throws {
    made = TrackMade()
    for name in ["a", "b", "c"] {
      _ = try StressMade.write(StressMade.drive(name, seconds: 60), in: made.folder + "/drives")
    }
  }

  private func run(_ arguments: [String]) throws -> ProgramRun {
    try Tool.run(arguments, environment: fixed)
  }

  private func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: made(name))) }

  @Test(arguments: [
    ["evaluate", "--no-latency", "--outages", "10"], ["stress", "--seeds", "1:3"],
    ["ablate", "--parts", "stillness,gnss-velocity", "--outages", "10"],
  ])
  func mergedShardsAreTheBytesOfOneRun(command: [String]) throws {
    let arguments = [command[0], made.folder + "/drives"] + command.dropFirst()
    #expect(try run(arguments + ["--json", made("all.json")]).status == 0)
    for count in [1, 2, 4] {
      let names = (1...count).map { "part-\($0)-of-\(count).json" }
      for (i, name) in names.enumerated() {
        let part = try run(arguments + ["--shard", "\(i + 1)/\(count)", "--json", made(name)])
        #expect(part.status == 0, "\(part.errors)")
      }
      let merged = try run(["merge"] + names.reversed().map { made($0) } + ["--json", made("merged.json")])
      #expect(merged.status == 0, "\(merged.errors)")
      #expect(try bytes("merged.json") == bytes("all.json"))
    }
    let (first, last) = (made("part-1-of-2.json"), made("part-2-of-2.json"))
    for (files, said) in [
      ([first], "missing: 2/2"), ([first, first], "both shard 1"),
      ([first, made("part-1-of-4.json")], "another study"),
      ([first, made("all.json")], "no shard"), ([first, made("none.json")], "cannot be read"),
    ] {
      let refused = try run(["merge"] + files + ["--json", made("x.json")])
      #expect(refused.status == 3 && refused.errors.contains(said), "\(refused.errors)")
    }
    try bytes("part-2-of-2.json").dropLast(20).write(to: URL(fileURLWithPath: last))
    let cut = try run(["merge", first, last, "--json", made("x.json")])
    #expect(cut.status == 3 && cut.errors.contains("not whole"), "\(cut.errors)")
    #expect(!FileManager.default.fileExists(atPath: made("x.json")))
  }

  @Test(arguments: [["evaluate", "--no-latency"], ["stress", "--seeds", "1:2"]])
  func aFileMayListTheDrives(command: [String]) throws {
    let folders = ["c", "a"].map { made.folder + "/drives/" + $0 }
    let list = try made.put("list.txt", "# two of three\n\n" + folders.map { $0 + "\r\n" }.joined())
    let options = Array(command.dropFirst())
    #expect(try run([command[0]] + folders + options + ["--json", made("named.json")]).status == 0)
    #expect(try run([command[0], list] + options + ["--json", made("listed.json")]).status == 0)
    #expect(try bytes("named.json") == bytes("listed.json"))
    // Blanks do no harm, and a line may name a folder of drives.
    let loose = try made.put("loose.txt", "  \n" + folders[0] + " \n\t\n" + folders[1] + "\t\n")
    #expect(try run([command[0], loose] + options + ["--json", made("loose.json")]).status == 0)
    #expect(try bytes("named.json") == bytes("loose.json"))
    // A line that is misspelt is named with its file, and the others are used all the same.
    let wrong = try made.put("wrong.txt", folders[0] + "\n\n/nowhere/at all\n" + folders[1] + "\n")
    let some = try run([command[0], wrong] + options + ["--json", made("some.json")])
    #expect(
      some.status == 3 && some.errors.contains("wrong.txt:3: there is no folder \"/nowhere/at all\""),
      "\(some.errors)")
    #expect(try bytes("named.json") == bytes("some.json"))
    let empty = try run([command[0], try made.put("empty.txt", "# nothing\n")] + options)
    #expect(empty.status == 3 && empty.errors.contains("empty.txt: names no drive"), "\(empty.errors)")
  }

  @Test func shardsOfOtherOptionsAreNotPutTogether() throws {
    let drives = made.folder + "/drives"
    #expect(try run(["evaluate", drives, "--shard", "1/2", "--json", made("1.json")]).status == 0)
    #expect(
      try run(["evaluate", drives, "--no-wheel", "--shard", "2/2", "--json", made("2.json")]).status == 0)
    let merged = try run(["merge", made("1.json"), made("2.json"), "--json", made("x.json")])
    #expect(merged.status == 3 && merged.errors.contains("other options"))
  }

  @Test func driveThatCannotBeUsedIsStillSaidInTheEnd() throws {
    let drives = made.folder + "/drives"
    try Data("time_s,speed\n1,2\n".utf8).write(to: URL(fileURLWithPath: drives + "/b/wheel.csv"))
    let whole = try run(["evaluate", drives, "--no-latency", "--json", made("all.json")])
    #expect(whole.status == 3)
    for i in 1...2 {
      _ = try run(["evaluate", drives, "--no-latency", "--shard", "\(i)/2", "--json", made("\(i).json")])
    }
    let merged = try run(["merge", made("1.json"), made("2.json"), "--json", made("merged.json")])
    #expect(merged.status == 3 && merged.errors.contains("b/wheel.csv"))
    #expect(try bytes("merged.json") == bytes("all.json"))
  }

  @Test func evaluationThatWasStoppedGoesOn() throws {
    let arguments = ["evaluate", made.folder + "/drives", "--no-latency"]
    #expect(try run(arguments + ["--json", made("all.json")]).status == 0)
    let state = made("state")
    // Killed at its second drive or where it then is; and in the midst of a line.
    let child = try ChildProcess(
      try #require(Tool.path), arguments + ["--state", state], environment: fixed)
    for _ in 0..<6000 where ((try? Data(contentsOf: URL(fileURLWithPath: state)).count) ?? 0) == 0 {
      usleep(1000)
    }
    child.kill()
    let handle = try #require(FileHandle(forWritingAtPath: state))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("{\"key\": \"0123".utf8))
    try handle.close()
    let resumed = try run(arguments + ["--state", state, "--json", made("resumed.json")])
    #expect(resumed.status == 0 && resumed.errors.contains("drives evaluated before"), "\(resumed.errors)")
    #expect(try bytes("resumed.json") == bytes("all.json"))
    // Other options and other files are other figures.
    let other = try run(arguments + ["--state", state, "--no-wheel"])
    #expect(other.status == 0 && !other.errors.contains("evaluated before"))
    try Data("nonsense\n".utf8).write(to: URL(fileURLWithPath: state))
    #expect(try run(arguments + ["--state", state]).status == 3)
  }

  @Test func unusableArgumentsEndWithTwo() throws {
    let drives = made.folder + "/drives"
    for arguments in [
      ["evaluate", drives, "--shard", "3/2", "--json", made("x")], ["evaluate", drives, "--shard", "1/2"],
      ["stress", drives, "--shard", "1/2"], ["stress", drives, "--shard", "x", "--json", made("x")],
      ["evaluate", drives, "--state", made("s"), "--report", made("r")],
      ["evaluate", drives, "--shard", "1/2", "--json", made("x"), "--baseline", made("y")],
      ["merge", made("x")],
      ["evaluate", drives, "--jobs", "0"],
    ] {
      let refused = try run(arguments)
      #expect(refused.status == 2 && !refused.errors.isEmpty, "\(arguments)")
    }
  }
}
