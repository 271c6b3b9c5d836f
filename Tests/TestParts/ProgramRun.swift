import Foundation

/// A program that was run to its end, and what it said.
package struct ProgramRun: Sendable {
  /// Its status; where a signal ended it, the signal's number.
  package let status: Int32
  package let output: String
  package let errors: String
  /// Whether it ran for too long, and was killed.
  package let isCutOff: Bool
  /// Without their ends, which gpsd and others write as CR LF: one character.
  package var lines: [String] { output.split(whereSeparator: \.isNewline).map(String.init) }

  /// Runs the program at `path`, or the one of this name that the PATH has, for at most so many seconds, and
  /// `body` again and again in the meantime. `environment` is added to the test's own. What it says goes to
  /// files, so that it never waits for a reader.
  @discardableResult
  package init(
    _ path: String, _ arguments: [String], environment: [String: String] = [:], within seconds: Double = 60,
    while body: (Process) -> Void = { _ in }
  ) throws {
    let process = Process()
    let isPath = path.contains("/")
    process.executableURL = URL(fileURLWithPath: isPath ? path : "/usr/bin/env")
    process.arguments = (isPath ? [] : [path]) + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    let scratch = ScratchFolder()
    for name in ["output", "errors"] { try scratch.put(name, "") }
    process.standardOutput = FileHandle(forWritingAtPath: scratch("output"))
    process.standardError = FileHandle(forWritingAtPath: scratch("errors"))
    try process.run()
    for _ in 0..<Int(seconds * 50) where process.isRunning {
      body(process)
      usleep(20_000)
    }
    isCutOff = process.isRunning
    // Signals may be blocked for what a test starts: not this one.
    if isCutOff { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    status = process.terminationStatus
    output = String(decoding: try scratch.bytes("output"), as: UTF8.self)
    errors = String(decoding: try scratch.bytes("errors"), as: UTF8.self)
  }
}
