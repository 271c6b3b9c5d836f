import Evaluation
import Foundation
import Testing

/// Variants of a bundled drive in which a fault was seen, by the built `reckon stress`.
@Suite(.enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"))
struct SeenVariantTests {
  /// What came of a variant.
  private func variant(_ drive: String, seed: Int) throws -> [String: Any] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    let run = try Tool.run(["stress", "datasets/\(drive)", "--seeds", "\(seed):\(seed)", "--json", file])
    #expect(run.status == 0, "\(run.errors)")
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: file)))
    let study = try #require(object as? [String: Any])
    return try #require((study["variants"] as? [[String: Any]])?.first)
  }

  /// A wheel that measures 7 % too much, and a canyon's receiver with much noise: a bank with the noise of a start outvoted
  /// a sound heading for 28 and 15 s.
  @Test(arguments: [50039, 50014])
  func whoChallengesAHeadingBelievesTheSameReceiver(seed: Int) throws {
    let variant = try variant("downtown-canyon", seed: seed)
    #expect(try #require(variant["heading_false_s"] as? Double) < 5)
  }

  /// A bank that began anew in the canyon took a turn that its fixes feign for a bias of the gyroscope: 17 s.
  @Test func whoBeginsAnewKnowsTheRateAtRest() throws {
    let variant = try variant("downtown-canyon", seed: 40099)
    #expect(try #require(variant["heading_false_s"] as? Double) < 5)
  }

  /// A receiver whose velocities are worse than it says: what followed them outvoted what moved as the guard did, 6 s.
  @Test func whoMovesAsTheGuardIsNotOutvoted() throws {
    let variant = try variant("open-sky-commute", seed: 40024)
    #expect(try #require(variant["heading_false_s"] as? Double) < 2)
  }

  /// After a tunnel the navigator was moved to where the fixes are and went on as it had gone: 41 s misleading.
  @Test func whoIsMovedToTheFixesGoesAsTheyDo() throws {
    let variant = try variant("tunnel-and-garage", seed: 50034)
    #expect(try #require(variant["misleading_s"] as? Double) < 5)
  }

  /// Every seventh sample of a shaken IMU, in a tunnel: tilt and speed both went astray, and the rear axle, which sees their
  /// product, was taken to tell them: 570 m off, 44 s misleading.
  @Test func whatTheRearAxleTellsOfAnUnknownSpeedIsLittle() throws {
    let variant = try variant("tunnel-and-garage", seed: 70009)
    #expect(try #require(variant["misleading_s"] as? Double) < 5)
  }

  /// Fixes that leapt to where the navigator would have been without them, and back: 43 s lost.
  @Test func whoWasLedElsewhereByALeapComesBack() throws {
    let variant = try variant("open-sky-commute", seed: 70019)
    #expect(try #require(variant["lost_s"] as? Double) < 5)
  }

  /// A navigator that alone went astray before a tunnel, beside a guard that was with the fixes all along: lost for 56 s, 15 s
  /// and 8 s.
  @Test(arguments: [(50020, 20.0), (70007, 5), (70014, 3)])
  func whoAloneIsElsewhereComesBack(seed: Int, seconds: Double) throws {
    let variant = try variant("tunnel-and-garage", seed: seed)
    #expect(try #require(variant["lost_s"] as? Double) < seconds)
  }
}
