import LinearAlgebra
import Navigation

/// How far the engine has come.
enum Phase: Sendable {
  /// Nothing is known, or no more than the guard knows, until a fix comes.
  case waiting
  /// The bank looks for the heading.
  case aligning
  /// The heading is known, and the navigator at work.
  case navigating

  /// Why one ends.
  enum Reason {
    /// A heading was found, or recalled.
    case headingFound
    /// Another heading explains the fixes far better than the navigator's, or than a saved one.
    case outvoted, refuted
    /// What is known was made of what was wrong, or is not a number.
    case contradicted
    /// Rate and force were not heard for long, or have led astray.
    case attitudeLost
    case inertialFound, inertialBroken
    /// Nothing was heard for so long that not even the place is known.
    case silence
  }
}

extension FusionState {
  /// Whether the heading is known, and the navigator at work.
  @inline(__always) var isNavigating: Bool { phase == .navigating }

  /// Goes to another phase, and gives up what does not outlast it.
  ///
  /// - Parameters:
  ///   - bank: what looks for a heading from now on.
  ///   - keepsBank: whether that is what has looked for it so far.
  mutating func transition(
    to next: Phase, bank: HeadingFilterBank<Recorder>? = nil, keepsBank: Bool = false, reason: Phase.Reason
  ) {
    switch reason {
    case .outvoted, .refuted, .contradicted, .inertialBroken, .silence: keepHistory()
    case .headingFound, .attitudeLost, .inertialFound: break
    }
    switch reason {
    case .attitudeLost, .inertialFound, .inertialBroken, .silence:
      lastInertial = nil
      stillness = StillnessDetector()
      if isOnTrial, reason != .inertialFound { warm?.report.stage = .watching }
    case .headingFound, .outvoted, .refuted, .contradicted: break
    }
    switch reason {
    case .outvoted, .contradicted, .inertialBroken: recoveries += 1
    case .headingFound, .refuted, .attitudeLost, .inertialFound, .silence: break
    }
    phase = next
    if !keepsBank { replaceBank(with: bank) }
    match = nil
    vibration.interrupt()
  }

  /// A bank about a first fix.
  ///
  /// - Parameter known: what is believed of the receiver; nil for what is at a start.
  mutating func newBank(_ fix: GNSSFix, receiver known: ReceiverModel? = nil) -> HeadingFilterBank<Recorder> {
    var receiver = known ?? newReceiver()
    _ = receiver.correlation(at: fix.time, speed: 0)
    return HeadingFilterBank(fix: fix, receiver: receiver, settings: settings, in: bankMemory.take())
  }

  /// A bank about the position and velocity of a navigator that has lost its attitude.
  mutating func newBank(continuing navigator: Navigator<Recorder>) -> HeadingFilterBank<Recorder> {
    HeadingFilterBank(continuing: navigator, in: bankMemory.take())
  }

  /// Lets another bank look for the heading, or none; the memory of the one so far is free for others.
  mutating func replaceBank(with next: HeadingFilterBank<Recorder>?) {
    if let memory = bank?.navigators.takeMemory() { bankMemory.put(back: memory) }
    bank = next
    (soughtFor, lastSought) = (0, nil)
  }

  /// Lets the bank, which a copy of this state has as well, write to other memory.
  mutating func separateBank() {
    if bank != nil { bank?.navigators.share(using: bankMemory.take()) }
  }

  func newReceiver() -> ReceiverModel {
    var receiver = ReceiverModel()
    receiver.parameters.hasLastingError = !settings.disabled.contains(.lastingError)
    if let saved = savedHere { receiver.recall(saved) }
    return receiver
  }

  /// Gives other headings a chance where the fixes contradict the navigator: a bank starts beside
  /// it, on the same samples, and takes over if it explains the same fixes better. (The IMU was
  /// moved, or the start was wrong.)
  mutating func challenge(by fix: GNSSFix) {
    // Fixes of another place say nothing of the heading, nor those of a receiver that goes as was not felt.
    // Beside a proven mounting places alone are no reason: others explain no more than how they wander.
    if navigator.isCarried || navigator.hypotheses.isContested || navigator.fixes.areAstray
      || navigator.isMountingProven && fix.velocityNED == nil
    {
      replaceBank(with: nil)
      return
    }
    guard bank != nil else {
      guard navigator.isDoubtful else { return }
      navigator.witness.logLikelihood = 0
      // Who believes other noise finds other odds for the same fixes.
      replaceBank(with: newBank(fix, receiver: navigator.receiver))
      return
    }
    seek(with: fix)
  }

  /// For how long a bank's first place may turn out to be wrong, s.
  /// [chosen: some fixes of a slow receiver; what a bank knows by then is no heading yet]
  private static var firstPlaceMemory: Double { 20 }

  /// Whether this fix has moved the guard from a bank's first place: what the bank has made of the leap is
  /// wrong, down to its tilt.
  func isFirstPlaceWrong(by fix: GNSSFix) -> Bool {
    guard let bank, planar?.movedAt == fix.time else { return false }
    return fix.time.seconds(since: bank.start) < Self.firstPlaceMemory
  }

  /// Gives the bank a fix; what it says of it may take a moment.
  mutating func seek(with fix: GNSSFix, lag: KnownLag? = nil) {
    bank?.take(fix, lag: lag)
    if isOdometry || bank?.isJudgementDue(at: fix.time) == true { concludeFix() }
  }

  /// Driving after which a bank that has no heading is given up, s.
  /// [measured by `reckon stress`: 95 % of all headings are known after 54 s of driving]
  private static var longestSearch: Double { 120 }

  /// Whether the bank has sought in vain for so long that it never will find: all its navigators may have
  /// taken a wrong tilt or bias from what came first.
  private mutating func isSearchInVain(at fix: GNSSFix) -> Bool {
    let elapsed = DwellTimer.counted(lastSought.map { fix.time.seconds(since: $0) } ?? 0)
    lastSought = fix.time
    if let planar, planar.velocity.horizontalNorm > 3 { soughtFor += elapsed }
    return soughtFor > Self.longestSearch
  }

  /// Draws the conclusions from the newest fix that the bank has taken, if that has not been done.
  @inline(never) mutating func concludeFix() {
    guard let fix = bank?.judge() else { return }
    if isNavigating, isOnTrial {
      concludeTrial(fix)
    } else if isNavigating {
      decideChallenge(by: fix)
    } else {
      if bank?.isDoubtful == true || isSearchInVain(at: fix) {
        keepHistory()
        // Nothing that was known may stand in the way.
        restingRate = RestingRate()
        replaceBank(with: newBank(fix))
      }
      if isOdometry { matchTrack(with: fix) } else { startNavigatingIfReady() }
      headByMotion()
    }
  }

  /// Apart, because it copies the bank.
  @inline(never) private mutating func decideChallenge(by fix: GNSSFix) {
    guard let bank else { return }
    let isKnown = bank.isOriented && bank.yawSigma < settings.start.alignmentSigma
    // Who moves as the guard does goes right: those who explain the fixes better follow them astray.
    if isKnown, !navigator.witness.movesAsGuard,
      bank.evidence > navigator.witness.logLikelihood + settings.challenge.winningMargin
    {
      transition(to: .navigating, reason: .outvoted)
      navigator = bank.winner
    } else if fix.time.seconds(since: bank.start) > settings.challenge.longest {
      replaceBank(with: nil)
    }
  }

  /// Once the mean force over a fifth of a second is known, down is: the directions can be tried.
  mutating func orientBank() {
    guard let bank, !bank.isOriented else { return }
    guard let force = stillness.steadyMeans?.force, force.norm > 5, force.norm < 15 else { return }
    let tilt = stillness.steadyFor >= 0.5 ? settings.start.tiltSigmaSteady : settings.start.tiltSigmaMoving
    // Before it changes: what is looked at meanwhile is copied.
    let gyroBias = restingRate.bias(at: bank.time)
    self.bank?.orient(.force(force, tiltSigma: tilt, recalling: warm, gyroBias: gyroBias))
  }

  mutating func startNavigatingIfReady() {
    guard let bank, bank.yawSigma < settings.start.alignmentSigma else { return }
    let winner = bank.winner
    // The likeliest of eight may be all wrong; who moves otherwise than the guard claims nothing.
    if let motion = planar?.motion, SolutionSeparation.parts(winner, motion) { return }
    navigator = winner
    navigator.hypotheses.limitSupport()
    transition(to: .navigating, reason: .headingFound)
    if warm != nil { warm?.report.stage = .cold }
  }

  /// Drops what was recorded before `time` and is not needed to go back to it.
  mutating func forgetHistory(before time: Timestamp) {
    past.forget(before: time)
    if isNavigating { navigator.filter.recorder.forget(before: time) }
  }

  /// Keeps what was recorded of the navigator in use, which is about to be given up.
  mutating func keepHistory() {
    if let recorder = isNavigating ? navigator.filter.recorder : bank?.winner.filter.recorder {
      past.keep(recorder)
    }
  }
}
