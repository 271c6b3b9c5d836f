import CLibrary
import Foundation
import JSON
import Location
import LocationService
import Navigation
import Release
import TestParts
import Testing

/// The built `reckon`, beside `reckond`.
enum ReckonProgram {
  static let binary = Daemon.binary.map { $0.deletingLastPathComponent().appending(path: "reckon") }
    .flatMap { FileManager.default.isExecutableFile(atPath: $0.path) ? $0 : nil }
}

/// `reckon authorize`, `regions` and `watch` against a service.
@Suite(.serialized, .enabled(if: ReckonProgram.binary != nil, "the reckon binary is not beside the tests"))
struct CommandTests {
  private func reckon(
    _ arguments: [String], at bench: HostBench, while body: () -> Void = {}
  ) throws -> ProgramRun {
    try run(ReckonProgram.binary, arguments + ["--socket", bench.path], while: body)
  }

  private func run(
    _ binary: URL?, _ arguments: [String], while body: () -> Void = {}
  ) throws -> ProgramRun {
    try ProgramRun(try #require(binary).path, arguments, within: 20) { _ in body() }
  }

  @Test func authorizeDecidesListsAndForgets() throws {
    let bench = try HostBench()
    #expect(try reckon(["authorize"], at: bench).output.hasPrefix("Nothing has been decided.\n"))
    let denied = try reckon(["authorize", "deny", "com.example.spy", "--user", "4711"], at: bench)
    #expect(denied.status == 0 && denied.lines.contains("  com.example.spy, user 4711: denied"))
    #expect(denied.output.contains("Programs of user 4711 are let only where"))
    let allowed = try reckon(
      ["authorize", "allow", "com.example.a", "--user", "4711", "--reduced"], at: bench)
    #expect(allowed.lines.contains("  com.example.a, user 4711: allowed, to some kilometres"))
    let more = try reckon(
      [
        "authorize", "allow", "com.example.a", "--user", "4711", "--reduced", "--purpose-key", "park",
        "--purpose-key", "navigate",
      ], at: bench)
    #expect(more.output.contains("and exactly for 15 min where it asks for navigate or park"))
    let forgotten = try reckon(["authorize", "forget", "com.example.spy", "--user", "4711"], at: bench)
    #expect(forgotten.status == 0 && !forgotten.output.contains("spy"))
  }

  @Test func authorizeSaysWhereADecisionCouldNotBeStored() throws {
    let bench = try HostBench(store: FullDisk())
    let denied = try reckon(["authorize", "deny", "com.example.spy", "--user", "4711"], at: bench)
    #expect(denied.status == 3 && denied.output.isEmpty && denied.errors.contains("could not be written"))
    let listed = try reckon(["authorize"], at: bench)
    #expect(
      listed.lines.contains(
        "  com.example.spy, user 4711: denied (not on the disk yet: lost if the service ends now)"))
  }

  @Test(arguments: [
    ["authorize", "deny"], ["authorize", "list", "a"], ["authorize", "deny", "a b"],
    ["authorize", "allow", "a", "--purpose-key", "k"],
    ["authorize", "allow", "a", "--reduced", "--purpose-key", "a b"],
    ["authorize", "deny", "a", "--reduced"], ["watch", "--count", "0"], ["watch", "--accuracy", "perfect"],
    ["regions", "--add", "home,48,11"], ["regions", "--add", "home,48,11,5"],
  ])
  func unusableArgumentsEndWithTwo(_ arguments: [String]) throws {
    let bench = try HostBench()
    #expect(try reckon(arguments, at: bench).status == 2)
  }

  /// A number below 0 was taken for an option, and the value for missing.
  @Test func whatIsWrongWithAValueIsSaid() throws {
    let bench = try HostBench()
    let levels =
      "it takes threeKilometers, kilometer, hundredMeters, nearestTenMeters, best, bestForNavigation."
    for (arguments, said) in [
      (["watch", "--distance-filter", "-5"], "--distance-filter takes a number above 0."),
      (["watch", "--count", "-1"], "--count takes a whole number from 1."),
      (["watch", "--accuracy", "foo"], "--accuracy: there is no 'foo'; \(levels)"),
      (["authorize", "deny", "a", "--user", "-1"], "'-1' is invalid for '--user <id>'"),
    ] {
      let refused = try reckon(arguments, at: bench)
      #expect(refused.status == 2 && refused.errors.contains(said), "\(refused)")
    }
    let slow = try run(Daemon.binary, ["--replay", "/tmp", "--speed", "-1"])
    #expect(
      slow.status == 2 && slow.errors.contains("--speed takes a number from above 0 to 100."), "\(slow)")
    let help = try run(Daemon.binary, ["--help"]).output.split(whereSeparator: \.isWhitespace)
    #expect(help.joined(separator: " ").contains("up to 100; 1 if not given."))
  }

  /// What a terminal would obey is shown as a sign.
  @Test func aNameWithControlCharactersIsShownAndNotObeyed() throws {
    let bench = try HostBench()
    let refused = try reckon(["regions", "--add", "e\u{1B}[31mvil,48,11,100"], at: bench)
    #expect(refused.status == 2 && refused.errors.contains("has no control characters"), "\(refused)")
    #expect(!refused.errors.contains("\u{1B}"), "\(refused)")
  }

  @Test func whatIsNotThereToRemoveOrForgetIsSaid() throws {
    let bench = try HostBench()
    let removed = try reckon(["regions", "--remove", "nosuch"], at: bench)
    #expect(removed.status == 0 && removed.output.isEmpty)
    #expect(removed.errors == "note: reckon has no region nosuch: nothing was removed\n")
    let (forget, name) = (["authorize", "forget"], "com.example.nosuch")
    let forgotten = try reckon(forget + [name, "--user", "4711"], at: bench)
    #expect(forgotten.status == 0, "\(forgotten)")
    #expect(forgotten.errors == "note: nothing was decided about \(name) of user 4711\n")
    _ = try reckon(["authorize", "deny", name, "--user", "4711"], at: bench)
    let other = try reckon(forget + [name, "--user", "4712"], at: bench)
    #expect(other.errors.contains("of user 4712; of another user it was: --user 4711\n"), "\(other)")
    #expect(try reckon(forget + [name, "--user", "4711"], at: bench).errors.isEmpty)
  }

  @Test func regionsAreAddedListedAndRemoved() throws {
    let bench = try HostBench()
    #expect(try reckon(["regions"], at: bench).output.isEmpty)
    let added = try reckon(["regions", "--add", "home,48,11,100", "--add", "work,48.1,11,50"], at: bench)
    #expect(added.status == 0 && added.lines == ["home,48.0,11.0,100.0", "work,48.1,11.0,50.0"])
    #expect(try reckon(["regions", "--remove", "home"], at: bench).lines == ["work,48.1,11.0,50.0"])
    // Of another name there are others.
    #expect(try reckon(["regions", "--as", "com.example.other"], at: bench).output.isEmpty)
    let full = try HostBench(store: FullDisk())
    let refused = try reckon(["regions", "--add", "home,48,11,100"], at: full)
    #expect(refused.status == 3 && refused.errors.contains("could not be written"))
  }

  @Test func watchPrintsTheTimeAndThePlace() throws {
    let bench = try HostBench()
    let shown = try reckon(["watch", "--count", "3"], at: bench) { bench.publish() }
    #expect(shown.status == 0 && shown.lines.count == 3)
    for line in shown.lines {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      let time = Timestamp(utcText: words[0])
      #expect(abs(time?.seconds(since: BootClock.utc()) ?? .infinity) < 60, "\(line)")
      #expect(words.last?.hasPrefix("48.0° 11.0° ±5.0 m, aided (gnss") == true, "\(line)")
    }
  }

  @Test func watchPrintsJSON() throws {
    let bench = try HostBench()
    let shown = try reckon(["watch", "--json", "--status", "--count", "15"], at: bench) { bench.publish() }
    let objects = shown.lines.map { JSONParser.parse($0) }
    #expect(shown.status == 0 && objects.allSatisfy { $0?["type"]?.string != nil }, "\(shown.lines)")
    // By what and with which options, in the first line.
    #expect(objects.first??["type"]?.string == "provenance")
    let made = objects.first??["provenance"]
    #expect(made?["version"]?.string == Release.version && made?["commit"] != nil)
    #expect(
      made?["options"]?.array?.compactMap(\.string).starts(with: ["--status", "--count", "15"]) == true)
    let places = objects.filter { $0?["type"]?.string == "location" }.map { $0?["location"] }
    #expect(places.count == 15)
    for place in places {
      #expect(place?["latitudeDegrees"]?.double == 48)
      #expect(place?["utc"]?.string.flatMap(Timestamp.init(utcText:)) != nil)
    }
    #expect(objects.contains { $0?["type"]?.string == "status" })
  }

  @Test func watchOfOneThatIsDeniedEndsWithThree() throws {
    let bench = try HostBench(rules: [.init(name: "reckon", user: nil, grant: .init(.denied))])
    let shown = try reckon(["watch", "--json"], at: bench)
    #expect(shown.status == 3 && shown.lines.last?.contains("deniedForClient") == true)
  }

  /// It said that the sensors cannot be reached, and hung.
  @Test func watchEndsWithTheDriveThatIsReplayed() throws {
    let bench = try HostBench()
    // Of two that follow at once the host takes the newer: the place must be in before the end.
    #expect(try reckon(["watch", "--count", "1"], at: bench) { bench.publish() }.status == 0)
    bench.host.publish(
      .init(location: nil, sources: 1, lostSources: ["replay"], hasEnded: true), utc: nil)
    let last = try reckon(["watch", "--count", "1"], at: bench)
    #expect(last.status == 0 && last.lines.count == 1, "\(last)")
    #expect(last.output.contains("48.0° 11.0° ±5.0 m") && last.output.contains("cached"), "\(last)")
    let more = try reckon(["watch", "--count", "2", "--status"], at: bench)
    #expect(more.status == 3 && more.lines.count == 1, "\(more)")
    #expect(more.errors.contains("note: the drive that is replayed has ended\n"), "\(more)")
    #expect(more.errors.contains("status: the drive has ended, lost: replay\n"), "\(more)")
    #expect(try reckon(["watch"], at: bench).status == 0)
  }

  @Test func theListOfUseIsInSentences() {
    let client = ClientIdentity(name: "com.example.a", user: 1000)
    let from = Timestamp(nanoseconds: 1_700_000_000_250_000_000)
    func text(_ count: Int, _ seconds: Double) -> String {
      AuthorizationText.text(
        [],
        [
          .init(
            client: client, purpose: "draws the way", from: from, until: from.advanced(bySeconds: seconds),
            count: count)
        ]
      ).split(separator: "\n").last.map(String.init) ?? ""
    }
    let head = "  com.example.a, user 1000: "
    #expect(text(1, 0) == head + "1 location at 2023-11-14 22:13:20 UTC, for: draws the way")
    #expect(text(17, 0.02) == head + "17 locations at 2023-11-14 22:13:20 UTC, for: draws the way")
    #expect(
      text(17, 1.64) == head + "17 locations from 2023-11-14 22:13:20 UTC on over 1.6 s, for: draws the way")
    #expect(
      text(600, 60) == head + "600 locations from 2023-11-14 22:13:20 UTC on over 60 s, for: draws the way")
    #expect(text(600, 3600).contains("over 60 min") && text(600, 9000).contains("over 2.5 h"))
  }
}
