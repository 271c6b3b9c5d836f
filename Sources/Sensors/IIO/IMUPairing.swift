import Navigation
import SensorEvents

/// Brings a gyroscope and an accelerometer with times of their own together: the specific force
/// is interpolated to the times of the angular rates. What comes out depends on what went in, not
/// on how the two took turns. Samples that a device stamps in batches are spread for that, and the readings
/// bear the stamps of the gyroscope's: what they are to be taken for the engine finds out.
package struct IMUPairing: Sendable {
  /// A vector with its time, in nanoseconds.
  package struct Sample: Sendable, Equatable {
    /// When it held.
    package var time: Timestamp
    /// rad/s or m/s².
    package var value: Vector3

    package init(time: Timestamp, value: Vector3) {
      self.time = time
      self.value = value
    }
  }

  /// Accelerations further apart are not interpolated between, in seconds: a car brakes fully in 0.2 s.
  package static let longestGap = 0.1
  /// Rates that wait for accelerations: 2 s at 200 Hz. Beyond it the oldest are given up.
  package static let capacity = 400

  private var rates: [Sample] = []
  private var forces: [Sample] = []
  /// What the rates were stamped with.
  private var stamps: [Timestamp] = []
  private var rateSpacing = BatchSpacing(), forceSpacing = BatchSpacing()

  /// Nothing yet.
  package init() {
    rates.reserveCapacity(Self.capacity + 1)
    forces.reserveCapacity(Self.capacity + 1)
    stamps.reserveCapacity(Self.capacity + 1)
  }

  /// Takes an angular rate; times must not fall.
  package mutating func add(rate: Sample) {
    stamps.append(rate.time)
    rates.append(Sample(time: rateSpacing.spaced(rate.time), value: rate.value))
  }

  /// Takes a specific force; times must not fall.
  package mutating func add(force: Sample) {
    forces.append(Sample(time: forceSpacing.spaced(force.time), value: force.value))
  }

  /// Calls `body` with each rate whose force is known, oldest first, and says how many
  /// rates had to be given up.
  package mutating func drain(_ body: (Timestamp, _ rate: Vector3, _ force: Vector3) -> Void) -> Int {
    var given = 0
    var lost = 0
    var bracket = 0
    search: for (stamp, rate) in zip(stamps, rates) {
      while bracket + 1 < forces.count, forces[bracket + 1].time <= rate.time { bracket += 1 }
      guard bracket < forces.count, let last = forces.last, rate.time <= last.time else { break search }
      given += 1
      let before = forces[bracket]
      if rate.time < before.time {
        // Before the first force there is nothing to hold it against, which at the start is no loss.
        continue
      }
      if rate.time == before.time {
        body(stamp, rate.value, before.value)
        continue
      }
      let after = forces[bracket + 1]
      let gap = after.time.seconds(since: before.time)
      guard gap <= Self.longestGap else {
        lost += 1
        continue
      }
      let share = rate.time.seconds(since: before.time) / gap
      body(stamp, rate.value, before.value + (after.value - before.value) * share)
    }
    rates.removeFirst(given)
    stamps.removeFirst(given)
    forces.removeFirst(min(bracket, max(forces.count - 1, 0)))
    let overflow = rates.count - Self.capacity
    if overflow > 0 {
      rates.removeFirst(overflow)
      stamps.removeFirst(overflow)
      lost += overflow
    }
    if forces.count > Self.capacity { forces.removeFirst(forces.count - Self.capacity) }
    return lost
  }

  /// Forgets all that waits: a clock was set, or a device began anew.
  package mutating func reset() {
    (rateSpacing, forceSpacing) = (BatchSpacing(), BatchSpacing())
    stamps.removeAll(keepingCapacity: true)
    rates.removeAll(keepingCapacity: true)
    forces.removeAll(keepingCapacity: true)
  }
}
