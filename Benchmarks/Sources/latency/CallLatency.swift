import CAllocations
import Fusion
import Measuring

/// Time and allocations of every call on the engine, whatever it turns out to be: while the
/// heading is sought, and after.
struct CallLatency {
  /// One row each.
  private(set) var rows: [LatencyRow] = []
  /// Sum of the heights of the last solutions in metres, so that no call can be optimized away.
  private(set) var checksum = 0.0

  /// Runs over `seconds` of a drive without wheel speeds once to warm up and then `repeats` times.
  init(seconds: Int, repeats: Int, stopwatch: Stopwatch) {
    var drive = SyntheticDrive()
    let start = drive.samples(seconds: StepDrive.warmUp)
    let rest = drive.samples(seconds: seconds)
    var scout = FusionEngine()
    let aligned = start.firstIndex { sample in
      scout.process(sample)
      return scout.solution(at: sample.arrival)?.isAligned == true
    }
    let secondFix = start.indices.filter { if case .gnss = start[$0] { true } else { false } }.dropFirst()
      .first
    guard let aligned, let secondFix else { return }
    var warm = FusionEngine()
    for sample in start { warm.process(sample) }
    add(
      "heading sought, from the second fix on", { FusionEngine() }, start[..<aligned], from: secondFix,
      repeats: repeats, stopwatch)
    // The first calls on a copy of an engine copy its buffers: that is the benchmark's, not the engine's.
    add("heading known", { warm }, rest[...], from: 100, repeats: repeats, stopwatch)
  }

  private mutating func add(
    _ name: String, _ fresh: () -> FusionEngine, _ samples: ArraySlice<SensorSample>, from first: Int,
    repeats: Int, _ stopwatch: Stopwatch
  ) {
    var readings = Readings()
    var allocated: UInt64 = 0
    for number in 0...repeats {
      if number > 0 { readings.beginRepeat() }
      var engine = fresh()
      var last = Timestamp(seconds: 0)
      for (index, sample) in samples.enumerated() {
        let before = allocation_count()
        let begin = Stopwatch.now
        engine.process(sample)
        let elapsed = stopwatch.elapsed(since: begin)
        let after = allocation_count()
        last = sample.arrival
        if number > 0, index > first {
          readings.add(elapsed)
          allocated += after - before
        }
      }
      checksum += engine.solution(at: last)?.position.height ?? 0
    }
    let calls = repeats * max(1, samples.count - first - 1)
    rows.append(
      LatencyRow(name: name, readings: readings, allocations: Double(allocated) / Double(calls)))
  }
}
