import CLibrary
import LinearAlgebra
import Navigation

/// Finds an IMU that is broken: an axis has died (``FrozenAxis``), its gravity is none, it turns otherwise
/// than the fixes do, or it leads a filter away from them again and again.
///
/// Gravity and turns need no heading, no mounting and no filter, so that a filter led astray cannot talk
/// them round: the angle turned about the mean specific force between two fixes is compared with the change
/// of their course. Only gross contradictions count, only where positions and velocities of the fixes bear
/// each other out, and only when they come again: a receiver between towers errs too. Fixes that drift part
/// from a filter once, however long they do, and not at all where they are in doubt themselves; a broken IMU
/// leads it away again. A turn that both see alike clears the IMU; one that was found broken before, later
/// each time.
package struct IMUIntegrityMonitor: Sendable {
  /// Whether the samples can be used.
  package private(set) var isTrusted = true

  /// Marks in a window: long enough for a turn, short enough for a bias. [chosen]
  private static let markCount = 9, leastMarks = 5
  /// An angle that no sound gyroscope is off by in a window, rad: 8 s of 3 deg/s, and what banking and
  /// slipping add. [chosen: no sound IMU was left out on 56 drives]
  private static let grossAngle = 0.6
  /// Least angle of a turn that clears, rad. [chosen]
  private static let clearTurn = 0.7
  /// Part of the way that positions and velocities may differ by. [chosen]
  private static let consistency = 0.25
  /// Longest lag of a receiver's velocity where none is known, s. [chosen]
  private static let longestLag = 1.0
  /// Contradictions in a row that make it certain, and turns in a row that clear. [chosen]
  private static let certain = 3, cleared = 2
  /// A contradiction goes out of date, s. [chosen]
  private static let memory = 300.0
  /// Mean specific force over a second, m/s²: gravity, with any braking; and over `forceTime` seconds,
  /// with the longest. [chosen]
  private static let anyForce = 5.0...16.0, forceRange = 7.5...12.5, forceTime = 10
  /// What a sound filter's velocity is off by from a fix, m/s and as a part of the speed, besides the
  /// receiver's lag. [chosen: no sound IMU was left out on 56 drives]
  private static let grossVelocity = 1.5, grossShare = 0.1
  /// Marks of a window that are off so far for it to contradict. [chosen]
  private static let offMarks = 5
  /// An IMU found broken is left out for at least this long, s, twice as long each time, up to the longest.
  /// [chosen]
  private static let firstExclusion = 30.0, longestExclusion = 960.0

  /// A fix once a second, and what the IMU did since the one before.
  private struct Mark {
    var time = Timestamp(nanoseconds: 0)
    var position = GeodeticPosition(latitude: 0, longitude: 0, height: 0)
    var velocity = Vector3.zero
    /// Angles turned since the mark before, rad: by the velocities, and by the IMU.
    var course = 0.0, turned = 0.0
    /// How far the filter's velocity was off, m/s.
    var off = 0.0
  }

  /// The fix looked at last: one a second is.
  private var last: FixMotion.Place?
  private var marks = InlineArray<9, Mark>(repeating: Mark())
  private var count = 0
  /// Most that the velocity of the newest fix lags by, s.
  private var mostLag = longestLag
  private var contradictions = 0, agreements = 0
  /// Whether the filter has been elsewhere than the fixes since that last contradicted the IMU.
  private var isParted = false
  private var lastContradiction = Timestamp(nanoseconds: .min / 2)
  // Since the last mark.
  private var rotation = Vector3.zero, impulse = Vector3.zero
  private var lastSample: Timestamp?
  private var exclusionTime = firstExclusion, excludedUntil = Timestamp(nanoseconds: .min / 2)
  // Over a second, and over `forceTime` seconds of such.
  private var forceSum = Vector3.zero, forceFor = 0.0, longSum = Vector3.zero, seconds = 0,
    isForceSound = true
  private var frozen = FrozenAxis()

  package init() {}

  /// Takes a sample of the IMU.
  @inline(__always) package mutating func add(_ sample: InertialSample) {
    defer { lastSample = sample.time }
    guard let lastSample else { return }
    let dt = sample.time.seconds(since: lastSample)
    guard dt > 0, dt < 0.5 else {
      forget()
      return
    }
    rotation += sample.angularRate * dt
    impulse += sample.specificForce * dt
    forceSum += sample.specificForce * dt
    forceFor += dt
    frozen.add(sample)
    if forceFor >= 1 {
      watchAxes(until: sample.time)
      weigh()
    }
  }

  private mutating func watchAxes(until time: Timestamp) {
    let wasFound = frozen.isFound
    let isDriven = last.map { $0.isDriven && FixMotion.isWithin(time, of: $0.time) } ?? false
    frozen.endWindow(forceFor, isDriven: isDriven)
    if frozen.isFound {
      isTrusted = false
    } else if wasFound {
      isTrusted = isForceSound && contradictions < Self.certain
    }
  }

  private mutating func weigh() {
    let mean = forceSum * (1 / forceFor)
    forceSum = .zero
    forceFor = 0
    longSum += mean
    seconds += 1
    if !Self.anyForce.contains(mean.norm) {
      distrustForce()
    } else if seconds == Self.forceTime {
      if Self.forceRange.contains(longSum.norm / Double(seconds)) {
        isForceSound = true
        if contradictions < Self.certain, !frozen.isFound { isTrusted = true }
      } else {
        distrustForce()
      }
    }
    if seconds == Self.forceTime || !isForceSound && !Self.anyForce.contains(mean.norm) {
      longSum = .zero
      seconds = 0
    }
  }

  /// Takes it that the filter has come to a speed that no car has, with no fix to tell.
  mutating func flagOverspeed() { distrustForce() }

  /// Takes it that the IMU turns as neither a car nor a hand does.
  mutating func convict(at time: Timestamp) {
    contradictions = Self.certain - 1
    lastContradiction = time
    contradict(at: time)
  }

  private mutating func distrustForce() {
    isForceSound = false
    isTrusted = false
  }

  /// Takes a fix that holds at about the time of the last sample.
  ///
  /// - Parameters:
  ///   - isDoubtful: whether it is known rather to be wrong itself: then it says nothing of the IMU.
  ///   - velocityNED: the filter's own, where there is one.
  ///   - positionSigma: of what changes from fix to fix, per axis, m.
  ///   - rateBias: what is known of the gyroscope's bias about gravity, rad/s: that contradicts nothing.
  ///   - biasAcross: and across it, in body axes, rad/s.
  ///   - lag: most that the fix's velocity lags by, as far as is known, s.
  package mutating func add(
    _ fix: GNSSFix, isDoubtful: Bool = false, velocityNED: Vector3?, positionSigma: Double,
    rateBias: Double = 0, biasAcross: Vector3 = .zero, lag: Double = 0
  ) {
    mostLag = max(lag, Self.longestLag)
    if let before = last, !FixMotion.isDue(fix, after: before) { return }
    let before = last.flatMap { FixMotion.isWithin(fix.time, of: $0.time) ? $0 : nil }
    let velocity = FixMotion.velocity(of: fix, from: before, positionSigma: positionSigma)
    last = FixMotion.Place(fix)
    last?.isDriven = (velocity?.horizontalNorm ?? 0) > FixMotion.leastSpeed
    guard !isDoubtful, let velocity, let before, velocity.horizontalNorm > FixMotion.leastSpeed,
      impulse != .zero
    else {
      forget()
      return
    }
    var mark = Mark(time: fix.time, position: fix.position, velocity: velocity)
    guard
      count == 0
        || FixMotion.isDriven(marks[count - 1].velocity, at: marks[count - 1].time, velocity, at: fix.time)
    else {
      forget()
      return
    }
    // Down is against the mean force; what a car's acceleration tilts it by costs a few percent of the angle.
    let elapsed = fix.time.seconds(since: before.time)
    mark.turned = -(rotation - biasAcross * elapsed).dot(impulse) / impulse.norm - rateBias * elapsed
    if let own = velocityNED { mark.off = (own - velocity).horizontalNorm }
    rotation = .zero
    impulse = .zero
    append(mark)
    if count >= Self.leastMarks { compare(at: fix.time) }
  }

  private mutating func append(_ mark: Mark) {
    if count == Self.markCount {
      for i in 1..<count { marks[i - 1] = marks[i] }
      count -= 1
    }
    marks[count] = mark
    if count > 0 { marks[count].course = FixMotion.angle(from: marks[count - 1].velocity, to: mark.velocity) }
    count += 1
  }

  /// Whether the car came from the first mark to the last as the velocities say.
  private mutating func isConsistent() -> Bool {
    var said = Vector3.zero
    var distance = 0.0
    for i in 1..<count {
      let step =
        (marks[i - 1].velocity + marks[i].velocity) * (marks[i].time.seconds(since: marks[i - 1].time) / 2)
      said += step
      distance += step.horizontalNorm
    }
    let moved = marks[count - 1].position.ned(from: marks[0].position)
    return (moved - said).horizontalNorm < Self.consistency * distance
  }

  private mutating func compare(at time: Timestamp) {
    var course = 0.0, turned = 0.0
    for i in 1..<count {
      course += marks[i].course
      turned += marks[i].turned
    }
    // While the car turns at an end of the window, the receiver's lag shifts the angle.
    var ends = 0.0
    for i in [1, count - 1] {
      let dt = marks[i].time.seconds(since: marks[i - 1].time)
      ends += max(abs(marks[i].turned), abs(marks[i].course)) / dt
    }
    let allowance = min(ends * mostLag, 0.7 * max(abs(course), abs(turned)))
    let off = abs(course - turned)
    guard isConsistent() else { return }
    let (isFilterOff, isOffNow) = filterIsOff()
    defer { isParted = isFilterOff || isParted && isOffNow }
    if off > Self.grossAngle + allowance || isFilterOff && !isParted {
      contradict(at: time)
    } else if abs(course) > Self.clearTurn, abs(turned) > Self.clearTurn, off < 0.25 * abs(course) {
      agree(at: time)
    }
  }

  /// Whether the filter goes elsewhere than the fixes for most of the window, and at its end. Nothing
  /// changes; but what is not `mutating` is copied before it is indexed.
  private mutating func filterIsOff() -> (mostly: Bool, now: Bool) {
    var count = 0
    var isOff = false
    for i in 1..<self.count {
      let change = (marks[i].velocity - marks[i - 1].velocity).horizontalNorm
      let lag = change / marks[i].time.seconds(since: marks[i - 1].time) * mostLag
      isOff =
        marks[i].off > Self.grossVelocity + Self.grossShare * marks[i].velocity.horizontalNorm + lag
      if isOff { count += 1 }
    }
    return (count >= Self.offMarks, isOff)
  }

  private mutating func contradict(at time: Timestamp) {
    if time.seconds(since: lastContradiction) > Self.memory { contradictions = 0 }
    lastContradiction = time
    contradictions = min(contradictions + 1, Self.certain)
    agreements = 0
    if contradictions >= Self.certain {
      if isTrusted {
        excludedUntil = time.advanced(bySeconds: exclusionTime)
        exclusionTime = min(2 * exclusionTime, Self.longestExclusion)
      }
      isTrusted = false
    }
    count = 0
  }

  private mutating func agree(at time: Timestamp) {
    agreements += 1
    if isTrusted || agreements >= Self.cleared && time > excludedUntil {
      contradictions = 0
      if isForceSound, !frozen.isFound { isTrusted = true }
    }
    count = 0
  }

  private mutating func forget() {
    count = 0
    rotation = .zero
    impulse = .zero
  }
}
