import Foundation
import Testing

/// Python with evo and numpy: that of `RECKON_PYTHON`, else the one on the path.
enum PythonTools {
  private static let program = ProcessInfo.processInfo.environment["RECKON_PYTHON"] ?? "python3"

  /// Whether `module` is there; says where it is not.
  static func has(_ module: String) -> Bool {
    if (try? run("import \(module)", [])) != nil { return true }
    print(
      "skipped: \(program) has no \(module); make a venv, pip install \(module), and set RECKON_PYTHON to its python3"
    )
    return false
  }

  struct Failure: Error { let text: String }

  /// What `script` prints, as JSON.
  @discardableResult
  static func run(_ script: String, _ arguments: [String]) throws -> [String: Any] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program, "-c", script] + arguments
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    let said = output.fileHandleForReading.readDataToEndOfFile()
    let complaint = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(text: String(decoding: complaint, as: UTF8.self))
    }
    return said.isEmpty ? [:] : try JSONSerialization.jsonObject(with: said) as? [String: Any] ?? [:]
  }
}
