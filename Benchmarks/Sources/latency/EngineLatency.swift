import Fusion
import Navigation

/// The latency of every call on the engine over whole drives.
struct EngineLatency {
  /// Readings of one kind of call: the same calls, in the same order, in every repeat.
  private struct Readings {
    var all: [Int] = []
    /// The least reading of each call over the repeats: what is left is the engine's, not the system's.
    var quietest: [Int] = []
    private var next = 0

    mutating func rewind() { next = 0 }

    mutating func add(_ reading: Int) {
      all.append(reading)
      if next == quietest.count { quietest.append(reading) }
      quietest[next] = min(quietest[next], reading)
      next += 1
    }
  }

  private var inertial = Readings()
  private var fix = Readings()
  private var solution = Readings()
  /// Sum of the heights of all solutions in metres, so that no call can be optimized away.
  private(set) var checksum = 0.0

  /// Runs `drive` once to warm up and then `repeats` times, each time with a new engine.
  init(drive: SyntheticDrive, repeats: Int, stopwatch: Stopwatch) {
    run(drive, stopwatch)
    (inertial, fix, solution, checksum) = (Readings(), Readings(), Readings(), 0)
    for _ in 0..<repeats { run(drive, stopwatch) }
  }

  /// The rows of the table; `suffix` tells one drive's from another's.
  func rows(suffix: String = "") -> [LatencyRow] {
    let kinds = [("process, IMU sample", inertial), ("process, GNSS fix", fix), ("solution(at:)", solution)]
    return kinds.map { name, readings in
      LatencyRow(
        name: name + suffix, readings: Distribution(readings.all), callsPerReading: 1,
        quietestMax: readings.quietest.max())
    }
  }

  private mutating func run(_ drive: SyntheticDrive, _ stopwatch: Stopwatch) {
    var engine = FusionEngine()
    inertial.rewind()
    fix.rewind()
    solution.rewind()
    for sample in drive.samples {
      let start = Stopwatch.now
      engine.process(sample)
      let elapsed = stopwatch.elapsed(since: start)
      if case .gnss = sample { fix.add(elapsed) } else { inertial.add(elapsed) }
      while engine.nextVerdict() != nil {}

      let asked = Stopwatch.now
      let answer = engine.solution(at: sample.arrival)
      solution.add(stopwatch.elapsed(since: asked))
      checksum += answer?.position.height ?? 0
    }
  }
}
