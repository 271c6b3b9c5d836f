import Foundation
import TestParts

/// A real program in a test: its output goes to a file, and it is ended by its own
/// process id, whatever happens.
final class Part {
  private let process = Process()
  private let outputPath: String
  private let output: FileHandle

  /// The path of an installed program.
  static func path(_ name: String) -> String? {
    ["/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/libexec"]
      .map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Whether all of them are installed; says which is not.
  static func areInstalled(_ names: String...) -> Bool {
    let missing = names.filter { path($0) == nil }
    if !missing.isEmpty { print("skipped: \(missing.joined(separator: ", ")) not installed") }
    return missing.isEmpty
  }

  init(
    _ name: String, _ arguments: [String], in folder: ScratchFolder, environment: [String: String] = [:]
  ) throws {
    guard let path = Part.path(name) else { throw CocoaError(.fileNoSuchFile) }
    outputPath = folder.path + "/\(URL(fileURLWithPath: path).lastPathComponent).out"
    _ = FileManager.default.createFile(atPath: outputPath, contents: nil)
    output = try FileHandle(forWritingTo: URL(fileURLWithPath: outputPath))
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
  }

  deinit { end() }

  /// What it has said so far.
  var text: String {
    String(decoding: FileManager.default.contents(atPath: outputPath) ?? Data(), as: UTF8.self)
  }

  var lines: [String] { text.split(whereSeparator: \.isNewline).map(String.init) }

  /// Its exit status; nil if it had to be killed after so many seconds.
  func status(within seconds: Double) async throws -> Int32? {
    try await waits(seconds) { !self.process.isRunning }
    guard !process.isRunning else {
      end()
      return nil
    }
    return process.terminationStatus
  }

  /// Waits until `condition` holds, it has ended, or the time is over.
  @discardableResult func waits(_ seconds: Double, until condition: () -> Bool) async throws -> Bool {
    let deadline = Date().addingTimeInterval(seconds)
    while !condition() {
      guard process.isRunning, Date() < deadline else { return condition() }
      try await Task.sleep(for: .milliseconds(20))
    }
    return true
  }

  /// Ends it: first asked, after a second killed.
  func end() {
    if process.isRunning {
      process.terminate()
      let deadline = Date().addingTimeInterval(1)
      while process.isRunning, Date() < deadline { usleep(10_000) }
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
    try? output.close()
  }
}
