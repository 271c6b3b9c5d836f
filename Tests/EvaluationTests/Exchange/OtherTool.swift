import Foundation
import TestParts

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
    let run = try ProgramRun(program, arguments, within: 3600)
    guard run.status == 0 else { throw Failure(text: run.errors) }
    return run.output
  }
}
