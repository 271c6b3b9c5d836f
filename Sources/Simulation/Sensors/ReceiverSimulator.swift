import CLibrary
import Navigation

/// The satellite receiver: it works in ticks of at most 50 ms and gives out a fix every few of them.
struct ReceiverSimulator {
  private let model: ReceiverModel
  private var track: TruthTrack
  private var noise: RandomSource
  private var events: RandomSource
  private var timing: RandomSource
  private var errors: PositionErrorSimulator
  private var stated: GaussMarkov
  private let tick: Double

  private var error = Vector3.zero
  private var velocity = Vector3.zero
  private var distance = 0.0
  private var course: (north: Double, east: Double)?
  private var outageLeft = 0.0
  private var wasCovered = true
  private var coveredFor = 0.0
  private var extrapolationTime = 0.0
  private var latest: GNSSFix?
  private var latestVelocity = Vector3.zero
  private var lastArrival = Timestamp(nanoseconds: .min)

  init(_ model: ReceiverModel, track: TruthTrack, seed: UInt64) {
    self.model = model
    self.track = track
    noise = RandomSource(seed: seed, stream: "receiver.noise")
    events = RandomSource(seed: seed, stream: "receiver.events")
    timing = RandomSource(seed: seed, stream: "receiver.timing")
    errors = PositionErrorSimulator(seed: seed)
    stated = GaussMarkov(&noise)
    tick = 1 / (model.rate * (20 / model.rate).rounded(.up))
  }

  mutating func run() -> [GNSSFix] {
    let ticksPerFix = Int((1 / (model.rate * tick)).rounded())
    let lag = Timestamp(seconds: model.validityLag).nanoseconds
    var fixes: [GNSSFix] = []
    for (i, time) in Simulator.times(rate: 1 / tick, duration: track.duration).enumerated() {
      let truth = Timestamp(nanoseconds: max(0, time.nanoseconds - lag))
      let fix = advance(to: track.state(at: truth), stated: time, isFirst: i == 0)
      if i % ticksPerFix == 0, let fix { fixes.append(arriving(fix)) }
    }
    return fixes
  }

  /// One tick; the fix that would be given out now, nil where there is none.
  private mutating func advance(to state: VehicleState, stated time: Timestamp, isFirst: Bool) -> GNSSFix? {
    let reception = model.reception(in: state.environment)
    let driven = state.distance - distance
    distance = state.distance
    let trueVelocity = state.velocityNED(at: model.antenna)
    let target = errors.advance(distance: driven, seconds: tick, reception)
    error = isFirst ? target : smoothed(error, target, model.positionSmoothing)
    velocity = isFirst ? trueVelocity : smoothed(velocity, trueVelocity, model.velocitySmoothing)
    stated.advance(by: driven / PositionErrorSimulator.referenceSpeed, correlation: 10, &noise)
    let fix = measured(state, reception, time)
    if !reception.hasSignal { return covered(time) }
    // It takes 1 s to 4 s to find the satellites again [chosen].
    if wasCovered, !isFirst { outageLeft = events.uniform(in: 1...4) }
    wasCovered = false
    outageLeft -= tick
    if driven > 0, events.uniform() < reception.outagesPerMinute / 60 * tick {
      outageLeft = max(outageLeft, events.logNormal(median: 8, logSigma: 1))
    }
    if outageLeft > 0 { return nil }
    latest = fix
    latestVelocity = fix.velocityNED ?? velocity
    return fix
  }

  private func smoothed(_ value: Vector3, _ target: Vector3, _ seconds: Double) -> Vector3 {
    seconds > 0 ? value + (target - value) * (1 - exp(-tick / seconds)) : target
  }

  private mutating func measured(
    _ state: VehicleState, _ reception: ReceptionModel, _ time: Timestamp
  ) -> GNSSFix {
    let sigmas = Vector3(reception.horizontalSigma, reception.horizontalSigma, reception.verticalSigma)
    let white =
      Vector3(noise.normal(), noise.normal(), noise.normal()) * reception.whiteNoiseRatio.squareRoot()
    let position = state.position(at: model.antenna).moved(byNED: error + white.scaled(by: sigmas))
    var fix = GNSSFix(time: time, position: position)
    fix.positionSigma = statedSigma(reception)
    let measuredVelocity = velocity + velocityError(reception, speed: abs(state.speed))
    if model.hasVelocity {
      fix.velocityNED = withFrozenCourse(measuredVelocity)
      fix.speedSigma = statedVelocitySigma(reception)
    }
    return fix
  }

  private func statedSigma(_ reception: ReceptionModel) -> Vector3? {
    let ratio = reception.verticalSigma / max(reception.horizontalSigma, 1e-9)
    switch model.statedAccuracy {
    case .none: return nil
    case .honest:
      return Vector3(reception.horizontalSigma, reception.horizontalSigma, reception.verticalSigma)
    case .optimistic:
      let sigma = reception.statedSigma * exp(0.15 * stated.value)
      return Vector3(sigma, sigma, sigma * ratio)
    }
  }

  private func statedVelocitySigma(_ reception: ReceptionModel) -> Double? {
    switch model.statedAccuracy {
    case .none: nil
    case .honest: reception.velocitySigma
    case .optimistic: 0.05 + 0.2 * reception.velocitySigma
    }
  }

  /// Reflections disturb the Doppler shift only while the car moves: at rest the error is that of open sky.
  private mutating func velocityError(_ reception: ReceptionModel, speed: Double) -> Vector3 {
    let atRest = min(reception.velocitySigma, ReceptionModel.usual(in: .open).velocitySigma)
    let sigma =
      model.uniform != nil
      ? reception.velocitySigma : atRest + (reception.velocitySigma - atRest) * min(1, speed / 3)
    guard reception.velocityIsHeavyTailed else {
      return Vector3(noise.normal(), noise.normal(), noise.normal()) * sigma
    }
    // Student's t with 4 degrees of freedom has variance 2.
    let scale = sigma * 0.5.squareRoot()
    return Vector3(
      noise.studentT(degrees: 4), noise.studentT(degrees: 4), noise.studentT(degrees: 4)) * scale
  }

  private mutating func withFrozenCourse(_ v: Vector3) -> Vector3 {
    let speed = v.horizontalNorm
    guard speed > 0 else { return v }
    if velocity.horizontalNorm >= model.courseFreezeSpeed || course == nil {
      course = (v.x / speed, v.y / speed)
      return v
    }
    guard let course else { return v }
    return Vector3(speed * course.north, speed * course.east, v.z)
  }

  /// Under a roof: the last fix carried on for a while, then nothing.
  private mutating func covered(_ time: Timestamp) -> GNSSFix? {
    if !wasCovered {
      coveredFor = 0
      extrapolationTime = model.extrapolates && outageLeft <= 0 ? events.uniform(in: 2...10) : 0
    }
    wasCovered = true
    coveredFor += tick
    guard coveredFor <= extrapolationTime, let latest else { return nil }
    var fix = latest
    let seconds = time.seconds(since: latest.time)
    fix.time = time
    fix.position = latest.position.moved(byNED: latestVelocity * seconds)
    fix.positionSigma = latest.positionSigma.map { $0 * (1 + 0.1 * seconds) }
    return fix
  }

  private mutating func arriving(_ fix: GNSSFix) -> GNSSFix {
    var fix = fix
    let delay = model.delay + model.delayJitter * timing.uniform()
    var arrival = fix.time.advanced(bySeconds: delay)
    if arrival <= lastArrival { arrival = lastArrival.advanced(bySeconds: 1e-3) }
    lastArrival = arrival
    fix.received = delay > 0 ? arrival : nil
    return fix
  }
}
