import Live
import Navigation
import SensorEvents
import Simulation
import TestParts

/// A simulated drive as readers would have handed it over: each sensor with its own clock, delay and jitter.
struct MadeEvents {
  static let imu = SourceID(0), receiver = SourceID(1), wheel = SourceID(2), barometer = SourceID(3)
  /// The host clock at the drive's zero: some hours after boot.
  static let boot = 12_345.678
  /// Unix time at the drive's zero.
  static let unix = 1_772_000_000.0

  /// Seconds from a fix's time to its arrival, at least, and how much longer it may be.
  var fixDelay = 0.1, fixJitter = 0.06
  /// The same of IMU samples and wheel speeds.
  var inertialDelay = 0.002, inertialJitter = 0.012
  /// The clock of the IMU's stamps.
  var inertialClock = ClockKind.realtime
  /// Seconds that the receiver's clock loses on the host's in a second.
  var receiverDrift = 30e-6
  /// The system clock is set by so many seconds at this time of the drive.
  var step: (at: Double, by: Double)?
  /// Parts of the drive in which a source is silent.
  var isSilent: (SourceID, Double) -> Bool = { _, _ in false }

  /// The host clock at a time of the drive.
  static func host(_ seconds: Double) -> Timestamp { Timestamp(seconds: boot + seconds) }

  /// The system clock at a time of the drive.
  func realtime(_ seconds: Double) -> Timestamp {
    let step = step.map { seconds >= $0.at ? $0.by : 0 } ?? 0
    return Timestamp(seconds: Self.unix - 3.25 + seconds + step)
  }

  /// UTC by the receiver at a time of the drive.
  func receiverTime(_ seconds: Double) -> Timestamp {
    Timestamp(seconds: Self.unix + seconds * (1 - receiverDrift))
  }

  /// About 50 s: three at rest, then two turns at town speed.
  static let samples: [SensorSample] = {
    var scenario = Scenario.town
    scenario.road = [
      RoadElement(.stop(seconds: 3), speed: 14), RoadElement(.straight(length: 120), speed: 14),
      RoadElement(.turn(angle: .pi / 2, radius: 15), speed: 8),
      RoadElement(.straight(length: 150), speed: 14),
      RoadElement(.turn(angle: -.pi / 2, radius: 15), speed: 8),
      RoadElement(.straight(length: 150), speed: 14),
    ]
    return Simulator(scenario: scenario, seed: 2001).run().samples
  }()

  /// The events in order of arrival.
  func events(_ samples: [SensorSample] = samples) -> [SensorEvent] {
    var noise = Dice(seed: 7)
    var events: [SensorEvent] = []
    var newest = [SourceID: Timestamp]()
    var tick = 0.0
    for sample in samples {
      let t = sample.time.seconds
      // The loop's own comparisons: once a second, and at once after a step.
      while tick <= t {
        events += comparisons(at: tick)
        tick += 1
      }
      if let step, step.at <= t, step.at > t - 0.01 { events += comparisons(at: step.at) }
      var event: SensorEvent
      switch sample {
      case .inertial(let s):
        let arrival = t + inertialDelay + inertialJitter * noise.uniform()
        let time = inertialClock == .realtime ? realtime(t) : Self.host(t)
        event = SensorEvent(
          source: Self.imu, arrival: Self.host(arrival),
          content: .inertial(
            InertialReading(
              time: time, clock: inertialClock, angularRate: s.angularRate, specificForce: s.specificForce)))
      case .wheel(let s):
        event = SensorEvent(
          source: Self.wheel, arrival: Self.host(t + inertialDelay + inertialJitter * noise.uniform()),
          content: .wheel(WheelReading(speed: s.speed, yawRate: s.yawRate)))
      case .pressure(let s):
        event = SensorEvent(
          source: Self.barometer, arrival: Self.host(t + inertialDelay + inertialJitter * noise.uniform()),
          content: .pressure(PressureReading(pressure: s.pressure)))
      case .gnss(var fix):
        fix.time = receiverTime(t)
        fix.received = nil
        let late = fixDelay + fixJitter * noise.uniform()
        event = SensorEvent(
          source: Self.receiver, arrival: Self.host(t + late),
          content: .fix(FixReading(fix: fix, dimensions: .three)))
      }
      guard !isSilent(event.source, t) else { continue }
      // A reader hands over in order.
      event.arrival = max(event.arrival, newest[event.source] ?? event.arrival)
      newest[event.source] = event.arrival
      events.append(event)
    }
    return events.enumerated().sorted {
      ($0.element.arrival, $0.offset) < ($1.element.arrival, $1.offset)
    }.map(\.element)
  }

  func comparisons(at t: Double) -> [SensorEvent] {
    let host = Self.host(t)
    return [
      SensorEvent(
        source: .loop, arrival: host,
        content: .clocks(
          ClockComparison(
            clock: .realtime, time: realtime(t), reference: .host, referenceTime: host, uncertainty: 100)))
    ]
  }
}
