import Drives
import Evaluation
import Foundation
import Fusion
import Testing

/// What a map would show of whole drives: the bundled ones, and the real ones that there are.
@Suite struct DisplayReplayTests {
  private static let drives =
    ["downtown-canyon", "open-sky-commute", "tunnel-and-garage"].map { "datasets/" + $0 } + RealDrives.paths

  @Test(.timeLimit(.minutes(15)), arguments: drives)
  func theCursorNeverGoesBackNorCreeps(path: String) throws {
    var track = DisplayTrack()
    var last: DisplayPosition?
    var (outputs, moves, rests, snaps) = (0, 0, 0, 0)
    var offsets: [Double] = []
    _ = try DriveReplay(rate: 10).run(path: path) { solution in
      let shown = track.update(solution)
      defer { last = shown }
      outputs += 1
      offsets.append(shown.offset)
      // The offset is what it says: from the estimate to the display.
      let stated = shown.position.ned(from: solution.position)
      #expect((stated - shown.offsetNED).horizontalNorm < 1e-6)
      guard shown.snap == nil, let last else {
        snaps += 1
        return
      }
      let step = shown.position.ned(from: last.position)
      if solution.mode == .stationary {
        rests += 1
        #expect(step.horizontalNorm == 0)
      } else if step.horizontalNorm > 0 {
        moves += 1
        let velocity = Vector3(solution.velocityNED.x, solution.velocityNED.y, 0)
        // 1 µm: the rounding of degrees.
        let ahead = step.dot(velocity) / velocity.norm
        let dt = shown.time.seconds(since: last.time)
        #expect(ahead > -1e-6)
        #expect(step.horizontalNorm < 1.5 * velocity.norm * dt + 1e-6)
        #expect(step.horizontalNorm > 0.5 * velocity.norm * dt - 1e-6)
      }
    }
    #expect(outputs > 500 && moves > 300)
    // A few leaps a drive: its start, the heading found, a place taken anew.
    #expect(snaps <= 1 + outputs / 500, "\(snaps) leaps in \(outputs) outputs")
    offsets.sort()
    let p95 = offsets[offsets.count * 95 / 100]
    if path.contains("open-sky") {
      #expect(rests > 100)
      #expect(p95 < 1.5, "\(p95) m where the estimate itself is good to 1.8 m (95 %)")
    }
    #expect(try #require(offsets.last) <= 50)
  }
}
