/// One line of the table: nanoseconds a call.
struct LatencyRow: Encodable {
  let name: String
  /// Number of readings.
  let count: Int
  /// Calls timed together in one reading: 1, or more where one call is too short for the clock; the percentiles
  /// are then of the mean of that many calls.
  let callsPerReading: Int
  let mean: Double
  let p50: Double
  let p99: Double
  let p999: Double
  let max: Double
  /// The slowest call after each call took the least of its repeats; nil where calls are not told apart.
  let quietestMax: Double?

  private enum CodingKeys: String, CodingKey {
    case name, count
    case callsPerReading = "calls_per_reading"
    case mean = "mean_ns"
    case p50 = "p50_ns"
    case p99 = "p99_ns"
    case p999 = "p99_9_ns"
    case max = "max_ns"
    case quietestMax = "quietest_max_ns"
  }

  /// Turns readings of `callsPerReading` calls each, in nanoseconds, into nanoseconds a call.
  init(name: String, readings: Distribution, callsPerReading: Int, quietestMax: Int? = nil) {
    let scale = 1 / Double(callsPerReading)
    self.name = name
    self.count = readings.count
    self.callsPerReading = callsPerReading
    mean = readings.mean * scale
    p50 = Double(readings.p50) * scale
    p99 = Double(readings.p99) * scale
    p999 = Double(readings.p999) * scale
    max = Double(readings.max) * scale
    self.quietestMax = quietestMax.map { Double($0) * scale }
  }
}
