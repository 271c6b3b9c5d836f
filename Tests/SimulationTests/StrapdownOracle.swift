import Navigation
import Simulation

/// Integrates inertial samples in Earth-fixed axes, by the trapezoid rule and the two-sample coning term:
/// written apart from the simulator, whose equations are in north, east and down.
struct StrapdownOracle {
  private(set) var position: Vector3
  private var velocity: Vector3
  private var ecefFromBody: Quaternion
  private var last: InertialSample
  private static let earthRate = Vector3(0, 0, WGS84.earthRate)

  init(_ state: VehicleState, imu: (position: Vector3, vehicleFromIMU: Quaternion), first: InertialSample) {
    let place = state.position(at: imu.position)
    let ecefFromNED = WGS84.ecefFromNED(latitude: place.latitude, longitude: place.longitude)
    // The body's attitude against Earth-fixed axes by way of the axle's own north, where it was stated.
    let axle = WGS84.ecefFromNED(latitude: state.position.latitude, longitude: state.position.longitude)
    position = WGS84.ecef(place)
    velocity = ecefFromNED * state.velocityNED(at: imu.position)
    ecefFromBody = Quaternion(matrix: axle) * state.navFromVehicle * imu.vehicleFromIMU
    last = first
  }

  mutating func add(_ sample: InertialSample) {
    let dt = sample.time.seconds(since: last.time)
    let turn =
      (last.angularRate + sample.angularRate) * (dt / 2)
      + last.angularRate.cross(sample.angularRate) * (dt * dt / 12)
    let next =
      (Quaternion(rotationVector: Self.earthRate * -dt) * ecefFromBody * Quaternion(rotationVector: turn))
      .normalized
    let force = (ecefFromBody * last.specificForce + next * sample.specificForce) / 2
    func acceleration(_ position: Vector3, _ velocity: Vector3) -> Vector3 {
      force + gravity(at: position) - 2 * Self.earthRate.cross(velocity)
    }
    let predicted = acceleration(position, velocity)
    let middle = acceleration(position + velocity * (dt / 2), velocity + predicted * (dt / 2))
    position += velocity * dt + middle * (dt * dt / 2)
    velocity += middle * dt
    ecefFromBody = next
    last = sample
  }

  private func gravity(at ecef: Vector3) -> Vector3 {
    let p = WGS84.geodetic(ecef: ecef)
    let down = WGS84.ecefFromNED(latitude: p.latitude, longitude: p.longitude).z
    return down * WGS84.gravity(sineLatitude: -down.z, height: p.height)
  }
}
