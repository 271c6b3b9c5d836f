import LinearAlgebra
import Navigation

/// What an IMU in any mounting tells of a car's motion in the plane: the angle turned about gravity, and how
/// hard the car brakes, gathers speed or corners, without the direction.
///
/// Down is against the mean specific force over some seconds. What a car's acceleration tilts that by costs a
/// few percent of the angle, and no mounting and no heading is asked.
package struct VerticalRate: Sendable {
  /// Memory of the mean force that counts as gravity, s: longer than a car accelerates one way. [chosen]
  private static let gravityMemory = 20.0
  /// What a car may have accelerated by all the time that gravity is the mean of so far, m/s², while that is
  /// short against its memory: who starts while it brakes takes that for gravity.
  /// [measured on 1,164 starts: 0, 0.4, 0.7, 1.3 have 67, 55, 56, 57 lost, mislead for 614, 596, 538, 510 s]
  private static let firstAcceleration = 0.7
  /// Memory of the force that counts as the car's now, s. [chosen]
  private static let forceMemory = 0.3
  /// Changes of force, m/s², and of the rate of turn, rad/s, of a car that stands or
  /// goes on evenly. [chosen]
  private static let steadyForce = 0.06, steadyTurn = 0.01
  /// Samples further apart leave a gap that is not turned over, s. [chosen]
  private static let longestGap = 1.5

  /// What is known of the gyroscope's bias across gravity, in body axes, rad/s: what of it is about the mean
  /// force changes with every slope, and passes for a turn.
  package var biasAcross = Vector3.zero
  /// Angle turned to the right since it was last taken, rad, as the gyroscope says.
  package private(set) var angle = 0.0
  /// Part of that time that samples covered, s.
  package private(set) var covered = 0.0
  private var gravity = Vector3.zero
  private var force = Vector3.zero
  private var heardFor = 0.0
  private var last: InertialSample?

  /// Acceleration along the ground, m/s², as far as the force departs from its mean.
  @inline(__always) package var acceleration: Double { (force - gravity).norm }
  /// What of it may be in that mean, m/s².
  @inline(__always) package var unfelt: Double {
    Self.firstAcceleration * (1 - heardFor / Self.gravityMemory)
  }
  /// Seconds that force and rate have been those of a car that stands or goes on evenly.
  package private(set) var steadyFor = 0.0
  /// Mean rate about gravity of that time, rad/s.
  package private(set) var steadyRate = 0.0
  /// Unit vector along gravity in body axes; nil before any sample.
  @inline(__always) package var down: Vector3? {
    heardFor > 0 ? gravity * (-1 / max(gravity.norm, 1e-9)) : nil
  }

  package init() {}

  /// Takes the next sample.
  @inline(__always) package mutating func add(_ sample: InertialSample) {
    defer { last = sample }
    guard let last else {
      (gravity, force) = (sample.specificForce, sample.specificForce)
      return
    }
    let dt = sample.time.seconds(since: last.time)
    guard dt > 0, dt < Self.longestGap else { return }
    heardFor = min(heardFor + dt, Self.gravityMemory)
    gravity += (sample.specificForce - gravity) * (dt / max(heardFor, dt))
    force += (sample.specificForce - force) * min(1, dt / Self.forceMemory)
    let mean = (sample.angularRate + last.angularRate) * 0.5
    angle -= mean.dot(gravity) / max(gravity.norm, 1e-9) * dt
    covered += dt
  }

  /// Looks whether force and rate are steady, `elapsed` seconds after the last time.
  package mutating func watch(elapsed: Double) {
    let rate = covered > 0 ? angle / covered - feigned : 0
    let isSteady = acceleration < Self.steadyForce && abs(rate - steadyRate) < Self.steadyTurn
    steadyFor = isSteady ? min(steadyFor + elapsed, Self.gravityMemory) : 0
    steadyRate = isSteady ? steadyRate + (rate - steadyRate) * elapsed / max(steadyFor, elapsed) : rate
  }

  /// Hands over the angle turned since the last time, rad, with the gyroscope's bias about gravity in it, and
  /// the time that samples covered, s.
  package mutating func take() -> (angle: Double, covered: Double) {
    defer { (angle, covered) = (0, 0) }
    return (angle - feigned * covered, covered)
  }

  /// What a rate in body axes is about gravity, without what the bias across it feigns, rad/s.
  package func about(_ rate: Vector3) -> Double { down?.dot(rate - biasAcross) ?? 0 }

  /// The turn that the bias across gravity feigns, rad/s.
  @inline(__always) private var feigned: Double { down?.dot(biasAcross) ?? 0 }
}
