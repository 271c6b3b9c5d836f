import CAllocations
import Fusion
import Measuring

/// Time and allocations of every call on the engine over whole drives.
struct StepLatency {
  private var readings: [Step: Readings] = [:]
  private var allocations: [Step: (count: UInt64, calls: Int)] = [:]
  /// Sum of the heights of all solutions in metres, so that no call can be optimized away.
  private(set) var checksum = 0.0

  /// Runs over `seconds` of each drive once to warm up and then `repeats` times, from
  /// the same engine each time.
  init(seconds: Int, repeats: Int, stopwatch: Stopwatch) {
    for drive in StepDrive.all {
      let (warmUp, measured) = drive.samples(seconds: seconds)
      var warm = FusionEngine(configuration: drive.configuration)
      var verdicts = [MeasurementVerdict.Kind]()
      verdicts.reserveCapacity(64)
      for sample in warmUp { warm.take(sample, verdicts: &verdicts) }
      for number in 0...repeats {
        if number > 0 { for step in drive.steps { readings[step, default: Readings()].beginRepeat() } }
        // The first calls on a copy of an engine copy its buffers: that is the benchmark's, not the engine's.
        var engine = warm
        for (index, sample) in measured.enumerated() {
          let counts = number > 0 && index > 100
          run(sample, &engine, &verdicts, on: drive, counts: counts, stopwatch)
        }
      }
    }
  }

  /// The rows of the table, in the order of the steps.
  var rows: [(step: Step, row: LatencyRow)] {
    Step.allCases.compactMap { step in
      guard let readings = readings[step], !readings.isEmpty else { return nil }
      let allocated = allocations[step].map { Double($0.count) / Double($0.calls) }
      return (step, LatencyRow(name: step.title, readings: readings, allocations: allocated))
    }
  }

  private mutating func run(
    _ sample: SensorSample, _ engine: inout FusionEngine, _ verdicts: inout [MeasurementVerdict.Kind],
    on drive: StepDrive, counts: Bool, _ stopwatch: Stopwatch
  ) {
    let counted = counts ? drive.steps : []
    let before = allocation_count()
    let start = Stopwatch.now
    engine.process(sample)
    let elapsed = stopwatch.elapsed(since: start)
    let after = allocation_count()
    verdicts.removeAll(keepingCapacity: true)
    while let verdict = engine.nextVerdict() { verdicts.append(verdict.kind) }
    let step = drive.step(sample, verdicts: verdicts)
    if counted.contains(step) { add(step, elapsed, after - before) }

    let beforeOutput = allocation_count()
    let asked = Stopwatch.now
    let answer = engine.solution(at: sample.arrival)
    let answered = stopwatch.elapsed(since: asked)
    let afterOutput = allocation_count()
    if counted.contains(.output) { add(.output, answered, afterOutput - beforeOutput) }
    checksum += answer?.position.height ?? 0
  }

  private mutating func add(_ step: Step, _ elapsed: Int, _ allocated: UInt64) {
    readings[step]?.add(elapsed)
    allocations[step, default: (0, 0)].count += allocated
    allocations[step, default: (0, 0)].calls += 1
  }
}
