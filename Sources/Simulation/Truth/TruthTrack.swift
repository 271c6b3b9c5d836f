import Navigation

/// The true motion over time.
///
/// Speed, heading and slope are closed forms of time; position, lean and slip follow by Runge-Kutta steps
/// of 10 ms on a fixed grid, and a state between grid points by one shorter step from the point before:
/// what a state is does not depend on which other times were asked for. Times must not go back by more
/// than one asks on a copy.
public struct TruthTrack: Sendable {
  private static let step = 0.01

  private let road: Road
  private let plan: SpeedPlan
  private let vehicle: VehicleModel
  private var node: Node
  private var index = 0

  /// What has to be integrated.
  private struct Node {
    /// Latitude and longitude in radians, height in metres.
    var position: Vector3
    /// Pitch, roll and slip angle of the body against the road, rad, and their rates.
    var lean = Vector3.zero
    var leanRate = Vector3.zero

    func moved(by derivative: Node, _ dt: Double) -> Node {
      Node(
        position: position + derivative.position * dt, lean: lean + derivative.lean * dt,
        leanRate: leanRate + derivative.leanRate * dt)
    }
  }

  /// The motion along a road by a plan.
  init(start: GeodeticPosition, road: Road, plan: SpeedPlan, vehicle: VehicleModel) {
    self.road = road
    self.plan = plan
    self.vehicle = vehicle
    node = Node(position: Vector3(start.latitude, start.longitude, start.height))
  }

  /// Seconds from the start to the end.
  public var duration: Double { plan.duration }

  /// Metres driven in all.
  public var length: Double { road.length }

  /// The motion at a time from 0 to ``duration``; a call must not ask for a time more than
  /// 10 ms before the latest.
  public mutating func state(at time: Timestamp) -> VehicleState {
    let seconds = time.seconds
    while Double(index + 1) * Self.step <= seconds {
      node = stepped(node, from: Double(index) * Self.step, by: Self.step)
      index += 1
    }
    let start = Double(index) * Self.step
    precondition(seconds >= start - Self.step, "a truth track only goes forward")
    let rest = seconds - start
    return state(rest == 0 ? node : stepped(node, from: start, by: rest), time)
  }

  private func stepped(_ node: Node, from time: Double, by h: Double) -> Node {
    let (start, middle, end) = (motion(time), motion(time + h / 2), motion(time + h))
    let k1 = derivative(node, start)
    let k2 = derivative(node.moved(by: k1, h / 2), middle)
    let k3 = derivative(node.moved(by: k2, h / 2), middle)
    let k4 = derivative(node.moved(by: k3, h), end)
    return node.moved(by: k1, h / 6).moved(by: k2, h / 3).moved(by: k3, h / 3).moved(by: k4, h / 6)
  }

  /// Speed along the road, heading and slope with their derivatives in time.
  private struct Motion {
    var phase: SpeedPhase
    var distance: Double
    var speed: Double
    var acceleration: Double
    /// Direction of the road in nav axes and its rate of change.
    var along: Vector3
    var alongRate: Vector3
    var heading: (value: Double, rate: Double, acceleration: Double)
    var slope: (value: Double, rate: Double, acceleration: Double)
    /// What moves the car's place besides.
    var carried: Carriage.Motion
  }

  private func motion(_ time: Double) -> Motion {
    let phase = plan.phases.piece(at: time) { $0.start }
    let (s, v, a) = phase.evaluate(min(time, plan.duration))
    let curve = road.curvatures.piece(at: s) { $0.start }.evaluate(s)
    let grade = road.grades.piece(at: s) { $0.start }.evaluate(s)
    let sign = phase.isReverse ? -1.0 : 1.0
    let heading = curve.heading + phase.turned
    let carried = phase.carriage?.motion(at: time - phase.start, heading: heading) ?? Carriage.Motion()
    let (sh, ch) = sincos(heading)
    let (sg, cg) = sincos(grade.slope)
    let (turnRate, pitchRate) = (curve.curvature * v, grade.first * v)
    let turning = Vector3(-cg * sh, cg * ch, 0) * turnRate
    let pitching = Vector3(-sg * ch, -sg * sh, -cg) * pitchRate
    return Motion(
      phase: phase, distance: s, speed: sign * v, acceleration: sign * a,
      along: Vector3(cg * ch, cg * sh, -sg), alongRate: turning + pitching,
      heading: (heading, curve.curvature * v, curve.slope * v * v + curve.curvature * a),
      slope: (grade.slope, grade.first * v, grade.second * v * v + grade.first * a), carried: carried)
  }

  /// What the springs are pulled to: pitch, roll and slip for the present accelerations.
  private func leanAcceleration(_ node: Node, _ m: Motion) -> Vector3 {
    let across = m.speed * m.heading.rate
    let target = Vector3(
      vehicle.pitchPerAcceleration * m.acceleration, -vehicle.rollPerAcceleration * across,
      vehicle.slipPerAcceleration * across)
    let w = 2 * .pi * vehicle.suspensionFrequency
    return w * w * (target - node.lean) - 2 * vehicle.suspensionDamping * w * node.leanRate
  }

  private func derivative(_ node: Node, _ m: Motion) -> Node {
    let velocity = m.along * m.speed + m.carried.velocity
    let (sinLatitude, cosLatitude) = sincos(node.position.x)
    let height = node.position.z
    let rate = Vector3(
      velocity.x / (WGS84.meridianRadius(sineLatitude: sinLatitude) + height),
      velocity.y / ((WGS84.transverseRadius(sineLatitude: sinLatitude) + height) * cosLatitude),
      -velocity.z)
    return Node(position: rate, lean: node.leanRate, leanRate: leanAcceleration(node, m))
  }

  private func state(_ node: Node, _ time: Timestamp) -> VehicleState {
    let m = motion(time.seconds)
    let leanAcceleration = leanAcceleration(node, m)
    let pitch = m.slope.value + m.phase.raised
    let angles = Vector3(node.lean.y, pitch + node.lean.x, m.heading.value + node.lean.z) + m.carried.angles
    let rates =
      Vector3(node.leanRate.y, m.slope.rate + node.leanRate.x, m.heading.rate + node.leanRate.z)
      + m.carried.rates
    let accelerations =
      Vector3(
        leanAcceleration.y, m.slope.acceleration + leanAcceleration.x,
        m.heading.acceleration + leanAcceleration.z) + m.carried.accelerations
    let body = Self.bodyRates(angles, rates, accelerations)
    return VehicleState(
      time: time,
      position: GeodeticPosition(
        latitude: node.position.x, longitude: Angle.wrapped(node.position.y), height: node.position.z),
      velocityNED: m.along * m.speed + m.carried.velocity,
      accelerationNED: m.along * m.acceleration + m.alongRate * m.speed + m.carried.acceleration,
      navFromVehicle: Quaternion(roll: angles.x, pitch: angles.y, yaw: angles.z),
      angularRateNav: body.rate, angularAccelerationNav: body.acceleration, speed: m.speed,
      distance: m.distance, engineRuns: m.phase.engineRuns, wheelsRoll: m.phase.wheelsRoll,
      environment: m.phase.environment
        ?? road.environments.piece(at: m.distance) { $0.start }.environment)
  }

  /// Angular rate in body axes from roll, pitch, yaw and their rates, and its derivative in time.
  private static func bodyRates(
    _ angles: Vector3, _ rates: Vector3, _ accelerations: Vector3
  ) -> (rate: Vector3, acceleration: Vector3) {
    let (sr, cr) = sincos(angles.x)
    let (sp, cp) = sincos(angles.y)
    let (r, p, y) = (rates.x, rates.y, rates.z)
    let (ar, ap, ay) = (accelerations.x, accelerations.y, accelerations.z)
    return (
      Vector3(r - y * sp, p * cr + y * cp * sr, -p * sr + y * cp * cr),
      Vector3(
        ar - ay * sp - y * p * cp,
        ap * cr - p * r * sr + ay * cp * sr - y * p * sp * sr + y * r * cp * cr,
        -ap * sr - p * r * cr + ay * cp * cr - y * p * sp * cr - y * r * cp * sr)
    )
  }
}
