import LinearAlgebra
import Navigation

/// Finds the heading from motion: navigators that each believe in another direction
/// compete to explain the fixes.
///
/// The acceleration that the IMU feels turns up in the fixes only for the right direction. This needs no
/// assumption on how the IMU is mounted, or whether the car stands or drives, forward or backward, at the
/// start. Until a direction has won, the guard is the solution; the winner goes on as it is.
///
/// What there is to take waits in a queue, and each navigator takes it in order, in its turn: no call has to
/// wait for all eight of them. They are judged by a fix a moment after it, when all have taken it; how their
/// work was spread changes nothing.
struct HeadingFilterBank<Recorder: StepRecorder>: Sendable {
  /// Number of directions, evenly spaced. Eight are near enough for the filter to find its way
  /// from the nearest. [chosen]
  static var count: Int { 8 }
  /// Time after a fix at which the navigators are judged by it, s. [chosen: their work spreads over so long]
  private static var judgementDelay: Double { 0.2 }
  /// Work that one call does at most, in steps of the strapdown.
  /// [measured: 7 µs; it suffices for 100 Hz and five fixes a second]
  private static var share: Int { 14 }
  /// What of it a judgement takes, and a step of the guard. [chosen]
  private static var judgementWork: Int { 3 }
  private static var guardWork: Int { 1 }
  /// Steps that wait at most, before all are taken at once. [chosen]
  private static var mostSteps: Int { 64 }

  /// One navigator a direction; a single one that knows no direction until an IMU has been heard of.
  var navigators: BankNavigators<Recorder>
  /// Whose turn it is to take what waits.
  private var turn = 0
  /// When the fix held that they have yet to be judged by.
  private var unjudged: Timestamp?
  /// Work of this call that was none of theirs.
  private var spent = 0
  /// Log-likelihood of the best one since the bank began.
  var evidence = 0.0
  /// When the bank began.
  let start: Timestamp
  /// When the bank holds, once all have taken what waits.
  private(set) var time: Timestamp
  /// Whether the navigators have directions.
  private(set) var isOriented = false

  /// A bank about a first fix.
  init(
    fix: GNSSFix, receiver: ReceiverModel, settings: FusionConfiguration,
    in memory: consuming BankMemory<Recorder>
  ) {
    navigators = BankNavigators(memory)
    navigators.begin(with: Navigator(fix: fix, receiver: receiver, settings: settings))
    (start, time) = (fix.time, fix.time)
  }

  /// A bank about the position and velocity of a navigator that has lost its attitude.
  init(continuing navigator: Navigator<Recorder>, in memory: consuming BankMemory<Recorder>) {
    navigators = BankNavigators(memory)
    navigators.begin(with: navigator)
    navigators.change(0) {
      $0.forgetCarriage()
      $0.witness.isAsked = true
    }
    (start, time) = (navigator.time, navigator.time)
  }

  /// Memory for a bank, written to where there is something to write.
  static func memory(writing navigator: Navigator<Recorder>? = nil) -> BankMemory<Recorder> {
    BankMemory(navigators: count, steps: mostSteps, writing: navigator)
  }

  // MARK: Changes of all navigators at once

  /// Goes back to no direction, at the likeliest place.
  mutating func forgetDirections() {
    begin()
    isOriented = false
  }

  /// Gives the navigators their directions, each in its turn.
  mutating func orient(_ level: BankOrientation.Level) {
    begin()
    navigators.notes.orientation = BankOrientation(level: level, spacing: 2 * .pi / Double(Self.count))
    navigators.stand(for: Self.count)
    isOriented = true
    append(.orient)
    // The first one is what all others are made of.
    turn = 1
  }

  /// Begins anew with the likeliest alone.
  private mutating func begin() {
    finish()
    navigators.keepOnly(likeliest)
    turn = 0
    unjudged = nil
  }

  /// Forgets what an earlier drive knew of the car.
  mutating func forgetCar() { changeAll { $0.mounting.remembered = nil } }

  /// Takes over what an earlier drive learned of the receiver at this place.
  mutating func recallReceiver(_ saved: SavedState) { changeAll { $0.receiver.recall(saved) } }

  /// Goes on from where fixes were late by `seconds` to where they are not any more.
  mutating func advance(by seconds: Double) { changeAll { $0.advance(by: seconds) } }

  private mutating func changeAll(_ change: (inout Navigator<Recorder>) -> Void) {
    finish()
    for i in 0..<navigators.count { navigators.change(i, change) }
  }

  // MARK: What the navigators take in

  /// Takes up how much shaking the IMU cannot follow.
  mutating func shake(_ noise: AliasedNoise, down: Vector3) {
    let (gyro, accel) = noise.densities(down: down)
    spent += Self.guardWork
    append(.shake(gyro: gyro, accel: accel))
  }

  mutating func propagate(to end: Timestamp, from a: InertialSample, to b: InertialSample) {
    guard isOriented else { return coast(to: end) }
    append(.propagate(to: end, from: a, towards: b))
    time = end
  }

  mutating func bridge(
    to end: Timestamp, from a: InertialSample, to b: InertialSample,
    noise: (attitude: Vector3, velocity: Vector3)
  ) {
    guard isOriented else { return coast(to: end) }
    changeAll { $0.bridge(to: end, from: a, to: b, noise: noise) }
    time = end
  }

  mutating func coast(to end: Timestamp) {
    append(.coast(to: end))
    time = end
  }

  mutating func watchStandstill(_ sample: InertialSample) {
    if isOriented { append(.watchStandstill(sample)) }
  }

  /// Lets the navigators see whether the wheels turn: it shows a standstill.
  mutating func note(_ wheel: WheelSample) { append(.note(wheel)) }

  /// Takes a fix; ``judge()`` is due when ``isJudgementDue(at:)`` says so.
  ///
  /// - Parameter lag: of the receiver's velocity, where it is clear.
  mutating func take(_ fix: GNSSFix, lag: KnownLag? = nil) {
    navigators.notes.newestFix = fix
    unjudged = fix.time
    append(.fix(fix, lag: lag))
  }

  /// Takes a speed of the wheels, and judges by it.
  mutating func update(_ wheel: WheelSample) {
    append(.wheel(wheel))
    finish()
    settle()
  }

  private mutating func append(_ step: BankStep) {
    navigators.steps.append(step)
    if !isOriented || navigators.steps.count >= Self.mostSteps { finish() }
  }

  // MARK: Work

  /// Lets the navigators take what waits, one after the other, as much as one call should.
  ///
  /// What is too much for what is left of the call waits for the next one, and another
  /// navigator takes what is less.
  @inline(never) mutating func work() {
    var left = Self.share - spent
    spent = 0
    var (idle, isAnyWaiting) = (0, false)
    while idle < navigators.count {
      let taken = navigators.standings[turn].taken
      let isWaiting = taken < navigators.steps.count
      let work = isWaiting ? navigators.steps[taken].work + navigators.workToChange(turn) : 0
      if isWaiting, work <= left {
        left -= work + takeNext(turn)
        (idle, isAnyWaiting) = (0, false)
      } else {
        // The directions are given in turn: the first navigator, which the others are made of, is
        // the last to have its own.
        if isWaiting, case .orient = navigators.steps[taken] { return }
        isAnyWaiting = isAnyWaiting || isWaiting
        turn = turn + 1 < navigators.count ? turn + 1 : 0
        idle += 1
      }
    }
    if !isAnyWaiting { forgetSteps() }
  }

  /// Lets them take all that waits, the first one last: others may have yet to be made of it.
  private mutating func finish() {
    for n in 0..<navigators.count {
      let i = n + 1 < navigators.count ? n + 1 : 0
      while navigators.standings[i].taken < navigators.steps.count { _ = takeNext(i) }
    }
    forgetSteps()
  }

  private mutating func forgetSteps() {
    guard !navigators.steps.isEmpty else { return }
    navigators.steps.removeAll(keepingCapacity: true)
    for i in 0..<navigators.count { navigators.standings[i].taken = 0 }
  }

  /// Lets the `i`-th take the next step; returns what work it turned out to be besides.
  private mutating func takeNext(_ i: Int) -> Int {
    let step = navigators.steps[navigators.standings[i].taken]
    navigators.standings[i].taken += 1
    if case .orient = step, let orientation = navigators.notes.orientation {
      navigators.copyFirst(to: i)
      navigators.change(i) { orientation.orient(&$0, as: i) }
      note(i)
      return 0
    }
    guard step.isMeasurement else {
      let isStandstill = navigators.change(i) { $0.take(step) }
      return isStandstill ? BankStep.standstillWork : 0
    }
    let gain = navigators.change(i) {
      $0.witness.logLikelihood = 0
      $0.take(step)
      return $0.witness.logLikelihood
    }
    navigators.standings[i].gain += gain
    note(i)
    return 0
  }

  private mutating func note(_ i: Int) {
    var standing = navigators.standings[i]
    navigators.change(i) {
      standing.yaw = $0.levelYaw
      standing.yawVariance = $0.levelYawVariance
      standing.agreement = $0.witness.agreement
    }
    navigators.standings[i] = standing
  }

  // MARK: Judgement

  /// Whether a fix has been taken that they have not been judged by.
  var isJudgementOpen: Bool { unjudged != nil }

  /// Whether a fix has been taken that the navigators should be judged by at `time`.
  func isJudgementDue(at time: Timestamp) -> Bool {
    guard let unjudged else { return false }
    return !isOriented || time.seconds(since: unjudged) >= Self.judgementDelay - 1e-6
  }

  /// Judges by the fix that has been taken last; returns that, or nil where there is none.
  mutating func judge() -> GNSSFix? {
    guard unjudged != nil else { return nil }
    finish()
    settle()
    spent += Self.judgementWork
    unjudged = nil
    return navigators.notes.newestFix
  }
}
