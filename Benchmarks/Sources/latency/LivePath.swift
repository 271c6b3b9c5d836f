import Foundation
import Fusion
import Measuring
import Navigation
import Synchronization

/// The engine as it runs live: a sample each 10 ms of real time, and the solution asked for after each, while nothing
/// else runs and while other threads keep every core busy.
enum LivePath {
  private static let seconds = 10

  static func rows() -> [LatencyRow] {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    return [
      row("no load of ours", busy: 0),
      row("\(cores) busy threads on \(cores) cores", busy: cores),
    ]
  }

  private static func row(_ name: String, busy: Int) -> LatencyRow {
    var drive = SyntheticDrive()
    var engine = FusionEngine()
    for sample in drive.samples(seconds: 60) { engine.process(sample) }
    let samples = drive.samples(seconds: seconds)
    let load = Load(threads: busy)
    var readings = Readings()
    readings.beginRepeat()
    var sum = 0.0
    let origin = Stopwatch.now + 10_000_000
    let first = samples[0].arrival.nanoseconds
    for sample in samples {
      let due = origin + Int(sample.arrival.nanoseconds - first)
      Stopwatch.sleep(until: due)
      engine.process(sample)
      sum += engine.solution(at: sample.arrival)?.position.height ?? 0
      readings.add(max(0, Stopwatch.now - due))
    }
    load.stop()
    precondition(sum.isFinite, "the engine lost its way")
    return LatencyRow(name: name, readings: readings)
  }

  /// Threads that do nothing, as fast as they can.
  private final class Load: Sendable {
    private let isOver = Atomic(false)

    init(threads: Int) {
      for _ in 0..<threads {
        Thread.detachNewThread { while !self.isOver.load(ordering: .relaxed) {} }
      }
    }

    func stop() { isOver.store(true, ordering: .relaxed) }
  }
}
