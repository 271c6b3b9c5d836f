import CLibrary
import Foundation
import Location
import LocationService
import TestParts

/// A `reckond` of the test's own, which ends with it.
final class Daemon {
  /// The built binary.
  static let binary: URL? = {
    let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let candidates = [folder] + Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
    return candidates.map { $0.appending(path: "reckond") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }()

  let socket: String
  private let folder: String
  private let database: String
  private let log: String
  private let process = Process()

  /// Plays `drive`, `speed` times as fast as it was driven, or reads the sensors that `settings` name,
  /// listens in `folder`, and keeps its database there or at `database`; as the last arguments of the
  /// command `startedBy`, where there is one.
  init(
    _ folder: String, drive: String?, speed: Int = 1, settings: String = "", database: String? = nil,
    environment: [String: String] = [:], startedBy command: [String] = []
  ) throws {
    self.folder = folder
    self.database = database ?? folder + "/store.sqlite"
    socket = folder + "/s"
    log = "\(folder)/log-\(UInt32.random(in: 0 ... .max))"
    try configure(settings)
    try Data().write(to: URL(filePath: log))
    let all =
      command + [Self.binary?.path ?? "", "--config", folder + "/reckond.toml"]
      + (drive.map { ["--replay", $0, "--speed", "\(speed)"] } ?? [])
    process.executableURL = URL(filePath: all[0])
    process.arguments = Array(all.dropFirst())
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardError = FileHandle(forWritingAtPath: log)
    try process.run()
  }

  deinit { kill() }

  var identifier: Int32 { process.processIdentifier }

  /// What it has said so far.
  var errors: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

  /// Writes the configuration, with `more` at its end.
  func configure(_ more: String) throws {
    let text = "[service]\nsocket = \"\(folder)/s\"\ndatabase = \"\(database)\"\n\(more)"
    try text.write(toFile: folder + "/reckond.toml", atomically: true, encoding: .utf8)
  }

  /// A client, as soon as there is somebody to connect to.
  func client() throws -> RawClient { try Self.client(at: socket) }

  /// The same where a daemon of another making listens.
  static func client(at socket: String) throws -> RawClient {
    for _ in 0..<750 {
      if let descriptor = try? UnixSocket.connect(socket) {
        let client = RawClient(descriptor: descriptor)
        client.say(.hello(version: 1, name: "raw", purpose: "to test"))
        return client
      }
      usleep(20_000)
    }
    throw LocationError.serviceUnreachable(socket)
  }

  func signal(_ number: Int32) { if process.isRunning { CLibrary.kill(process.processIdentifier, number) } }

  /// As the power would.
  func kill() {
    signal(SIGKILL)
    process.waitUntilExit()
  }

  /// How it ended; nil if it did not in time.
  func status(within seconds: Double) -> Int32? {
    for _ in 0..<Int(seconds * 100) where process.isRunning { usleep(10_000) }
    return process.isRunning ? nil : process.terminationStatus
  }

  /// Runs it to its end, at most 10 s.
  static func run(_ arguments: [String]) throws -> Int32 { try run(binary?.path ?? "", arguments) }

  /// The same for another program.
  static func run(_ program: String, _ arguments: [String]) throws -> Int32 {
    try ProgramRun(program, arguments, within: 10).status
  }
}
