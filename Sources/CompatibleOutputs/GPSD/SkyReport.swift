import SensorEvents

/// The satellites at one time.
package struct SkyReport: Equatable {
  var utcNanoseconds: Int64?
  var reading: SkyReading

  package init(utcNanoseconds: Int64?, reading: SkyReading) {
    self.utcNanoseconds = utcNanoseconds
    self.reading = reading
  }
}
