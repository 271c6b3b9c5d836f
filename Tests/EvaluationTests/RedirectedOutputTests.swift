import Foundation
import TestParts
import Testing

/// Outputs that lead to what a shell has opened, as /dev/stdout does: written on, and not replaced.
@Suite(.enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"))
struct RedirectedOutputTests {
  private let scratch = ScratchFolder()

  /// By a link of its own: /dev/stdout itself would be lost to the computer if this failed.
  @Test(arguments: ["replay", "evaluate"])
  func aRedirectedFileGoesOnAndTheLinkStays(_ command: String) throws {
    let drive = try StressMade.write(StressMade.drive("a", seconds: 20), in: scratch("drives"))
    let link = scratch("out.csv")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/proc/self/fd/3")
    let arguments =
      command == "replay" ? ["replay", drive, "--output", link] : ["evaluate", drive, "--json", link]
    let tool = try #require(Tool.path)
    let words = ([tool] + arguments).map { "'\($0)'" }.joined(separator: " ")
    let run = try ProgramRun(
      "/bin/sh", ["-c", "{ echo before >&3; \(words); echo after >&3; } 3>> '\(scratch("got"))'"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/proc/self/fd/3")
    let got = String(decoding: try scratch.bytes("got"), as: UTF8.self)
    #expect(got.hasPrefix("before\n") && got.hasSuffix("\nafter\n"))
    #expect(got.contains(command == "replay" ? "\ntime_s," : "\"drive\""), "\(got.prefix(200))")
  }
}
