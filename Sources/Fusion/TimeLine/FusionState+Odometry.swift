import LinearAlgebra
import Navigation

/// The car's own speed and yaw rate: beside an IMU, and in the place of one.
extension FusionState {
  mutating func process(
    _ sample: WheelSample, following: InertialSample?, report: (MeasurementVerdict) -> Void
  ) {
    let wheel = withoutFalseYawRate(sample, report: report)
    defer { lastWheel = wheel }
    firstWheel = firstWheel ?? wheel.time
    let isHeld = heldWheelSpeed.add(wheel) && !settings.disabled.contains(.wheelCheck)
    guard isAlive(wheel), wheelDistance.isTrusted else {
      advance(to: wheel.time, towards: isInertialUsed ? following : nil)
      if !wheelDistance.isTrusted, planar != nil {
        guide(to: wheel.time)
        wheelDistance.add(wheel)
      }
      if planar?.isDriving == true { report(.init(wheel.time, .wheelSpeed, .contradicted)) }
      return
    }
    if let standIn = standIn(for: wheel) {
      if !isOdometry { enterOdometry(at: wheel.time) }
      advance(to: wheel.time, towards: standIn)
      lastInertial = standIn
    } else {
      advance(to: wheel.time, towards: isInertialUsed ? following : nil)
      // Nothing was measured: the wheels are silent.
      if isHeld { return report(.init(wheel.time, .wheelSpeed, .extrapolated)) }
    }
    let growth = growth(since: wheel)
    if planar != nil {
      guide(to: wheel.time)
      wheelDistance.add(wheel)
      // A sensor that the navigator has found stuck is none for the guard.
      let isStuck = isNavigating && !isOdometry && !navigator.wheels.watch.isTrusted
      if !settings.disabled.contains(.wheelSpeed), !isStuck { planar?.update(wheel.grown(by: growth)) }
    }
    if isNavigating {
      navigator.update(wheel, growth: growth, resolution: heldWheelSpeed.resolution, report: report)
    }
    if bank != nil || isOdometry { search(with: wheel) }
  }

  /// By how much the speed has grown since wheels that are late measured it, m/s, forward or backward.
  private mutating func growth(since wheel: WheelSample) -> Double {
    guard isNavigating, !isOdometry, navigator.mounting.isKnown, !settings.disabled.contains(.wheelCheck)
    else {
      return 0
    }
    return wheelSpeedLag.growth(
      since: wheel, sum: navigator.inertial.speedChange, scale: navigator.filter.state.odometerScale)
  }

  /// The sample without a yaw rate that is not the car's, or was never other than zero.
  private mutating func withoutFalseYawRate(
    _ sample: WheelSample, report: (MeasurementVerdict) -> Void
  ) -> WheelSample {
    guard sample.yawRate != nil, !settings.disabled.contains(.wheelCheck) else { return sample }
    yawRateMonitor.add(sample)
    if yawRateMonitor.isTrusted, yawRateMonitor.isAlive { return sample }
    if yawRateMonitor.isRefuted, planar?.isDriving == true {
      report(.init(sample.time, .yawRate, .contradicted))
    }
    var wheel = sample
    wheel.yawRate = nil
    return wheel
  }

  /// Whether a fix makes it certain that the yaw rate is not the car's, where that has carried the solution.
  mutating func isYawRateRefuted(by fix: GNSSFix, positionSigma: Double) -> Bool {
    let wasTrusted = yawRateMonitor.isTrusted
    yawRateMonitor.add(fix, positionSigma: positionSigma)
    return wasTrusted && !yawRateMonitor.isTrusted && isOdometry && !settings.disabled.contains(.wheelCheck)
  }

  /// Begins anew without the car's yaw rate: course and place were carried on by it.
  mutating func leaveYawRate(at fix: GNSSFix) {
    isOdometry = false
    lastInertial = nil
    lastWheel?.yawRate = nil
    planar = nil
    guide(by: fix)
    transition(to: .aligning, bank: newBank(fix), reason: .contradicted)
  }

  /// Whether a fix makes it certain that the wheels are grossly wrong in scale, where they have carried the
  /// solution.
  mutating func areWheelsRefused(by fix: GNSSFix) -> Bool {
    guard !isOdometry, !settings.disabled.contains(.wheelCheck), let errors = planar?.receiver.errors(of: fix)
    else { return false }
    let isRefused = wheelDistance.add(
      fix, variance: errors.horizontal, resolution: heldWheelSpeed.resolution)
    return isRefused && (!isNavigating || navigator.wheels.watch.isTrusted)
  }

  /// Begins anew without the wheels: guard and navigator went as they say.
  mutating func leaveWheels(at fix: GNSSFix) {
    wheelSpeedLag = WheelSpeedLag()
    vibration = WheelVibration()
    planar = nil
    guide(by: fix)
    transition(to: .aligning, bank: newBank(fix), reason: .contradicted)
  }

  /// Whether the wheels have turned since the start. Until then what says that they stand may as well be a
  /// signal that is never decoded: that the car stands show IMU and fixes, and a dead sensor never agrees.
  /// Where speed and yaw rate stand in for an IMU there is nothing else.
  private mutating func isAlive(_ wheel: WheelSample) -> Bool {
    haveWheelsTurned =
      haveWheelsTurned || abs(wheel.speed) > WheelSpeedMonitor.zero || settings.disabled.contains(.wheelCheck)
    return haveWheelsTurned || wheel.yawRate != nil && inertialTime == nil
  }

  /// What a wheel sample says while the heading is sought.
  @inline(never) private mutating func search(with wheel: WheelSample) {
    guard isOdometry else {
      bank?.note(wheel)
      return
    }
    if isNavigating {
      if bank?.isOriented == false { bank?.orient(.odometry) }
      bank?.update(wheel)
    } else {
      match?.advance(wheel)
      if match != nil { past.reckon(wheel) }
    }
  }

  /// With no IMU the heading comes from the fixes' positions alone, whose error is not known at the
  /// start: it takes a baseline.
  mutating func matchTrack(with fix: GNSSFix) {
    guard let bank else { return }
    if match == nil {
      match = TrackMatch(origin: fix.position)
      past.beginTrack()
    }
    match?.add(fix)
    guard let match, let result = match.result, match.travelled > settings.start.odometryBaseline,
      result.headingVariance < settings.start.alignmentSigma * settings.start.alignmentSigma
    else { return }
    navigator = bank.winner.odometry(result, newest: fix)
    let point = navigator.recordedPoint
    navigator.filter.recorder.lay(past, result, point)
    transition(to: .navigating, reason: .headingFound)
  }

  /// The car's own speed and yaw rate take the place of an IMU that has gone, or never came.
  private mutating func enterOdometry(at time: Timestamp) {
    isOdometry = true
    lastInertial = nil
    guard isNavigating else { return }
    if isOnTrial {
      warm?.report.stage = .watching
      replaceBank(with: nil)
    }
    // Up to here the IMU's heading holds, or what there is of it.
    navigator.coast(to: time)
    navigator = navigator.asOdometry
  }

  /// An IMU has come, in a mounting that has yet to be found; position and velocity go on.
  mutating func leaveOdometry() {
    isOdometry = false
    let last = isNavigating ? navigator : bank?.winner
    transition(
      to: last == nil ? .waiting : .aligning,
      bank: last.map { newBank(continuing: $0.withoutIMU(isOdometry: false)) }, reason: .inertialFound)
  }

  /// Rate and force of a level car by its own speed and yaw rate, where no IMU is heard of.
  @inline(__always) private func standIn(for wheel: WheelSample) -> InertialSample? {
    guard let yawRate = wheel.yawRate else { return nil }
    guard let heard = inertialTime ?? firstWheel, wheel.time.seconds(since: heard) > settings.gaps.inertial
    else {
      return nil
    }
    var acceleration = 0.0
    if let last = lastWheel {
      let dt = wheel.time.seconds(since: last.time)
      if dt > 0.01, dt < 1 { acceleration = max(-10, min(10, (wheel.speed - last.speed) / dt)) }
    }
    return InertialSample(
      time: wheel.time, angularRate: Vector3(0, 0, yawRate),
      specificForce: Vector3(acceleration, wheel.speed * yawRate, -9.81))
  }
}
