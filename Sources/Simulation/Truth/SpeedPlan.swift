/// Speed over time: as fast as the zones, the driver's limits and the stops allow.
///
/// Every zone is a ramp to its highest speed, a time at that speed and a ramp to the speed of the next zone,
/// so that acceleration is continuous everywhere and 0 where zones meet.
struct SpeedPlan: Sendable {
  private(set) var phases: [SpeedPhase] = []
  private(set) var duration = 0.0
  private let driver: Driver
  private var turned = 0.0
  private var raised = 0.0

  /// The plan for a road; `random` makes the speed wander.
  init(road: Road, driver: Driver, random: inout RandomSource) {
    self.driver = driver
    let zones = Self.wandering(road.zones, driver, &random)
    for dwell in road.firstDwells { stand(dwell, distance: 0) }
    let nodes = nodeSpeeds(zones)
    for (i, zone) in zones.enumerated() {
      drive(zone, from: nodes[i], to: nodes[i + 1])
      for dwell in zone.dwells { stand(dwell, distance: zone.start + zone.length) }
    }
  }

  /// Long stretches in pieces of 100 m to 300 m whose wanted speeds lie a little below the zone's.
  private static func wandering(
    _ zones: [SpeedZone], _ driver: Driver, _ random: inout RandomSource
  ) -> [SpeedZone] {
    guard driver.speedVariation > 0 else { return zones }
    var result: [SpeedZone] = []
    for zone in zones {
      var rest = zone
      while rest.length > 400 {
        var piece = rest
        piece.length = random.uniform(in: 100...300)
        piece.limit = zone.limit * (1 - driver.speedVariation * random.uniform())
        piece.dwells = []
        result.append(piece)
        rest.start += piece.length
        rest.length -= piece.length
      }
      result.append(rest)
    }
    return result
  }

  /// Speeds at the ends of the zones: what both neighbours allow and their lengths suffice for.
  private func nodeSpeeds(_ zones: [SpeedZone]) -> [Double] {
    var nodes = [Double](repeating: 0, count: zones.count + 1)
    for i in zones.indices.dropFirst() where zones[i - 1].dwells.isEmpty {
      nodes[i] = min(zones[i - 1].limit, zones[i].limit)
    }
    for i in zones.indices.reversed() where nodes[i] > nodes[i + 1] {
      nodes[i] = Self.highest(from: nodes[i + 1], to: nodes[i]) {
        braking(from: $0, to: nodes[i + 1], in: zones[i]).distance <= zones[i].length
      }
    }
    for i in zones.indices where nodes[i + 1] > nodes[i] {
      nodes[i + 1] = Self.highest(from: nodes[i], to: nodes[i + 1]) {
        speedingUp(from: nodes[i], to: $0, in: zones[i]).distance <= zones[i].length
      }
    }
    return nodes
  }

  /// The highest value between `low`, which fits, and `high` that fits.
  private static func highest(from low: Double, to high: Double, fits: (Double) -> Bool) -> Double {
    if fits(high) { return high }
    var (low, high) = (low, high)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if fits(middle) { low = middle } else { high = middle }
    }
    return low
  }

  private func speedingUp(from: Double, to: Double, in zone: SpeedZone) -> SpeedRamp {
    ramp(from, to, in: zone, acceleration: driver.acceleration)
  }

  private func braking(from: Double, to: Double, in zone: SpeedZone) -> SpeedRamp {
    ramp(from, to, in: zone, acceleration: driver.deceleration)
  }

  private func ramp(_ from: Double, _ to: Double, in zone: SpeedZone, acceleration: Double) -> SpeedRamp {
    guard let own = zone.acceleration else {
      return SpeedRamp(from: from, to: to, acceleration: acceleration, jerk: driver.jerk)
    }
    // A gentle acceleration comes gently, over a second.
    return SpeedRamp(from: from, to: to, acceleration: own, jerk: min(driver.jerk, own))
  }

  private mutating func drive(_ zone: SpeedZone, from: Double, to: Double) {
    func ramps(_ peak: Double) -> Double {
      speedingUp(from: from, to: peak, in: zone).distance + braking(from: peak, to: to, in: zone).distance
    }
    let peak = Self.highest(from: max(from, to), to: zone.limit) { ramps($0) <= zone.length }
    var distance = zone.start
    add(speedingUp(from: from, to: peak, in: zone), &distance, zone)
    let steady = max(0, zone.length - ramps(peak))
    add(steady / peak, &distance, peak, 0, 0, zone)
    add(braking(from: peak, to: to, in: zone), &distance, zone)
  }

  private mutating func add(_ ramp: SpeedRamp, _ distance: inout Double, _ zone: SpeedZone) {
    let a = ramp.jerk * ramp.jerkTime
    let v1 = ramp.from + a * ramp.jerkTime / 2
    let v2 = v1 + a * ramp.steadyTime
    add(ramp.jerkTime, &distance, ramp.from, 0, ramp.jerk, zone)
    add(ramp.steadyTime, &distance, v1, a, 0, zone)
    add(ramp.jerkTime, &distance, v2, a, -ramp.jerk, zone)
  }

  private mutating func stand(_ dwell: SpeedZone.Dwell, distance: Double) {
    guard dwell.seconds > 0 else { return }
    phases.append(
      SpeedPhase(
        start: duration, duration: dwell.seconds, distance: distance, speed: 0, acceleration: 0, jerk: 0,
        isReverse: false, engineRuns: dwell.engineRuns, carriage: dwell.carriage,
        environment: dwell.environment, turned: turned, raised: raised))
    duration += dwell.seconds
    turned += dwell.carriage?.turned ?? 0
    raised += dwell.carriage?.raised ?? 0
  }

  private mutating func add(
    _ seconds: Double, _ distance: inout Double, _ speed: Double, _ acceleration: Double, _ jerk: Double,
    _ zone: SpeedZone
  ) {
    guard seconds > 0 else { return }
    let phase = SpeedPhase(
      start: duration, duration: seconds, distance: distance, speed: speed, acceleration: acceleration,
      jerk: jerk, isReverse: zone.isReverse, engineRuns: true, wheelsRoll: zone.wheelsRoll, turned: turned,
      raised: raised)
    phases.append(phase)
    duration += seconds
    distance = phase.evaluate(duration).distance
  }
}
