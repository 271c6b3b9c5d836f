import CLibrary
import Coarse
import Foundation
import Location
import LocationService
import TestParts
import Testing

/// Feeds that have nothing to give, or never begin.
@Suite struct FeedTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path }

  /// It began again at once, an error each time, as fast as the computer could.
  @Test(arguments: ["north,11,500", ""]) func aDriveThatCannotBePlayedIsNotRepeated(row: String) throws {
    let drive = try StandingDrive.write(folder)
    let gnss = drive + "/gnss.csv"
    let head = try String(contentsOfFile: gnss, encoding: .utf8).prefix { $0 != "\n" }
    let text = row.isEmpty ? "\(head)\n" : "\(head)\n0.0,\(row),1,1,2,0,0,0\n"
    try text.write(toFile: gnss, atomically: true, encoding: .utf8)
    let log = LineLog()
    var configuration = ServiceConfiguration()
    configuration.socket = folder + "/s"
    configuration.database = ""
    let feed = try ReplayFeed(path: drive, repeats: true)
    let service = try LocationDaemon(configuration, feed: feed, log: log.logger)
    try service.start()
    usleep(500_000)
    #expect(service.stop(within: 10))
    let errors = log.lines.filter { $0.hasPrefix("replay: ") }
    #expect(errors.count == (row.isEmpty ? 0 : 1), "\(errors.prefix(3))")
  }

  /// Who came late was told that the sensors cannot be reached, and the log said nothing.
  @Test func aDriveThatHasEndedSaysSoAndItsLastPlaceStaysKnown() throws {
    let log = LineLog()
    var configuration = ServiceConfiguration()
    configuration.socket = folder + "/s"
    configuration.database = ""
    let feed = try ReplayFeed(path: try StandingDrive.write(folder), speed: 100)
    let service = try LocationDaemon(configuration, feed: feed, log: log.logger)
    try service.start()
    let isSaid = { log.lines.contains("the drive that is replayed has ended") }
    for _ in 0..<1000 where !isSaid() { usleep(20_000) }
    #expect(isSaid(), "\(log.lines)")
    let client = try Daemon.client(at: configuration.socket)
    client.say(.start(session: 1))
    let told = client.first(within: 20) { !$0.locations.isEmpty }
    #expect(
      told?.locations.last?.sources.contains([.cached, .simulated]) == true, "\(String(describing: told))")
    let status = client.first(within: 20) { $0.isStatus }
    guard case .status(let said)? = status else {
      Issue.record("no status")
      return
    }
    #expect(said.unknown == .replayEnded)
    #expect(service.stop(within: 10))
  }

  @Test func aCoarseFeedThatIsNeverStartedLeavesNoSocketBehind() throws {
    let (table, places, socket) = (folder + "/t.csv", folder + "/p.sqlite", folder + "/c")
    try "LTE,262,1,4711,1,,11.5,48.1,900\n".write(toFile: table, atomically: true, encoding: .utf8)
    _ = try CoarseImport.make(places, from: [table])
    let feed = try CoarseFeed(database: places, socket: socket, mode: 0o600) { _ in }
    #expect(access(socket, F_OK) == 0)
    feed.stop()
    feed.stop()
    #expect(access(socket, F_OK) != 0)
    // Nobody listens any more, so that another may take the name.
    try CoarseFeed(database: places, socket: socket, mode: 0o600) { _ in }.stop()
  }

  /// Each attempt kept a descriptor for good: after a thousand a client had none left.
  @Test func aPathThatNoSocketCanHaveCostsNoDescriptor() throws {
    let before = try descriptors()
    for path in ["", String(repeating: "x", count: UnixSocket.longestPath + 1)] {
      for _ in 0..<100 {
        #expect(throws: UnixSocket.Failure.self) { try UnixSocket.connect(path) }
        #expect(throws: UnixSocket.Failure.self) { try UnixSocket.listen(path, mode: 0o600) }
      }
    }
    // Other suites open some meanwhile.
    #expect(try descriptors() < before + 100)
  }

  private func descriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }
}
