import Foundation
import TestParts
import Testing

/// Devices and folders where a command reads a file whole.
@Suite(.enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"))
struct EndlessInputTests {
  private let scratch = ScratchFolder()

  /// What never ends is not read for ever, nor held in memory.
  @Test func filesThatNeverEndAreGivenUp() throws {
    for arguments in [
      ["compare", "/dev/zero", "/dev/zero"], ["merge", "/dev/zero", "--json", scratch("m.json")],
      ["simulate", "/dev/zero", "--output", scratch("out")],
    ] {
      let run = try Tool.run(arguments)
      #expect(run.status == 3 && !run.isCutOff, "\(arguments): \(run.errors)")
    }
  }

  @Test func aFolderThatIsNoScenarioIsSaid() throws {
    let run = try Tool.run(["simulate", scratch.path, "--output", scratch("out")])
    #expect(run.status == 3 && run.errors.contains("cannot be read (Is a directory)"), "\(run.errors)")
    #expect(run.errors.contains("a name of reckon simulate --list"))
  }
}
