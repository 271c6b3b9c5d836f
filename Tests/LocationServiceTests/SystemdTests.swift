import CLibrary
import Foundation
import Location
import LocationService
import Navigation
import TestParts
import Testing

/// What systemd does with the service, with its own tools where they are installed.
@Suite(.serialized, .enabled(if: Daemon.binary != nil, "the reckond binary is not beside the tests"))
struct SystemdTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path }
  private static let units = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../scripts/systemd").standardizedFileURL
  private static let drive = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../datasets/open-sky-commute").standardizedFileURL.path

  /// Where systemd's tool is; nil, and a word of it, where it is not installed.
  private static func tool(_ name: String) -> String? {
    let path = "/usr/bin/\(name)"
    if FileManager.default.isExecutableFile(atPath: path) { return path }
    print("skipped: \(name) is not installed")
    return nil
  }

  @Test func theFirstClientOfSystemdsSocketStartsTheServiceAndIsServed() throws {
    guard let activate = Self.tool("systemd-socket-activate") else { return }
    let daemon = try Daemon(folder, drive: Self.drive, startedBy: [activate, "-l", folder + "/s"])
    // Nobody runs reckond yet: what it writes first of all is its database.
    let client = try daemon.client()
    #expect(client.next(within: 15) == .welcome(version: 1, accuracy: .full))
    client.say(.start(session: 1))
    #expect(client.first(within: 15) { !$0.locations.isEmpty } != nil)
    let second = try daemon.client()
    #expect(second.next(within: 5) == .welcome(version: 1, accuracy: .full))
    daemon.signal(SIGTERM)
    #expect(daemon.status(within: 10) == 0)
    // The socket is systemd's: the service leaves it to the next one.
    #expect(FileManager.default.fileExists(atPath: daemon.socket))
  }

  @Test func systemdIsToldWhatTheServiceDoes() throws {
    let notifications = try Notifications(folder + "/notify")
    let daemon = try Daemon(
      folder, drive: Self.drive,
      environment: ["NOTIFY_SOCKET": folder + "/notify", "WATCHDOG_USEC": "400000"])
    #expect(notifications.next(with: "READY=1", within: 15) != nil)
    for _ in 0..<3 { #expect(notifications.next(with: "WATCHDOG=1", within: 5) != nil) }
    let before = Self.monotonicMicroseconds()
    daemon.signal(SIGHUP)
    let reloading = try #require(notifications.next(with: "RELOADING=1", within: 5))
    let stamp = reloading.first { $0.hasPrefix("MONOTONIC_USEC=") }.flatMap { Int64($0.dropFirst(15)) }
    // systemd takes the READY that follows for this reload's only if the stamp is of its clock.
    #expect(stamp.map { (before...Self.monotonicMicroseconds()).contains($0) } == true)
    #expect(notifications.next(with: "READY=1", within: 5) != nil)
    daemon.signal(SIGTERM)
    #expect(notifications.next(with: "STOPPING=1", within: 5) != nil)
    #expect(daemon.status(within: 10) == 0)
  }

  @Test func theUnitsAreWhatSystemdUnderstands() throws {
    guard let analyze = Self.tool("systemd-analyze"), let binary = Daemon.binary?.path else { return }
    for name in ["reckond.service", "reckond.socket"] {
      let text = try String(contentsOf: Self.units.appending(path: name), encoding: .utf8)
      try text.replacing("/usr/bin/reckond", with: binary)
        .write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
    }
    let (status, said) = try Self.run(
      analyze, ["verify", "--man=no", folder + "/reckond.service", folder + "/reckond.socket"])
    #expect(status == 0 && said.isEmpty, "\(said)")
  }

  /// systemd's own measure from 0 to 10; what it still counts is said in the unit.
  @Test func theUnitIsAsClosedAsItsWorkAllows() throws {
    guard let analyze = Self.tool("systemd-analyze") else { return }
    let unit = Self.units.appending(path: "reckond.service").path
    let (status, said) = try Self.run(
      analyze, ["security", "--offline=true", "--no-pager", "--threshold=20", unit])
    #expect(status == 0, "\(said)")
  }

  private static func monotonicMicroseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }

  /// Runs a tool to its end, at most 20 s: its status and what it said.
  private static func run(_ path: String, _ arguments: [String]) throws -> (Int32, String) {
    let run = try ProgramRun(path, arguments, within: 20)
    return (run.status, run.output + run.errors)
  }
}

/// A socket for notifications, as systemd has one.
private final class Notifications {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    let descriptor = descriptor
    try #require(sockaddr_un(path: path)?.withAddress { bind(descriptor, $0, $1) } == 0)
  }

  deinit { close(descriptor) }

  /// The lines of the next notification that has `line`; nil if none came.
  func next(with line: String, within seconds: Double) -> [String]? {
    let end = BootClock.now().advanced(bySeconds: seconds)
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let left = end.seconds(since: BootClock.now()), left > 0 {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, Int32(left * 1000) + 1) > 0 else { continue }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      let lines = String(decoding: buffer[..<max(0, count)], as: UTF8.self).split(separator: "\n").map(
        String.init)
      if lines.contains(line) { return lines }
    }
    return nil
  }
}
