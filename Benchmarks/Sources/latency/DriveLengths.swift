import CMachine
import Fusion
import Measuring

/// Whole drives, from a minute to a day: what they cost must grow with their length, and memory must not.
enum DriveLengths {
  static func rows() -> [LengthRow] {
    let minute = 60
    let hour = 60 * minute
    return [minute, 10 * minute, hour, 6 * hour, 24 * hour].map { row(seconds: $0, rate: 100) }
      + [row(seconds: hour, rate: 200)]
  }

  /// The drive is made a minute at a time, outside the time that counts.
  private static func row(seconds: Int, rate: Int) -> LengthRow {
    var drive = SyntheticDrive(.init(inertial: rate))
    var engine = FusionEngine()
    var cpu = 0
    var count = 0
    for _ in 0..<(seconds / 60) {
      let samples = drive.samples(seconds: 60)
      let start = Stopwatch.cpu
      for sample in samples {
        engine.process(sample)
        while engine.nextVerdict() != nil {}
      }
      cpu += Stopwatch.cpu - start
      count += samples.count
    }
    return LengthRow(
      length: seconds, rate: rate, cpu: Double(cpu) / 1e9, samples: count,
      peakBytes: Int(machine_peak_bytes()))
  }
}
