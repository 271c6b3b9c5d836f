/// One line of the table: nanoseconds a call.
package struct LatencyRow: Codable {
  package let name: String
  /// Number of readings.
  package let count: Int
  /// Calls timed together in one reading: 1, or more where one call is too short for the clock; the
  /// percentiles are then of the mean of that many calls.
  package let callsPerReading: Int
  package let mean: Double
  package let p50: Double
  package let p99: Double
  package let p999: Double
  /// nil in reports from before it was taken down.
  package let p9999: Double?
  package let max: Double
  /// The same of the least readings of each call over the repeats.
  package let quietP50: Double
  package let quietP99: Double
  package let quietP9999: Double?
  package let quietMax: Double
  /// Standard deviation of the median from repeat to repeat.
  package let spread: Double
  /// How far the quiet 99 % strays; nil where there was one repeat only.
  package let tailSpread: Double?
  /// What fixed work took beside it, at best: the machine's speed meanwhile.
  package let reference: Double
  /// Heap allocations a call; nil where they were not counted.
  package var allocations: Double?
  /// Instructions a call; nil where they were not counted.
  package var instructions: Double?

  private enum CodingKeys: String, CodingKey {
    case name, count
    case callsPerReading = "calls_per_reading"
    case mean = "mean_ns"
    case p50 = "p50_ns"
    case p99 = "p99_ns"
    case p999 = "p99_9_ns"
    case p9999 = "p99_99_ns"
    case max = "max_ns"
    case quietP50 = "quiet_p50_ns"
    case quietP99 = "quiet_p99_ns"
    case quietP9999 = "quiet_p99_99_ns"
    case quietMax = "quiet_max_ns"
    case spread = "p50_spread_ns"
    case tailSpread = "quiet_p99_spread_ns"
    case reference = "reference_ns"
    case allocations, instructions
  }

  /// Turns readings of `callsPerReading` calls each into nanoseconds a call.
  package init(name: String, readings: Readings, callsPerReading: Int = 1, allocations: Double? = nil) {
    let scale = 1 / Double(callsPerReading)
    let all = readings.all
    let quiet = readings.quiet
    self.name = name
    self.count = all.count
    self.callsPerReading = callsPerReading
    self.allocations = allocations
    mean = all.mean * scale
    p50 = Double(all.p50) * scale
    p99 = Double(all.p99) * scale
    p999 = Double(all.p999) * scale
    p9999 = Double(all.p9999) * scale
    max = Double(all.max) * scale
    quietP50 = Double(quiet.p50) * scale
    quietP99 = Double(quiet.p99) * scale
    quietP9999 = Double(quiet.p9999) * scale
    quietMax = Double(quiet.max) * scale
    spread = readings.spread * scale
    reference = Double(readings.reference)
    let tail = readings.tailSpread * scale
    tailSpread = tail.isFinite ? tail : nil
  }
}
