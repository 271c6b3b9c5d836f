// Conventions: vehicle axes forward, right, down at the middle of the rear axle; nav axes north, east, down.
// Derivatives of a vector in nav axes are those of its components. Source: Groves, "Principles of GNSS,
// Inertial, and Multisensor Integrated Navigation Systems", 2nd edition.
import Navigation

/// The true motion of the car at one time.
public struct VehicleState: Sendable {
  /// Seconds since the start of the drive, to the nanosecond.
  public var time: Timestamp
  /// Middle of the rear axle.
  public var position: GeodeticPosition
  /// Its velocity over ground, m/s.
  public var velocityNED: Vector3
  /// Rate of change of the components of `velocityNED`, m/s².
  public var accelerationNED: Vector3
  /// Attitude of the body, lean and slip included: C_b^n.
  public var navFromVehicle: Quaternion
  /// Angular rate of the body against nav axes, in vehicle axes, rad/s.
  public var angularRateNav: Vector3
  /// Its rate of change, rad/s².
  public var angularAccelerationNav: Vector3
  /// Speed along the road, m/s, negative in reverse; that of what carries the car is not in it.
  public var speed: Double
  /// Metres driven, reverse included.
  public var distance: Double
  /// Whether the engine runs.
  public var engineRuns: Bool
  /// Whether the wheels turn as the car moves: not on a flatbed.
  public var wheelsRoll = true
  /// What stands around.
  public var environment = RadioEnvironment.open

  /// Angular rate of the Earth in nav axes.
  private var earthRate: Vector3 {
    let l = sincos(position.latitude)
    return Vector3(WGS84.earthRate * l.cosine, 0, -WGS84.earthRate * l.sine)
  }

  /// Transport rate: that of nav axes against the Earth.
  private var transportRate: Vector3 {
    let l = sincos(position.latitude)
    let north = WGS84.meridianRadius(sineLatitude: l.sine) + position.height
    let east = WGS84.transverseRadius(sineLatitude: l.sine) + position.height
    return Vector3(
      velocityNED.y / east, -velocityNED.x / north, -velocityNED.y * l.sine / l.cosine / east)
  }

  /// Angular rate of the body against inertial space, in vehicle axes, rad/s: what a
  /// perfect gyroscope measures.
  public var angularRate: Vector3 {
    angularRateNav + navFromVehicle.inverse * (earthRate + transportRate)
  }

  /// Specific force in vehicle axes at a point `arm` metres forward, right and down of the rear axle, m/s²:
  /// what a perfect accelerometer measures there (the navigation equations of Groves, section 5.4, solved for
  /// the force; then the rigid body).
  ///
  /// Left out: the rate of change of the transport rate times the arm, below 2e-6 m/s² for an arm of 3 m.
  public func specificForce(at arm: Vector3) -> Vector3 {
    let earth = earthRate
    let transport = transportRate
    let gravity = Vector3(
      0, 0, WGS84.gravity(sineLatitude: sincos(position.latitude).sine, height: position.height))
    let forceNED = accelerationNED + (2 * earth + transport).cross(velocityNED) - gravity
    let vehicleFromNav = navFromVehicle.inverse
    let rate = angularRate
    let acceleration = angularAccelerationNav - angularRateNav.cross(vehicleFromNav * (earth + transport))
    return vehicleFromNav * forceNED + acceleration.cross(arm) + rate.cross(rate.cross(arm))
  }

  /// Position of a point of the body.
  public func position(at arm: Vector3) -> GeodeticPosition {
    position.moved(byNED: navFromVehicle * arm)
  }

  /// Velocity over ground of a point of the body, m/s.
  public func velocityNED(at arm: Vector3) -> Vector3 {
    let rateOverEarth = angularRateNav + navFromVehicle.inverse * transportRate
    return velocityNED + navFromVehicle * rateOverEarth.cross(arm)
  }
}
