import CLibrary
import Foundation
import Location
import LocationService
import Locks
import Navigation
import TestParts
import Testing

/// Runs the built `reckond`, which stands in the same folder as the tests' own bundle.
@Suite(.serialized, .enabled(if: Daemon.binary != nil, "the reckond binary is not beside the tests"))
struct DaemonTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path }

  private func drive(north: Double) throws -> String { try StandingDrive.write(folder, north: north) }

  @Test func aRegionEnteredWhileAwayAndAcrossKill9IsDeliveredOnceOnReturn() throws {
    // Away: monitored, and known to be outside.
    var daemon = try Daemon(folder, drive: try drive(north: -1000))
    var client = try daemon.client()
    client.say(.startMonitoring(Made.home))
    var state: RegionState?
    for _ in 0..<50 where state != .outside {
      client.say(.requestState(identifier: "home"))
      let answer = client.first { message in
        if case .regionState = message { true } else { false }
      }
      if case .regionState(_, let found)? = answer { state = found }
      usleep(100_000)
    }
    #expect(state == .outside)
    usleep(200_000)
    daemon.kill()
    // Home, nobody there; killed again once it is written.
    daemon = try Daemon(folder, drive: try drive(north: 0))
    var isWritten = false
    for _ in 0..<80 where !isWritten {
      usleep(100_000)
      isWritten = try !SQLiteStore(path: folder + "/store.sqlite").read().clients.values
        .allSatisfy { $0.regions.pending.isEmpty }
    }
    #expect(isWritten)
    daemon.kill()
    // On return it is told, once.
    daemon = try Daemon(folder, drive: try drive(north: 0))
    client = try daemon.client()
    let told = client.first { $0.event != nil }?.event
    #expect(told?.kind == .entered && told?.identifier == "home")
    client.say(.acknowledge(event: told?.number ?? 0))
    client.say(.requestRegions)
    #expect(client.first { $0 == .regions([Made.home]) } != nil)
    usleep(300_000)
    daemon.kill()
    daemon = try Daemon(folder, drive: try drive(north: 0))
    client = try daemon.client()
    #expect(client.first(within: 1) { $0.event != nil } == nil)
    daemon.kill()
  }

  @Test func termEndsInOrderAndHupTakesTheNewRules() throws {
    let daemon = try Daemon(folder, drive: try drive(north: 0))
    let client = try daemon.client()
    #expect(client.next() == .welcome(version: 1, accuracy: .full))
    try daemon.configure("[[client]]\nname = \"raw\"\nallow = \"nothing\"\n")
    daemon.signal(SIGHUP)
    #expect(client.first { $0 == .failed(.denied(.deniedForClient)) } != nil)
    try daemon.configure("[[nonsense]]\n")
    daemon.signal(SIGHUP)
    daemon.signal(SIGTERM)
    #expect(daemon.status(within: 10) == 0)
    #expect(!FileManager.default.fileExists(atPath: daemon.socket))
  }

  /// It opens a database and a replay, and then waits for the first line of a password.
  @Test func termWhileItOpensEndsInOrderToo() throws {
    let pipe = folder + "/password"
    #expect(mkfifo(pipe, 0o600) == 0)
    let mqtt = "[mqtt]\nhost = \"127.0.0.1\"\nuser = \"a\"\npassword_file = \"\(pipe)\"\n"
    let daemon = try Daemon(folder, drive: try drive(north: 0), settings: mqtt)
    // A writer can open only once the other side has: it is within the opening then.
    var writer: Int32 = -1
    for _ in 0..<500 where writer < 0 {
      writer = open(pipe, O_WRONLY | O_NONBLOCK)
      usleep(20_000)
    }
    #expect(writer >= 0)
    daemon.signal(SIGTERM)
    #expect(daemon.status(within: 0.5) == nil)
    #expect(write(writer, "secret\n", 7) == 7)
    close(writer)
    #expect(daemon.status(within: 10) == 0)
    #expect(!FileManager.default.fileExists(atPath: daemon.socket))
  }

  @Test(arguments: ["metrics_port", "[web]\nport", "[viss]\nport", "[outputs]\ngpsd_port"])
  func aPortThatIsTakenEndsWithThreeAndLeavesNoSocket(_ key: String) throws {
    let bench = try HostBench { $0.metricsPort = 0 }
    let daemon = try Daemon(
      folder, drive: try drive(north: 0), settings: "\(key) = \(try #require(bench.host.metricsPort))\n")
    #expect(daemon.status(within: 10) == 3)
    #expect(!FileManager.default.fileExists(atPath: daemon.socket))
  }

  @Test func anUnusableConfigurationEndsWithTwo() throws {
    let path = folder + "/bad.toml"
    try "[service]\nsocke = \"x\"\n".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try Daemon.run(["--config", path, "--check-config"]) == 2)
    #expect(try Daemon.run(["--config", folder + "/none.toml", "--check-config"]) == 2)
    #expect(try Daemon.run(["--check-config"]) == 0)
    #expect(try Daemon.run(["--database", "", "--socket", folder + "/s", "--replay", "/nowhere"]) == 3)
    #expect(
      try Daemon.run(["--database", "/nowhere/d", "--socket", folder + "/s", "--replay", try drive(north: 0)])
        == 3)
  }

  /// What lies behind the limit may be who is denied.
  @Test func aConfigurationThatIsTooLongIsRefusedWhole() throws {
    let path = folder + "/long.toml"
    let fill = String(repeating: "# a line of 32 bytes, all filled\n", count: (1 << 20) / 33)
    for (tail, status) in [
      ("", Int32(0)), (String(repeating: "#", count: 40) + "\n[[client]]\nname = \"*\"\n", 2),
    ] {
      try (fill + tail).write(toFile: path, atomically: true, encoding: .utf8)
      #expect(try Daemon.run(["--config", path, "--check-config"]) == status)
    }
  }

  @Test(arguments: [
    ["--speed", "0"], ["--speed", "-3"], ["--speed", "nan"], ["--speed", "101"], ["--unknown"],
  ])
  func unusableArgumentsEndWithTwo(_ arguments: [String]) throws {
    #expect(
      try Daemon.run(["--replay", folder, "--database", "", "--socket", folder + "/s"] + arguments) == 2)
  }

  @Test func aSpeedIsForADriveOnly() throws {
    #expect(try Daemon.run(["--speed", "2", "--check-config"]) == 2)
    #expect(try Daemon.run(["--speed", "2", "--replay", folder, "--check-config"]) == 0)
  }

  @Test func whatCannotBeUsedIsFoundByTheCheckAndByTheStart() throws {
    let long = folder + "/" + String(repeating: "s", count: 108)
    for socket in ["", long] {
      #expect(try Daemon.run(["--socket", socket, "--check-config"]) == 2)
      #expect(try Daemon.run(["--socket", socket, "--database", "", "--replay", folder]) == 2)
    }
  }

  /// A file that is opened at the start is a pipe that nobody writes to: it waits for it, and
  /// ends when it is told to.
  @Test func whatNeverOpensIsNotWaitedForOnceItIsToldToEnd() throws {
    let pipe = folder + "/password"
    try #require(mkfifo(pipe, 0o600) == 0)
    let daemon = try Daemon(
      folder, drive: try drive(north: 0),
      settings: "[mqtt]\nhost = \"127.0.0.1\"\nuser = \"car\"\npassword_file = \"\(pipe)\"\n",
      // One processor: a task that waits must not keep the signal from being seen.
      startedBy: ["/usr/bin/taskset", "-c", "0"])
    #expect(daemon.status(within: 1) == nil)
    daemon.signal(SIGTERM)
    #expect(daemon.status(within: 3) == nil, "what opens late may still open")
    #expect(daemon.status(within: 7) == 3)
    // One that opens in time is ended in order.
    let other = try Daemon(
      folder, drive: try drive(north: 0),
      settings: "[mqtt]\nhost = \"127.0.0.1\"\nuser = \"car\"\npassword_file = \"\(pipe)\"\n")
    #expect(other.status(within: 1) == nil)
    other.signal(SIGTERM)
    usleep(500_000)
    try "secret\n".write(toFile: pipe, atomically: false, encoding: .utf8)
    #expect(other.status(within: 10) == 0)
  }

  @Test func aSecondServiceOnTheSameDatabaseEndsWithThree() throws {
    let drive = try drive(north: 0)
    let daemon = try Daemon(folder, drive: drive)
    let client = try daemon.client()
    #expect(client.next() == .welcome(version: 1, accuracy: .full))
    let database = ["--database", folder + "/store.sqlite"]
    #expect(try Daemon.run(database + ["--socket", folder + "/other", "--replay", drive]) == 3)
    client.say(.requestRegions)
    #expect(client.first { $0 == .regions([]) } != nil)
    daemon.signal(SIGTERM)
    #expect(daemon.status(within: 10) == 0)
  }

  /// 300 connections are wanted, and the system has 96 descriptors: it must not run out of
  /// them, which would end it.
  @Test func connectionsBeyondItsDescriptorsAreRefusedAndTheOthersServed() throws {
    let daemon = try Daemon(
      folder, drive: try drive(north: 0), settings: "[limits]\nconnections = 300\nhello_seconds = 60\n",
      startedBy: ["/bin/sh", "-c", "ulimit -n 96; exec \"$@\"", "sh"])
    let calm = try daemon.client()
    calm.say(.start(session: 1))
    #expect(calm.first(within: 10) { !$0.locations.isEmpty } != nil)
    var crowd: [RawClient] = []
    for _ in 0..<2000 where crowd.count < 200 {
      if let descriptor = try? UnixSocket.connect(daemon.socket) {
        crowd.append(RawClient(descriptor: descriptor))
      } else {
        usleep(5000)  // The kernel's queue is full.
      }
    }
    // Long enough for whatever opens a file about once a second.
    usleep(2_000_000)
    let refused = crowd.count { $0.next(within: 0.001) == nil && $0.isEnded }
    #expect(refused >= 150 && refused < 200)
    calm.say(.requestRegions)
    #expect(calm.first(within: 5) { $0 == .regions([]) } != nil)
    crowd = []
    var later: ServiceMessage?
    for _ in 0..<50 where later == nil {
      usleep(100_000)
      later = try daemon.client().next(within: 1)
    }
    #expect(later == .welcome(version: 1, accuracy: .full))
    daemon.signal(SIGTERM)
    #expect(daemon.status(within: 10) == 0)
  }

  /// Killed 200 times at random while it writes; after each the database opens, and
  /// what was confirmed is there.
  @Test(arguments: [Dice.newSeed])
  func killedAtRandom200TimesTheDatabaseOpensCleanAndKeepsWhatWasConfirmed(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let binary = try #require(Daemon.binary).deletingLastPathComponent().appending(path: "store-torture").path
    try #require(FileManager.default.isExecutableFile(atPath: binary))
    let path = folder + "/torture.sqlite"
    let client = ClientIdentity(name: "torture", user: 0)
    var confirmed: Int64 = 0
    for _ in 0..<200 {
      let process = Process()
      process.executableURL = URL(filePath: binary)
      process.arguments = [path]
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      usleep(UInt32.random(in: 5000...60_000, using: &dice))
      CLibrary.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      confirmed =
        output.split(separator: "\n").dropLast(output.hasSuffix("\n") ? 0 : 1).last.flatMap { Int64($0) }
        ?? confirmed
      var said: [String] = []
      let store = try SQLiteStore.recovering(path: path) { said.append($0) }
      let kept = try store.read().clients[client]
      try store.close()
      #expect(said.isEmpty)
      // The last write may have been whole without its confirmation having come out.
      let next = kept?.regions.nextNumber ?? 1
      #expect(next - 1 >= confirmed)
      #expect(kept?.regions.pending.map(\.number) ?? [] == (max(1, next - 5)..<next).map { $0 })
    }
    #expect(confirmed > 200)
  }
}
