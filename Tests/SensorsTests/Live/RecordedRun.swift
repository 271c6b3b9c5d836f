import Foundation
import Live
import Navigation
import Recording
import SensorEvents

/// What a `reckon record` said, by its recording: a replay of that gives the same bits.
struct RecordedRun {
  /// What it said, and when on the host clock.
  private(set) var said: [(time: Timestamp, solution: NavigationSolution)] = []
  /// Seconds by which fixes were put later than they hold: `zero` on the host clock is
  /// `utc` on the receiver's.
  private(set) var fixesLate: [Double] = []
  /// Seconds that fixes took to arrive.
  private(set) var fixDelays: [Double] = []
  private(set) var engine = LiveEngine()

  init(_ folder: String, zero: Timestamp, utc: Timestamp) throws {
    var reader = try RecordingReader(path: folder)
    while let entry = try reader.next() {
      guard case .item(let item) = entry else { continue }
      switch item {
      case .event(let event):
        engine.process(event)
        if case .fix(let reading) = event.content, case .gnss(let fix)? = engine.fused {
          let held = Timestamp(nanoseconds: zero.nanoseconds + reading.fix.time.nanoseconds - utc.nanoseconds)
          fixesLate.append(fix.time.seconds(since: held))
          fixDelays.append(event.arrival.seconds(since: held))
        }
      case .tick(let time): if let solution = engine.solution(at: time) { said.append((time, solution)) }
      default: break
      }
    }
  }
}
