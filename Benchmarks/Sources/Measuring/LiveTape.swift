import Navigation
import SensorEvents

/// Samples as the events of readers, of which each stamps arrivals on the host clock.
package struct LiveTape {
  private let samples: [SensorSample]

  /// A tape of `samples`.
  package init(_ samples: [SensorSample]) { self.samples = samples }

  /// The events that arrive in a part of the drive, given in its seconds, whose zero is
  /// at `origin` nanoseconds.
  package func events(from: Double = -1, before: Double = .infinity, origin: Int) -> [SensorEvent] {
    samples.compactMap { sample in
      let arrival = sample.arrival.seconds
      guard arrival >= from, arrival < before else { return nil }
      func host(_ time: Timestamp) -> Timestamp { Timestamp(nanoseconds: Int64(origin) + time.nanoseconds) }
      switch sample {
      case .inertial(let s):
        return SensorEvent(
          source: SourceID(0), arrival: host(s.time),
          content: .inertial(
            InertialReading(
              time: host(s.time), clock: .host, angularRate: s.angularRate, specificForce: s.specificForce)))
      case .wheel(let s):
        return SensorEvent(
          source: SourceID(1), arrival: host(s.time), content: .wheel(WheelReading(speed: s.speed)))
      case .pressure(let s):
        return SensorEvent(
          source: SourceID(3), arrival: host(s.time),
          content: .pressure(PressureReading(pressure: s.pressure)))
      case .gnss(var fix):
        let arrival = host(fix.received ?? fix.time)
        fix.time = Timestamp(nanoseconds: host(fix.time).nanoseconds + 1_772_000_000_000_000_000)
        return SensorEvent(
          source: SourceID(2), arrival: arrival, content: .fix(FixReading(fix: fix, dimensions: .three)))
      }
    }
  }
}
