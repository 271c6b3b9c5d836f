import LinearAlgebra
import Navigation

// A saved state is a hypothesis, not a fact. It navigates at once, and beside it the bank of a cold start
// runs on the same fixes: whichever explains them better goes on, the saved one with a head start.
extension FusionState {
  var isOnTrial: Bool { warm?.report.stage == .trial }
  var isWaitingForRest: Bool { warm?.report.stage == .waiting }

  /// The saved state while its place is believed in.
  var savedHere: SavedState? {
    guard let warm, isOnTrial, !warm.hasTriedCourse, !settings.disabled.contains(.learnedNoise) else {
      return nil
    }
    return warm.saved
  }

  /// What became of the saved state; nil where there was none.
  var warmStartReport: WarmStartReport? {
    guard let warm else { return nil }
    var report = warm.report
    report.usesMounting = isNavigating && navigator.mounting.isRecalled
    report.usesBiases =
      isNavigating && (report.stage == .trial || report.stage == .confirmed || warm.isIMUKnown)
    return report
  }

  /// Compares the IMU with the saved state, once it has been steady, and starts from it
  /// where nothing was moved.
  mutating func considerSavedState(at time: Timestamp) {
    guard var w = warm, w.report.stage == .waiting else { return }
    let first = w.firstInertial ?? time
    w.firstInertial = first
    warm = w
    if w.isGoingOn { return begin(rest: nil, at: time) }
    let isMoving = isSeenMoving(at: time)
    let rate = stillness.meanRate - w.saved.calibration.gyroBias.value
    let isResting =
      !isMoving && stillness.steadyFor >= WarmStart.restTime && rate.norm < WarmStart.turning
    guard isResting || isMoving || time.seconds(since: first) >= WarmStart.patience else { return }
    guard isResting, let means = stillness.steadyMeans else {
      if w.saved.isStandingStill, !isMoving { return begin(rest: nil, at: time) }
      return watch(w)
    }
    switch w.contradiction(rate: means.rate, force: means.force) {
    case nil:
      knowIMU()
      if w.saved.isStandingStill {
        begin(rest: means, at: time)
      } else if let w = warm {
        watch(w)
      }
    case .tilted(let angle):
      w.note(.tilted(byRadians: angle))
      warm = w
      knowIMU()
      if let w = warm { watch(w) }
    case let other?:
      // An even turn looks like another gyroscope, but not for long.
      guard stillness.steadyFor >= WarmStart.longRestTime else {
        if time.seconds(since: first) >= WarmStart.patience { watch(w) }
        return
      }
      w.note(other)
      w.isIMUOther = true
      w.report.stage = .cold
      warm = w
      bank?.forgetCar()
    }
  }

  /// The IMU is the one that was saved: the directions begin anew with its biases.
  private mutating func knowIMU() {
    warm?.isIMUKnown = true
    bank?.forgetDirections()
  }

  /// A car that the wheels or the fixes show to drive is not where it was left.
  private func isSeenMoving(at time: Timestamp) -> Bool {
    if let wheel = lastWheel, time.seconds(since: wheel.time) < 1, abs(wheel.speed) > 0.5 { return true }
    guard let bank else { return false }
    let filter = bank.winner.filter
    let p = filter.covariance[StateBlock.velocity, StateBlock.velocity]
    return filter.state.velocity.horizontalNorm > max(1.5, 5 * max(p.x.x, p.y.y).squareRoot())
  }

  private mutating func watch(_ w: WarmStart) {
    warm = w
    warm?.report.stage = .watching
    headByMotion()
  }

  private mutating func begin(rest: (rate: Vector3, force: Vector3)?, at time: Timestamp) {
    guard let w = warm else { return }
    warm?.report.stage = .trial
    warm?.lead = 0
    // What it says of the newest fix is in its evidence, if nothing else comes of it.
    _ = bank?.judge()
    let here = Navigator<Recorder>(w, rest: rest, receiver: newReceiver(), time: time, settings: settings)
    // Fixes may have come before the IMU was compared.
    if let bank, let distance = here.distance(to: bank.winner) {
      warm?.note(.carMoved(byMetres: distance))
      if let w = warm { watch(w) }
      return
    }
    // Those who explain the same fixes are to be compared: they believe the same of the receiver.
    if let saved = savedHere { bank?.recallReceiver(saved) }
    navigator = here
    navigator.witness.logLikelihood = bank?.evidence ?? 0
    transition(to: .navigating, keepsBank: true, reason: .headingFound)
    warm?.margin = WarmStart.headingMargin
  }

  /// Once the car drives, its direction of motion is the heading, by the saved mounting.
  mutating func headByMotion() {
    guard let w = warm, w.report.stage == .watching, !w.hasTriedCourse, !isNavigating, !isOdometry,
      lastInertial != nil, let bank, !bank.isJudgementOpen, let known = bank.winner.heading(byMotion: w)
    else { return }
    warm?.hasTriedCourse = true
    warm?.lead = 0
    navigator = known
    navigator.witness.logLikelihood = bank.evidence
    transition(to: .navigating, keepsBank: true, reason: .headingFound)
    warm?.margin = WarmStart.courseMargin
    warm?.near = WarmStart.fixesToDecide
    warm?.report.stage = .trial
  }

  /// Takes a fix while the saved state is on trial.
  mutating func processOnTrial(_ fix: GNSSFix, report: (MeasurementVerdict) -> Void) {
    guard var w = warm else { return }
    if w.near < WarmStart.fixesToDecide, let distance = navigator.distance(contradictedBy: fix) {
      w.near = 0
      w.far += 1
      warm = w
      report(.init(fix.time, .gnssPosition, .outlier))
      bank?.take(fix)
      if bank?.judge() == nil || bank?.isDoubtful == true { replaceBank(with: newBank(fix)) }
      guard w.far >= WarmStart.fixesToDecide || distance > 10 * WarmStart.noReflection else { return }
      lose(to: .carMoved(byMetres: distance), at: fix)
      return
    }
    w.near += 1
    w.far = 0
    warm = w
    warm?.lead = navigator.witness.logLikelihood - (bank?.evidence ?? 0)
    navigator.update(fix, report: report)
    guard navigator.isSound else {
      replaceBank(with: newBank(fix))
      lose(to: .headingContradicted, at: fix)
      return
    }
    if bank == nil { return beginBank(with: fix) }
    seek(with: fix)
  }

  /// Compares the saved state with the cold start beside it, once both have taken the fix.
  mutating func concludeTrial(_ fix: GNSSFix) {
    guard let bank, let w = warm else { return }
    if bank.isDoubtful { return beginBank(with: fix) }
    // Of a car at rest fixes tell no heading: which of them follows the errors of a receiver more
    // closely decides nothing.
    if navigator.rest.isStanding { navigator.witness.logLikelihood = bank.evidence + w.lead }
    judge(fix)
  }

  private mutating func beginBank(with fix: GNSSFix) {
    replaceBank(with: newBank(fix))
    navigator.witness.logLikelihood = 0
  }

  private mutating func judge(_ fix: GNSSFix) {
    guard let bank, let w = warm else { return }
    let isKnown = bank.isOriented && bank.yawSigma < settings.start.alignmentSigma
    let off = (bank.winner.filter.state.navFromBody * navigator.filter.state.navFromBody.inverse)
      .rotationVector
    // Where a cold start would be sure by now, the saved heading has had most of its head start.
    let isOpposed = isKnown && abs(off.z) > 2 * settings.start.alignmentSigma
    if bank.evidence > navigator.witness.logLikelihood + (isOpposed ? WarmStart.opposedMargin : w.margin) {
      lose(to: .headingContradicted, at: fix)
      return
    }
    let isOverdue =
      fix.time.seconds(since: bank.start) > settings.challenge.longest
      && navigator.filter.state.velocity.horizontalNorm > WarmStart.courseSpeed
    guard isKnown && abs(off.z) < 2 * settings.start.alignmentSigma || isOverdue else { return }
    warm?.report.stage = .confirmed
    replaceBank(with: nil)
  }

  /// The cold start goes on instead, from where it has come to.
  private mutating func lose(to contradiction: WarmStartReport.Contradiction, at fix: GNSSFix) {
    warm?.note(contradiction)
    transition(to: .aligning, keepsBank: true, reason: .refuted)
    // A heading from the direction of motion that was wrong means that the mounting is another.
    let isOver = warm?.hasTriedCourse == true
    warm?.report.stage = isOver ? .cold : .watching
    // At another place nothing is known of the receiver's errors.
    if case .carMoved = contradiction { replaceBank(with: newBank(fix)) }
    startNavigatingIfReady()
    if !isNavigating { headByMotion() }
  }
}
