import Drives
import Evaluation
import Foundation
import Fusion
import Testing

/// Whole drives, cut at a standstill: what was learned before it starts the engine after it.
@Suite struct WarmStartReplayTests {
  /// Times in the middle of a stop, with four seconds and more of it left.
  private static let stops: [(path: String, at: Double)] =
    [("datasets/open-sky-commute", 500), ("datasets/tunnel-and-garage", 498)]
    + RealDrives.paths.filter { $0.hasSuffix("/boulder") }.map { ($0, 205) }
    + RealDrives.paths.filter { $0.hasSuffix("/tokyo-odaiba") }.map { ($0, 470) }

  @Test(.timeLimit(.minutes(15)), arguments: stops.indices)
  func aCarAtRestIsReadyWithinFiveSeconds(index: Int) throws {
    let (path, seconds) = Self.stops[index]
    let cut = Timestamp(seconds: seconds)
    let reader = try DriveReader(path: path)
    var samples = try reader.samples()
    var engine = FusionEngine()
    var warm: FusionEngine?
    var aligned: NavigationSolution?
    while let sample = try samples.next() {
      if sample.arrival < cut {
        engine.process(sample)
        continue
      }
      if warm == nil {
        let saved = try #require(engine.savedState)
        #expect(saved.isStandingStill)
        warm = FusionEngine(savedState: saved)
      }
      engine.process(sample)
      warm?.process(sample)
      guard let now = warm?.solution(at: sample.time), now.isAligned else { continue }
      aligned = now
      break
    }
    let now = try #require(aligned)
    #expect(now.time.seconds(since: cut) < 5)
    #expect(warm?.calibration?.vehicleFromBody != nil)
    // The engine that was never stopped is the measure: nothing has moved.
    let before = try #require(engine.solution(at: now.time))
    let turned = abs(Angle.wrapped(now.heading - before.heading))
    #expect(turned < 3 * now.headingAccuracy)
    #expect(now.position.ned(from: before.position).horizontalNorm < 3)
  }
}
