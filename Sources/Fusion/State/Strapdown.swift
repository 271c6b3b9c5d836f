// Inertial navigation equations in local NED axes: Groves, "Principles of GNSS, Inertial, and Multisensor
// Integrated Navigation Systems", 2nd edition, section 5.4. Rate and force are taken as linear in time
// over a step, which gives the attitude increment α, the velocity increment υ and their coning and
// sculling terms in closed form:
//   ∫∫ ½ (α × ω) = dt² / 12 · ω₀ × ω₁,   ½ α × υ + dt² / 12 · (ω₀ × f₁ + f₀ × ω₁).
import CLibrary
import LinearAlgebra
import Navigation

/// Angular rate in rad/s and specific force in m/s² at one instant, in body axes, corrected.
package struct InertialRates: Sendable {
  package var angularRate: Vector3
  package var specificForce: Vector3

  @inline(__always) package init(angularRate: Vector3, specificForce: Vector3) {
    self.angularRate = angularRate
    self.specificForce = specificForce
  }
}

/// Integrates angular rate and specific force into attitude, velocity and position.
package struct Strapdown: Sendable {
  /// Time over which rate, force and acceleration are averaged, s: single samples are mostly vibration.
  /// [chosen]
  static let smoothingTime = 0.1
  private var latitude = Double.infinity
  private var height = Double.infinity
  private var earthRate = Vector3.zero
  private var metresPerLatitude = 1.0
  private var transverseMetres = 1.0
  private var cosLatitude = 1.0
  private var tanLatitude = 0.0
  /// Normal gravity at the newest position, m/s².
  package private(set) var gravity = 9.8

  package init() {}

  /// Angular rate of the Earth and of NED over it, ω_ie^n and ω_en^n in rad/s.
  @inline(__always)
  func rates(velocity v: Vector3) -> (earth: Vector3, transport: Vector3) {
    let east = v.y / transverseMetres
    return (earthRate, Vector3(east, -v.x / metresPerLatitude, -east * tanLatitude))
  }

  /// Moves `state` on by `dt` seconds, over which rate and force go linearly from `start` to `end`.
  package mutating func step(
    _ state: inout NavigationState, from start: InertialRates, to end: InertialRates, dt: Double
  ) {
    refresh(at: state.position)
    let rate = (start.angularRate + end.angularRate) * 0.5
    let force = (start.specificForce + end.specificForce) * 0.5
    let alpha = rate * dt
    let upsilon = force * dt
    let twelfth = dt * dt * (1.0 / 12)
    let coning = start.angularRate.cross(end.angularRate) * twelfth
    let sculling =
      (start.angularRate.cross(end.specificForce) + start.specificForce.cross(end.angularRate)) * twelfth

    let (earth, transport) = rates(velocity: state.velocity)
    let navRate = earth + transport
    let bodyChange = upsilon + alpha.cross(upsilon) * 0.5 + sculling
    let navChange = state.navFromBody * bodyChange
    let specific = navChange - navRate.cross(navChange) * (0.5 * dt)
    let coriolis = (earth * 2 + transport).cross(state.velocity)
    let change = specific + (Vector3(0, 0, gravity) - coriolis) * dt
    let mean = state.velocity + change * 0.5

    state.velocity += change
    state.position.latitude += mean.x * dt / metresPerLatitude
    state.position.longitude += mean.y * dt / (transverseMetres * cosLatitude)
    if abs(state.position.longitude) > .pi {
      state.position.longitude = Angle.wrapped(state.position.longitude)
    }
    state.position.height -= mean.z * dt
    let turned = Quaternion(rotationVector: alpha + coning)
    state.navFromBody =
      (Quaternion(rotationVector: -navRate * dt) * (state.navFromBody * turned)).normalized
    state.angularRate = rate
    state.specificForce = force
    let gain = dt / (dt + Self.smoothingTime)
    let lag = state.velocityDelay * state.lagShare
    state.acceleration +=
      (change * (1 / dt) - state.acceleration) * (lag > Self.smoothingTime ? dt / (dt + lag) : gain)
    state.smoothRate += (rate - state.smoothRate) * gain
    state.smoothForce += (force - state.smoothForce) * gain
  }

  /// Radii, gravity and Earth rate are kept while latitude changes by under 0.1 µrad (0.6 m) and height by
  /// 1 m: they change by less than 1e-6 of themselves over that.
  private mutating func refresh(at position: GeodeticPosition) {
    guard abs(position.latitude - latitude) > 1e-7 || abs(position.height - height) > 1 else { return }
    latitude = position.latitude
    height = position.height
    let s = sin(latitude)
    cosLatitude = max(cos(latitude), 1e-7)
    tanLatitude = s / cosLatitude
    earthRate = Vector3(WGS84.earthRate * cosLatitude, 0, -WGS84.earthRate * s)
    metresPerLatitude = WGS84.meridianRadius(sineLatitude: s) + height
    transverseMetres = WGS84.transverseRadius(sineLatitude: s) + height
    gravity = WGS84.gravity(sineLatitude: s, height: height)
  }
}
