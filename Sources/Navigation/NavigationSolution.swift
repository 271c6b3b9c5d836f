import CLibrary
import LinearAlgebra

/// Where the engine stands.
public enum NavigationMode: UInt8, Sendable, CaseIterable {
  /// A position from fixes; heading is not known yet.
  case aligning
  /// Fused with recent fixes.
  case aided
  /// Going on without fixes.
  case deadReckoning
  /// Standing still.
  case stationary
  /// Moved without driving: on a ferry, a turntable or a tow.
  case carried

  /// Its name in files and messages.
  package var word: String {
    switch self {
    case .aligning: "aligning"
    case .aided: "aided"
    case .deadReckoning: "deadReckoning"
    case .stationary: "stationary"
    case .carried: "carried"
    }
  }
}

/// Position, velocity and attitude of one point of the car at one time, with their covariance.
public struct NavigationSolution: Sendable, Equatable {
  /// When it holds.
  public var time: Timestamp
  /// Where the engine stands.
  public var mode: NavigationMode
  /// The point's position.
  public var position: GeodeticPosition
  /// Velocity north, east, down in m/s.
  public var velocityNED: Vector3
  /// Attitude of the vehicle (axes forward, right, down) against NED.
  public var navFromVehicle: Quaternion
  /// Angular rate of the vehicle against inertial space, in vehicle axes, rad/s.
  public var angularRate: Vector3
  /// Covariance of the position in NED, m².
  public var positionCovariance: Matrix3
  /// Covariance of the velocity in NED, (m/s)².
  public var velocityCovariance: Matrix3
  /// Covariance of the small rotation in NED axes from the stated to the true attitude, rad².
  public var attitudeCovariance: Matrix3
  /// Variance per axis, m², by which the 95 % radius is larger: a second place is
  /// possible, though not likely.
  public var tailVariance: Double
  /// Level of a car park, in storeys above (or, negative, below) the level on which the fixes ended;
  /// nil where that is not known: under the open sky, without a barometer, and in what is driven
  /// through faster than a car park.
  ///
  /// A storey counts as 3 m. The level is counted from the entrance, not from the street or the
  /// ground floor, and as far as the barometer goes: a level more or less is possible after several
  /// storeys of another height.
  public var floor: Int?

  /// A solution with every part given.
  public init(
    time: Timestamp, mode: NavigationMode, position: GeodeticPosition, velocityNED: Vector3,
    navFromVehicle: Quaternion, angularRate: Vector3, positionCovariance: Matrix3,
    velocityCovariance: Matrix3, attitudeCovariance: Matrix3, tailVariance: Double = 0, floor: Int? = nil
  ) {
    self.time = time
    self.mode = mode
    self.position = position
    self.velocityNED = velocityNED
    self.navFromVehicle = navFromVehicle
    self.angularRate = angularRate
    self.positionCovariance = positionCovariance
    self.velocityCovariance = velocityCovariance
    self.attitudeCovariance = attitudeCovariance
    self.tailVariance = tailVariance
    self.floor = floor
  }

  /// Radius in metres that holds the true horizontal position with 68 % probability: the errors of a
  /// navigator have the tails of Student's t with about two degrees of freedom, so that most are smaller
  /// than those of a normal distribution of the same covariance, and a few are larger.
  public var horizontalAccuracy: Double { AccuracyRadius.radius68(positionCovariance) * Self.core }
  /// Radius in metres that holds the true horizontal position with 95 % probability, as
  /// ``horizontalAccuracy`` with 68 %.
  public var horizontalAccuracy95: Double {
    AccuracyRadius.radius95(positionCovariance + Matrix3(diagonal: Vector3(tailVariance, tailVariance, 0)))
      * Self.tail
  }

  /// The 68 % radius over that of a normal distribution of the same covariance.
  /// [measured on 1000 variants of `reckon stress`, 248001:248020 and 249001:249020: with 0.8, 0.76, 0.75 it
  /// holds 77.3, 75.2, 74.7 %]
  public static let core = 0.75
  /// The same of the 95 % radius; tail / core of t with 2 degrees of freedom is 1.83, with 3 1.45.
  /// [measured on the same variants: with 1.55, 1.4, 1.3, 1.2 it holds 99.6, 99.3, 99.1, 98.6 %, and 1.4,
  /// 1.8, 2.1, 2.6 % of them mislead]
  public static let tail = 1.4
  /// Standard deviation of the height in metres.
  public var verticalAccuracy: Double { max(0, positionCovariance.z.z).squareRoot() }
  /// Whether the height is more than a guess: a receiver may have seen three satellites only so far.
  public var isHeightKnown: Bool { position.height.isFinite && verticalAccuracy < 500 }

  /// Horizontal speed in m/s.
  public var speed: Double { velocityNED.horizontalNorm }
  /// Direction of motion in radians from north through east, 0 ..< 2π.
  public var course: Double { Angle.positive(atan2(velocityNED.y, velocityNED.x)) }
  /// Direction of the car's nose in radians from north through east, 0 ..< 2π.
  public var heading: Double { Angle.positive(navFromVehicle.yaw) }
  /// Standard deviation of the horizontal speed in m/s.
  public var speedAccuracy: Double { max(0, horizontalVelocityVariance(along: true)).squareRoot() }
  /// Standard deviation of the course in radians, π at rest.
  public var courseAccuracy: Double {
    guard speed > 1e-3 else { return .pi }
    return min(.pi, max(0, horizontalVelocityVariance(along: false)).squareRoot() / speed)
  }
  /// Standard deviation of the heading in radians.
  public var headingAccuracy: Double { min(.pi, max(0, attitudeCovariance.z.z).squareRoot()) }

  /// Whether heading is known, so that the attitude means something.
  public var isAligned: Bool { mode != .aligning }

  /// The same solution at another point of the car, `offset` metres forward, right and down of this one.
  public func moved(byVehicleOffset offset: Vector3) -> NavigationSolution {
    guard isAligned, offset != .zero else { return self }
    var moved = self
    let arm = navFromVehicle * offset
    moved.position = position.moved(byNED: arm)
    moved.velocityNED = velocityNED + navFromVehicle * angularRate.cross(offset)
    let skew = Matrix3(crossProductOf: arm)
    moved.positionCovariance += skew * attitudeCovariance * skew.transpose
    return moved
  }

  private func horizontalVelocityVariance(along: Bool) -> Double {
    let s = speed
    let (n, e) = s > 1e-6 ? (velocityNED.x / s, velocityNED.y / s) : (1, 0)
    let (a, b) = along ? (n, e) : (-e, n)
    let p = velocityCovariance
    return a * a * p.x.x + 2 * a * b * p.x.y + b * b * p.y.y
  }
}
