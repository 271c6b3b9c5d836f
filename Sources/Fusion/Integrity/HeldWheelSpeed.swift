import Navigation

/// Finds a wheel speed that goes on with its last value: a gateway has stalled, or a sensor stuck.
///
/// The same digits say that the speed has not changed by a step of the sensor's. How long a car takes for a
/// step, and how long the sensor takes to measure, show the times for which values have stayed so far; what
/// stays for much longer was not measured. Neither IMU nor fixes are asked.
package struct HeldWheelSpeed: Sendable {
  /// How often as long as ever before a value may stay.
  /// The longest of minutes is seldom doubled.
  /// [measured on four drives with held wheels: 1.5 to 3 do alike]
  private static let excess = 2.0
  /// Time for which any value may stay, s: with 0.1, 0.2, 0.4 outages of austin end up to 96, 27, 27 m off,
  /// of comma-highway 0.9, 0.9, 1.4 m. [measured on drives with held wheels]
  private static let least = 0.2
  /// Acceleration below which no car keeps, m/s²: it takes a step of the sensor's in that time.
  /// 0.3° of slope; 6 s for a sensor that counts in km/h, 0.2 s for one of 0.01 m/s.
  /// [measured on four drives with held wheels: 0.025 to 0.1 do alike]
  private static let evenly = 0.05
  /// Memory of the longest time, s: a stretch of motorway, and the town after it.
  /// [measured on four drives with held wheels: 100 to 900 do alike]
  private static let memory = 300.0
  /// Changes of the value before which nothing is said, and over which the mean step is taken.
  /// [chosen: one second of most sensors, some of the slowest]
  private static let fewest = 20.0, window = 200.0
  /// Times the mean step by which a value may change that was measured all the time.
  /// A sensor that counts changes by one step where the car goes evenly.
  /// [measured on four drives with held wheels: 1 does alike; 3 leaves austin 154 m off]
  private static let leap = 1.5

  private var last: WheelSample?
  /// When the newest value first came.
  private var since = Timestamp(nanoseconds: 0)
  /// The longest time for which a value of a rolling wheel has stayed, fading, s.
  /// [chosen: none has stayed yet]
  private var longest = 0.0
  /// Changes so far, their mean and the least of them, m/s.
  private var changes = 0.0, mean = 0.0, step = Double.infinity

  package init() {}

  /// The sensor's step, m/s; 0 while it is not known.
  package var resolution: Double { step.isFinite ? step : 0 }

  /// Takes a reading; returns whether it is one from before.
  package mutating func add(_ wheel: WheelSample) -> Bool {
    defer { last = wheel }
    guard let last, 0..<FixMotion.gap ~= wheel.time.seconds(since: last.time) else {
      since = wheel.time
      return false
    }
    if wheel.speed == last.speed {
      return changes >= Self.fewest && abs(wheel.speed) > WheelSpeedMonitor.zero
        && wheel.time.seconds(since: since) > usual
    }
    if min(abs(wheel.speed), abs(last.speed)) > WheelSpeedMonitor.zero { learn(from: last, to: wheel) }
    since = wheel.time
    return false
  }

  /// For how long a value may stay, s.
  private var usual: Double { max(Self.excess * longest, step / Self.evenly, Self.least) }

  private mutating func learn(from last: WheelSample, to wheel: WheelSample) {
    let stayed = last.time.seconds(since: since)
    let change = abs(wheel.speed - last.speed)
    // What was held meanwhile comes back where the car has got to.
    let isHeld = changes >= Self.fewest && stayed > usual && change > Self.leap * mean
    if !isHeld {
      longest = max(stayed, longest * (1 - min(1, wheel.time.seconds(since: since) / Self.memory)))
    }
    changes += 1
    mean += (change - mean) / min(changes, Self.window)
    step = min(step, change)
  }
}
