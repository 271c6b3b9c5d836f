import Foundation
import Testing

enum Python {
  static let program = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }
}

/// `scripts/clients/python` against the built `reckond`.
@Suite(
  .serialized,
  .enabled(
    if: Daemon.binary != nil && Python.program != nil, "the reckond binary or python3 is missing"))
struct PythonClientTests {
  @Test func thePythonClientPassesItsTests() throws {
    let folder = #filePath.replacing(/Tests\/.*/, with: "scripts/clients/python/tests")
    let process = Process()
    process.executableURL = URL(filePath: try #require(Python.program))
    process.arguments = ["-B", "-m", "unittest", "discover", "-s", folder]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["RECKOND": try #require(Daemon.binary).path]) { $1 }
    let output = Pipe()
    process.standardError = output
    try process.run()
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0 && said.contains("OK") && !said.contains("skipped"), "\(said)")
  }
}
