import CLibrary
import LinearAlgebra

/// What carries the standing car, whose wheels do not turn.
public enum Carriage: Sendable, Equatable {
  /// A ship, for so many seconds.
  case ferry(Ferry, seconds: Double)
  /// A plate that turns the car by `angle` radians about an axis `axis` metres ahead of the rear axle.
  case turntable(angle: Double, seconds: Double, axis: Double)
  /// A lift for cars, up by `height` metres.
  case lift(height: Double, seconds: Double)
  /// A crane that raises the nose by `angle` radians, or lowers it, and leaves it there.
  case hoist(angle: Double, seconds: Double)

  /// A ship's passage. It starts and ends at rest.
  public struct Ferry: Sendable, Equatable {
    /// Speed in m/s once it is under way.
    public var speed = 20 / 3.6
    /// Direction of the bow from the car's nose, rad, right positive.
    public var bow = 0.0
    /// Change of the ship's heading in the second quarter of the passage, rad.
    public var turn = 0.0
    /// Size of its roll, rad: as all three of a ship of some 50 m [chosen].
    public var roll = 0.025
    /// Size of its pitch, rad.
    public var pitch = 0.01
    /// Size of its heave, m.
    public var heave = 0.2

    /// A calm crossing.
    public init() {}
  }

  /// How long it takes, s.
  var seconds: Double {
    switch self {
    case .ferry(_, let seconds), .turntable(_, let seconds, _), .lift(_, let seconds), .hoist(_, let seconds):
      seconds
    }
  }

  /// By how much heading and pitch have changed at its end, rad.
  var turned: Double {
    switch self {
    case .ferry(let ferry, _): ferry.turn
    case .turntable(let angle, _, _): angle
    default: 0
    }
  }
  var raised: Double { if case .hoist(let angle, _) = self { angle } else { 0 } }

  /// What it adds to the motion of the car's rear axle.
  struct Motion: Sendable {
    /// m/s and m/s² in nav axes.
    var velocity = Vector3.zero
    var acceleration = Vector3.zero
    /// Roll, pitch and yaw against those of the car before, with their derivatives.
    var angles = Vector3.zero
    var rates = Vector3.zero
    var accelerations = Vector3.zero
  }

  /// The motion `time` seconds after its start, for a car that headed for `heading` then.
  func motion(at time: Double, heading: Double) -> Motion {
    switch self {
    case .ferry(let ferry, let seconds): ferry.motion(at: time, of: seconds, heading: heading)
    case .turntable(let angle, let seconds, let axis):
      Self.turning(
        SmoothMove(total: angle, seconds: seconds, ramp: 1.5).evaluate(time), axis: axis, heading: heading)
    case .lift(let height, let seconds):
      Self.rising(SmoothMove(total: height, seconds: seconds, ramp: 1.5).evaluate(time))
    case .hoist(let angle, let seconds):
      Self.raising(SmoothMove(total: angle, seconds: seconds, ramp: 3).evaluate(time))
    }
  }

  private typealias Move = (value: Double, rate: Double, acceleration: Double)

  private static func turning(_ move: Move, axis: Double, heading: Double) -> Motion {
    var motion = Motion()
    motion.angles.z = move.value
    motion.rates.z = move.rate
    motion.accelerations.z = move.acceleration
    // The axle lies `axis` behind the middle: p = −axis · (cos ψ, sin ψ).
    let (s, c) = sincos(heading + move.value)
    motion.velocity = Vector3(s, -c, 0) * (axis * move.rate)
    motion.acceleration =
      Vector3(s, -c, 0) * (axis * move.acceleration) + Vector3(c, s, 0) * (axis * move.rate * move.rate)
    return motion
  }

  private static func rising(_ move: Move) -> Motion {
    var motion = Motion()
    motion.velocity.z = -move.rate
    motion.acceleration.z = -move.acceleration
    return motion
  }

  private static func raising(_ move: Move) -> Motion {
    var motion = Motion()
    motion.angles.y = move.value
    motion.rates.y = move.rate
    motion.accelerations.y = move.acceleration
    return motion
  }
}

extension Carriage.Ferry {
  /// Periods of roll, pitch and heave, s [chosen].
  private static let periods = Vector3(9.1, 6.3, 7.2)

  fileprivate func motion(at time: Double, of seconds: Double, heading: Double) -> Carriage.Motion {
    let ramp = min(60, seconds / 3)
    let way = SmoothMove(total: speed * (seconds - ramp), seconds: seconds, ramp: ramp).evaluate(time)
    let course = SmoothMove(total: turn, seconds: seconds / 4, ramp: 15).evaluate(time - seconds / 4)
    // The sea comes and goes with the ship's speed.
    let sea = SmoothMove(total: seconds - ramp, seconds: seconds, ramp: ramp).evaluate(time)
    let share = Envelope(value: sea.rate, rate: sea.acceleration, ramp: ramp, time: time, seconds: seconds)
    let (rolling, pitching, heaving) = (
      share.swing(roll, Self.periods.x, time), share.swing(pitch, Self.periods.y, time),
      share.swing(heave, Self.periods.z, time)
    )
    let (s, c) = sincos(heading + bow + course.value)
    var motion = Carriage.Motion()
    motion.velocity = Vector3(c, s, 0) * way.rate + Vector3(0, 0, -heaving.rate)
    motion.acceleration =
      Vector3(c, s, 0) * way.acceleration + Vector3(-s, c, 0) * (way.rate * course.rate)
      + Vector3(0, 0, -heaving.acceleration)
    motion.angles = Vector3(rolling.value, pitching.value, course.value)
    motion.rates = Vector3(rolling.rate, pitching.rate, course.rate)
    motion.accelerations = Vector3(rolling.acceleration, pitching.acceleration, course.acceleration)
    return motion
  }

  /// A factor that goes from 0 to 1 and back, with its derivatives.
  private struct Envelope {
    let value: Double
    let rate: Double
    let acceleration: Double

    init(value: Double, rate: Double, ramp: Double, time: Double, seconds: Double) {
      self.value = value
      self.rate = rate
      let t = min(time, seconds - time) / ramp
      acceleration = t > 0 && t < 1 ? 60 * t * (1 - t) * (1 - 2 * t) / (ramp * ramp) : 0
    }

    /// A swing of `size` under it.
    func swing(_ size: Double, _ period: Double, _ time: Double) -> (
      value: Double, rate: Double, acceleration: Double
    ) {
      let w = 2 * .pi / period
      let (s, c) = sincos(w * time)
      return (
        size * value * s, size * (rate * s + value * w * c),
        size * (acceleration * s + 2 * rate * w * c - value * w * w * s)
      )
    }
  }
}
