import Foundation
import Testing

/// The scripts that show many drives on all cores and on a cluster, scaled down.
@Suite(.enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"), .serialized)
struct ManyDrivesTests {
  private static let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../scripts").standardizedFileURL.path

  private func run(_ script: String, _ arguments: [String]) throws -> [String] {
    let program = try #require(Tool.path)
    let python = ProcessInfo.processInfo.environment["RECKON_PYTHON"] ?? "python3"
    let text = try OtherTool.run(
      python, [Self.scripts + "/" + script] + arguments + ["--reckon", program])
    print(text)
    return text.split(separator: "\n").map(String.init)
  }

  /// Twelve drives: killed half-way and resumed, and in four parts, to the bytes of one run, in no more
  /// memory than three take, but for the figures and for one drive a core.
  @Test func bytesAreTheSameHoweverTheDrivesAreShared() throws {
    guard OtherTool.has("python3", package: "python3") else { return }
    let lines = try run("many-drives", ["--drives", "12", "--scenario", "town"])
    #expect(lines.last?.hasSuffix("at once, killed and resumed, and of 4 shards") == true)
    let peaks = lines.filter { $0.hasPrefix("a quarter") || $0.hasPrefix("all at once") }.compactMap { line in
      // Drives, wall, share, peak; behind the peak the bytes' digest of some rows.
      line.split(separator: " ").compactMap { Double($0) }.dropFirst(3).first
    }
    #expect(peaks.count == 2 && peaks[1] < peaks[0] * 1.5 + 30, "\(lines)")
  }

  /// Two nodes of Ray on the loopback, a worker killed, a node killed.
  @Test func aClusterOfRayGivesTheSameBytes() throws {
    guard PythonTools.has("ray") else { return }
    let lines = try run("cluster/test-cluster", ["ray"])
    #expect(lines.count == 3 && lines.allSatisfy { $0.contains("the same") }, "\(lines)")
    #expect(lines.contains { $0.contains("killed") && $0.contains("worker") })
  }
}
