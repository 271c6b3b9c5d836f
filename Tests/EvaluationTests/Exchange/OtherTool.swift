import Foundation

/// Programs of others that read what we write.
enum OtherTool {
  /// Whether `program` is there; says how to get it where it is not.
  static func has(_ program: String, package: String) -> Bool {
    if (try? run(program, ["--version"])) != nil || (try? run(program, ["-V"])) != nil { return true }
    print("skipped: there is no \(program); apt-get install \(package)")
    return false
  }

  struct Failure: Error { let text: String }

  /// What it prints.
  @discardableResult
  static func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    let said = output.fileHandleForReading.readDataToEndOfFile()
    let complaint = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(text: String(decoding: complaint, as: UTF8.self))
    }
    return String(decoding: said, as: UTF8.self)
  }
}
