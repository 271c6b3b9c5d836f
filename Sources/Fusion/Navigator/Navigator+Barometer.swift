import LinearAlgebra
import Navigation

/// A barometer: the filter keeps the height in its frame, ``BarometricBias`` the frame.
/// BarometricHeight.swift says why.
extension Navigator {
  private var heightVariance: Double {
    filter.covariance[StateBlock.position, StateBlock.position].z.z
  }

  /// Takes a pressure that holds at the navigator's time.
  mutating func update(_ sample: PressureSample, report: (MeasurementVerdict) -> Void) {
    let settings = self.settings.barometer
    let speed = filter.state.velocity.horizontalNorm
    if barometer.bias != nil, !barometer.isHeard(at: sample.time, settings) { releaseBarometer() }
    guard
      let (offset, elapsed) = barometer.add(
        sample, height: filter.state.position.height, isDriving: speed > 1, settings)
    else { return }
    if barometer.watch.isStuck(settings) || barometer.watch.isResting(at: sample.time)
      || barometer.isCoarse(settings)
    {
      releaseBarometer()
      return report(.init(sample.time, .barometer, .contradicted))
    }
    // Somebody has given the height up.
    if let bias = barometer.bias, heightVariance > 25 + 4 * bias.heightVariance { releaseBarometer() }
    guard var bias = barometer.bias else { return beginBarometer(offset: offset, speed: speed) }
    bias.advance(elapsed, height: filter.state.position.height, settings: settings)
    let noise = barometer.noise(settings)
    let own = heightVariance
    let excess = offset - bias.offset(speed: speed)
    let total = own + noise + bias.dynamicVariance(speed: speed)
    let finding = barometer.test.test(excess, variance: total, elapsed: elapsed, settings: settings)
    let isAstray = barometer.watch.note(outlier: finding == .outlier, elapsed: elapsed, settings)
    switch finding {
    case .same:
      var update = filter.examine(BarometricHeight.measurement(excess: excess, variance: total - own))
      let weight = RobustWeight.studentT(
        normalizedInnovationSquared: excess * excess / total, dimension: 1,
        degreesOfFreedom: settings.degreesOfFreedom)
      update?.weight = weight
      let variance = (total - own) / weight
      let gain = own / (own + variance)
      filter.takeHeight(excess, gain: gain, variance: variance)
      raise(
        by: bias.learn(
          innovation: excess, variance: own + noise, gain: gain, weight: weight, speed: speed))
      barometer.bias = bias
      let isLeak = barometer.watch.move(gain * excess, way: speed * elapsed, elapsed: elapsed, settings)
      if isLeak {
        raise(by: -barometer.watch.moved)
        distrustBarometer(at: sample.time)
      }
      report(
        isLeak ? .init(sample.time, .barometer, .contradicted) : .init(sample.time, .barometer, update, 1))
    case .outlier:
      barometer.bias = bias
      if isAstray { distrustBarometer(at: sample.time) }
      report(.init(sample.time, .barometer, isAstray ? .contradicted : .outlier))
    case .stepped(let size):
      bias.step(by: size, sigma: settings.stepSigma)
      barometer.bias = bias
      let isTooMuch = barometer.watch.step(at: sample.time, settings)
      if isTooMuch { distrustBarometer(at: sample.time) }
      report(.init(sample.time, .barometer, isTooMuch ? .contradicted : .outlier))
    }
    guard barometer.bias != nil else { return }
    barometer.floor.update(
      height: filter.state.position.height, at: sample.time, lastFix: fixes.last, speed: speed,
      settings: settings)
  }

  /// Takes the barometer into use: what is not known of the height is the frame's from now on.
  private mutating func beginBarometer(offset: Double, speed: Double) {
    let settings = self.settings.barometer
    let own = heightVariance
    guard own > 0, own < settings.largestStartSigma * settings.largestStartSigma else { return }
    let height = filter.state.position.height
    barometer.bias = BarometricBias(
      height: height, variance: own,
      shared: filter.covariance[StateBlock.position, StateBlock.gnssPositionBias].z.z,
      gnssPositionBias: filter.state.gnssPositionBias.z,
      fixVariance: filter.covariance[StateBlock.gnssPositionBias, StateBlock.gnssPositionBias].z.z,
      altitude: height + offset, speed: speed, settings: settings)
    barometer.fade = 1
    barometer.test = BarometricStep()
    keepToFrame()
  }

  /// Makes the height known in the barometer's frame, and what it shares with other errors less in
  /// proportion.
  private mutating func keepToFrame() {
    let own = heightVariance
    let noise = barometer.noise(settings.barometer)
    guard own > noise else { return }
    filter.inflate(StateBlock.position, by: Vector3(1, 1, (noise / own).squareRoot()))
  }

  /// Goes on without: the height is no better known than the frame was.
  mutating func releaseBarometer() {
    guard let bias = barometer.bias else { return }
    filter.returnHeight(
      variance: bias.heightVariance, gnssPositionBias: bias.gnssPositionBias,
      fixVariance: max(0, bias.covariance.z.z),
      shared: bias.covariance.z.x - bias.sensitivity * bias.covariance.z.y)
    barometer.bias = nil
    barometer.floor = FloorCounter()
  }

  private mutating func distrustBarometer(at time: Timestamp) {
    releaseBarometer()
    barometer.watch.leave(at: time, settings.barometer)
  }

  private mutating func raise(by metres: Double) {
    guard metres != 0 else { return }
    var place = filter.state.position
    place.height += metres
    filter.hold(at: place)
  }

  // MARK: Fixes

  /// Lets the height of a fix that lies `distance` below correct the frame; whether it did, and the filter
  /// does without it.
  mutating func correctBarometer(_ distance: Double, white: Double, by fix: GNSSFix) -> Bool {
    // A copy only where there is one.
    guard barometer.bias != nil, var bias = barometer.bias else { return false }
    guard barometer.isHeard(at: fix.time, settings.barometer) else {
      releaseBarometer()
      return false
    }
    let lasting = receiver.correlatedVariance(fix).z
    let spread = bias.heightVariance + white + lasting
    if barometer.watch.note(fix: distance * distance / spread, at: fix.time, settings.barometer) {
      filter.inflate(StateBlock.position, variances: Vector3(0, 0, distance * distance))
      distrustBarometer(at: fix.time)
      return false
    }
    let move = bias.take(
      distance: distance, fade: barometer.fade, white: white, lasting: lasting,
      degreesOfFreedom: settings.fixes.positionDegreesOfFreedom, settings: settings.barometer)
    barometer.fade = 1
    barometer.bias = bias
    raise(by: move)
    return true
  }

  /// The place was taken anew; the height stays the barometer's.
  mutating func keepBarometricHeight(_ height: Double) {
    guard barometer.bias != nil else { return }
    raise(by: height - filter.state.position.height)
    keepToFrame()
  }
}
