import SensorEvents

/// The satellites at one time.
struct SkyReport: Equatable {
  var utcNanoseconds: Int64?
  var reading: SkyReading
}
