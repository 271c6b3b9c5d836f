import Foundation
import Location
import LocationService
import TestParts

/// A real broker of the test's own, on a port of its own, and who listens there.
final class Mosquitto {
  /// Debian's `mosquitto` and `mosquitto-clients`.
  static var isInstalled: Bool {
    let missing = [broker, subscriber].filter { !FileManager.default.isExecutableFile(atPath: $0) }
    if !missing.isEmpty { print("skipped: \(missing.joined(separator: ", ")) not installed") }
    return missing.isEmpty
  }

  private static let broker = "/usr/sbin/mosquitto"
  private static let subscriber = "/usr/bin/mosquitto_sub"

  let port: UInt16
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path }
  private let isOpen: Bool
  private var process: ChildProcess?

  /// Starts it; `isOpen` lets anybody, else only the user `car` with the password `drive`.
  init(isOpen: Bool = true) throws {
    port = try Listener.freePort()
    self.isOpen = isOpen
    var lines = ["listener \(port) 127.0.0.1", "user root", "persistence false"]
    if isOpen {
      lines.append("allow_anonymous true")
    } else {
      lines.append("password_file \(folder)/users")
      _ = try Daemon.run("/usr/bin/mosquitto_passwd", ["-b", "-c", folder + "/users", "car", "drive"])
      try "drive\n".write(toFile: passwordFile, atomically: true, encoding: .utf8)
    }
    try (lines.joined(separator: "\n") + "\n").write(
      toFile: folder + "/conf", atomically: true, encoding: .utf8)
    try start()
  }

  deinit { process?.kill() }

  var passwordFile: String { folder + "/password" }

  /// Starts it again at the same port, without memory.
  func start() throws {
    process = try ChildProcess(Self.broker, ["-c", folder + "/conf"])
    for _ in 0..<500 {
      let connection = MetricsPage.connect(port)
      if connection >= 0 {
        close(connection)
        return
      }
      usleep(10_000)
    }
    throw ChildProcess.Failure(text: "mosquitto does not listen at \(port)")
  }

  /// As the power would.
  func kill() { process?.kill() }

  /// What is said about topics below `filter` from now on.
  func listen(_ filter: String = "#") throws -> Ear {
    let user = isOpen ? [] : ["-u", "car", "-P", "drive"]
    return try Ear(
      Self.subscriber, ["-h", "127.0.0.1", "-p", "\(port)", "-v", "-q", "1", "-t", filter] + user)
  }

  /// A `mosquitto_sub`: each line is a topic, a blank and what was said.
  final class Ear {
    private let process = Process()
    private let lines = Pipe()
    private var text = ""

    init(_ path: String, _ arguments: [String]) throws {
      process.executableURL = URL(filePath: path)
      process.arguments = arguments
      process.standardOutput = lines
      process.standardError = FileHandle.nullDevice
      try process.run()
      let descriptor = lines.fileHandleForReading.fileDescriptor
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    deinit {
      if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
      process.waitUntilExit()
    }

    /// All that it has heard so far: topics and what was said, oldest first.
    var heard: [(topic: String, said: String)] {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let descriptor = lines.fileHandleForReading.fileDescriptor
      while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
        text += String(decoding: buffer[..<count], as: UTF8.self)
      }
      return text.split(separator: "\n").map { line in
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : "")
      }
    }

    /// The newest about a topic.
    func newest(_ topic: String) -> String? { heard.last { $0.topic == topic }?.said }
  }
}
