import CLibrary
import LinearAlgebra
import Navigation

/// Weighs the place that a navigator believes in against the places that fixes tell which agree with one
/// another but not with it: reflected signals, a wrong integer ambiguity, a first fix from somewhere else; or
/// a navigator gone astray.
///
/// Such a place is an offset from the navigator's dead-reckoned track. An offset that appears at once is a
/// jump of the receiver's, and nothing in the later fixes says which side of the jump was wrong: the side
/// that more time speaks for is believed, up to a longest time, since a fault of the receiver ends some day.
/// A place that was believed before is kept as a rival, so that fixes that come back to it win it back at
/// once. An offset that grows shows that the navigator moves otherwise than the fixes. (Brown, "A baseline
/// GPS RAIM scheme"; Blanch and others on ARAIM: solution separation.)
package struct PositionHypotheses: Sendable {
  /// What to do with a fix.
  package enum Decision: Sendable {
    /// It is of the place that is believed in.
    case use
    /// It is off, alone so far: weigh it, and learn from it, as the tails of its distribution say.
    case weigh
    /// It is off as those before it: leave it out.
    case exclude
    /// The rival wins: the position is off by `offset`, m, and where that grew the velocity by `rate`, m/s.
    case move(offset: Vector3, rate: Vector3?)

    /// Whether the fix is taken as one of the believed place.
    var isUsed: Bool {
      switch self {
      case .use, .weigh: true
      case .exclude, .move: false
      }
    }
  }

  /// Standard deviations beyond which a fix is of another place.
  /// [chosen: the tails of urban fixes stay inside]
  private static let gate = 5.0
  /// The same for who has been found elsewhere to come back.
  /// [chosen: a fix of another place may lie anywhere up to the gate]
  static let returnGate = 3.0
  /// The same of fixes that have drifted there from another place while the car stood: it is they that moved.
  /// [measured on nagoya-rtk: P95 14.2 m with 3, 3.9 m with 2]
  private static let standingReturnGate = 2.0
  /// Least distance to another place, m. [chosen: under it the lasting error of the fixes takes it up]
  private static let leastDistance = 8.0
  /// Standard deviations within which fixes are of one place. [chosen]
  static let coherence = 4.0
  /// Growth of the error of an offset, m/√s: dead reckoning meanwhile. [chosen]
  static let drift = 0.5
  /// A navigator may move otherwise than the fixes by this much, m/s, and they still
  /// be of one place. [chosen]
  static let fastest = 8.0
  /// Faults of receivers drift no faster, m/s.
  /// [measured on 500 variants of `reckon stress` with bursts: 8, 16, 40 lost for 259, 245, 245 s]
  static let fastestFault = 16.0
  /// Time that speaks for the believed place counts up to this, s: faults of receivers last 3 to 30 s.
  /// [measured on 2,000 variants of `reckon stress`, 191001:191020, 192001:192020, bursts 193001:193020 and
  /// 194001:194020, for who navigates by rate and force: 35, 45, 60 leave 804, 865, 900 s lost]
  static let longestHold = 35.0
  /// The same of a navigator that alone finds the fixes elsewhere, and may be there itself: longer than a
  /// reflection at a corner. Lost for 1,229 s without it, for 915 s with 5 s.
  /// [measured on 1,500 variants of `reckon stress`]
  private static let longestLoneHold = 5.0
  /// The same of a navigator that has just found its heading. [chosen: less than faults last on the average;
  /// on 500 variants of `reckon stress`, seeds 1001:1010 and 2001:2010, 0, 10, 20 s leave 464, 437, 490 s
  /// lost, most of the difference in one]
  static let longestStartHold = 10.0
  /// Mean duration of a receiver's fault, s. [chosen]
  static let meanFault = 15.0
  /// Standard deviation of the offset of a place that was believed before, as a part of it: dead
  /// reckoning led there. [chosen]
  static let formerSpread = 0.05
  /// The same of how fast it parts. [chosen]
  static let rateSpread = 0.4
  /// A place that was believed before is known again for this long, s. [chosen]
  static let longestMemory = 60.0
  /// The same where the offset grows, evenly, and no rate and force say that the navigator goes right: fixes
  /// between towers drift for 10 to 30 s too. [measured by `reckon stress`]
  private static let longestGrowth = 4.0
  /// What a second of a standing car's fixes is worth, s: it sees the same reflections all the time.
  /// [chosen: 60 s over 300 s, the correlation times of ``ReceiverModel``, driving and standing]
  static let standingPace = 0.2
  /// Fixes that have to agree before anything moves. [chosen: the third good fix in a row is believed]
  private static let fewest = 3
  /// More places than this in the time after it, s, are no places, but the noise of a receiver
  /// between towers. [chosen]
  private static let mostPlaces = 2.5, placesMemory = 60.0
  /// Time over which innovations are averaged, s, standard deviations of that mean, and metres, that no
  /// white noise reaches. [chosen]
  private static let biasMemory = 4.0, biasGate = 6.0, leastBias = 3.0
  /// What a second of them costs of the time that speaks for the believed place, s. [chosen]
  private static let leaningCost = 5.0
  /// The same of a second without fixes, s. [chosen]
  private static let pauseCost = 4.0
  /// Time over which growth is measured, s. [chosen]
  static let growthWindow = 5.0
  /// Least growth, m, and its least pace, m/s.
  /// [chosen: what a lasting error does in that time; under a brisk walk's half nobody is soon lost]
  static let leastChange = 1.0, leastRate = 0.7
  /// A believed place whose variance is so many times that of a fix is taken from the fix. [chosen]
  private static let ownWorth = 50.0
  /// Up to so many times that a fix of another place is weighed, alone as it is. [chosen]
  private static let weighableWorth = 30.0
  /// Pause after which a run of fixes begins anew, s. [chosen]
  static let longestPause = 6.0

  var rivals = InlineArray<3, Rival>(repeating: Rival())
  /// Seconds that fixes have spoken for the believed place.
  package internal(set) var support = 0.0
  private var last: Timestamp?
  var speaker: Int?
  /// When the fixes last went to a new place, and what was known of the believed one then.
  private var jump: (time: Timestamp, own: Matrix3)?
  /// Mean innovation over some seconds, m.
  private var mean = Vector3.zero
  /// Whether that is more than chance.
  private(set) var isBiased = false
  /// New places that fixes have been of, fading.
  private var places = 0.0
  /// Fixes in a row that were of a new place each.
  private var strays = 0

  package init() {}

  /// Variance per axis in m² that an honest accuracy has on top: while a rival speaks, and after one has
  /// won, that of not knowing which of two places it is; and the 95 % radius alone, as receivers stray again.
  package private(set) var variance = 0.0, tailVariance = 0.0
  var faults = FaultShare()

  /// Works both out anew: they are asked for more often than they change.
  mutating func weigh() {
    var sum = isBiased && speaker == nil ? mean.squaredNorm / 2 : 0
    // One fix against many is a stray; against a place that no more than one has told it is as good.
    let fewest = support > 0 ? 2 : 1
    for i in 0..<3 where rivals[i].isUsed && (i == speaker ? rivals[i].count >= fewest : rivals[i].isFormer) {
      let offset =
        i == speaker || last == nil ? rivals[i].offset : rivals[i].predicted(at: last ?? rivals[i].last)
      // Faults last for a time that is distributed exponentially: odds by how much longer one side was heard.
      let odds = exp((min(rivals[i].support, Self.longestHold) - support) / Self.meanFault)
      // Twice, so that the 95 % radius reaches the other place as soon as its odds are above one in twenty.
      sum += min(1, 2 * odds / (1 + odds)) * offset.squaredNorm / 2
    }
    variance = sum
    // What has been borne out for as long as counts is no fault.
    let odds = support < Self.longestHold ? exp(-support / Self.meanFault) : 0
    tailVariance = faults.variance(odds: odds)
  }

  /// Whether the newest fixes are of another place than the believed one.
  @inline(__always) package var isContested: Bool { speaker != nil }

  /// Whether the newest fixes have left a place that all the time that counts speaks for.
  @inline(__always) package var areFixesAway: Bool { isContested && support >= Self.longestHold }

  /// Judges a fix.
  package mutating func judge(_ fix: SightedFix) -> Decision {
    defer { weigh() }
    let elapsed = pass(to: fix)
    // Where next to nothing is known of the believed place, weighing would take all that a fix says.
    // Fixes that go on to be of one place each are the noise of a receiver that states too little.
    let isUnknown = fix.isWorth(Self.weighableWorth) && strays < Self.fewest
    let isBelieved = isBelieved(fix, isUnknown: isUnknown)
    faults.add(isBelieved ? nil : fix.distance, over: elapsed)
    guard isBelieved else {
      return contest(fix, isUnknown: isUnknown, elapsed: elapsed)
    }
    let isLeaning = noteBias(fix, elapsed: elapsed)
    if fix.isStanding { rest(at: fix.time) }
    speaker = nil
    let gain = isLeaning ? -Self.leaningCost : fix.isAskew ? 0 : 1
    support = min(max(0, support + gain * elapsed), Self.longestHold)
    // A place that this fix alone tells has nothing else to speak for it.
    if fix.isWorth(Self.ownWorth), fix.distance.norm > Self.leastDistance { support = 0 }
    fade(elapsed)
    strays = 0
    return .use
  }

  /// Goes on to a fix; returns for how long it speaks, s.
  private mutating func pass(to fix: SightedFix) -> Double {
    let pause = last.map { fix.time.seconds(since: $0) } ?? 0
    last = fix.time
    let elapsed = (fix.isStanding ? Self.standingPace : 1) * min(max(pause, 0), 1)
    if pause > Self.longestPause {
      forgetRuns()
      // Nothing bore the place out meanwhile.
      support = max(0, support - Self.pauseCost * pause)
    }
    places *= exp(-elapsed / Self.placesMemory)
    return elapsed
  }

  /// Whether a fix is of the believed place. Nothing changes; but if not `mutating` it would copy the rivals.
  private mutating func isBelieved(_ fix: SightedFix, isUnknown: Bool) -> Bool {
    // Who has been found elsewhere has to come back further than who strays.
    let isContested = speaker.map { rivals[$0].run > (isUnknown ? 0 : 1) } ?? false
    // Nor does what drifts while the car stands.
    let isDrifting =
      isContested && fix.isStanding
      && (speaker.map { goesOn(rivals[$0], to: fix.distance, at: fix.time, white: fix.white) } ?? false)
    let gate = isDrifting ? Self.standingReturnGate : isContested ? Self.returnGate : Self.gate
    // What has jumped does not become right by what is not known of the way since.
    let spread = isContested ? jumpSpread(fix) : fix.own
    return normalized(fix.distance, own: spread, white: fix.white) < gate * gate
      || fix.distance.norm < Self.leastDistance
      || isContested && fix.isInertial && places < Self.mostPlaces
        && comesBack(fix.distance, at: fix.time, own: fix.own, white: fix.white)
  }

  /// Judges a fix of another place.
  private mutating func contest(_ fix: SightedFix, isUnknown: Bool, elapsed: Double) -> Decision {
    let fastest = max(Self.fastest, 3 * fix.velocitySigma)
    let (index, isKnown) = rival(of: fix.distance, at: fix.time, white: fix.white, fastest: fastest)
    speaker = index
    guard isKnown else {
      places += 1
      jump = (fix.time, fix.own)
      strays += 1
      rivals[index].evidence = fix.evidence
      return isUnknown ? .exclude : .weigh
    }
    strays = 0
    add(fix.distance, to: index, at: fix.time, elapsed: elapsed)
    if fix.isStanding { watchWandering(of: index, to: fix.distance, at: fix.time, white: fix.white) }
    let rival = rivals[index]
    let variance = (fix.own.x.x + fix.own.y.y) / 2
    if fix.evidence > UnaidedSolutions.leastEvidence, rival.run >= 2, rival.hasJumped {
      move(to: index, variance: variance, rate: nil)
      // The way here speaks for it as well. That it led here may be chance: fixes that go
      // back are believed as ever.
      support = Self.longestHold
      return .move(offset: rival.offset, rate: nil)
    }
    let grown = growth(of: rival, white: fix.white, isInertial: fix.isInertial, fastest: fastest)
    // No fault leads back to where the fixes were before.
    let isBack = rival.isFormer && rival.run >= 2 && grown == nil && places < Self.mostPlaces
    let fewest = support > 0 ? Self.fewest : 2
    let hold = min(support, longestHold(against: fix, isGrowing: grown != nil)) - rival.head
    guard isBack || rival.run >= fewest && rival.support > hold else {
      // Fixes in a row that err alike are one fix, not many; where they err each for
      // itself their weights serve.
      let isAlone = places > Self.mostPlaces && !(fix.isInertial && rival.run >= Self.fewest)
      return isAlone && !isUnknown ? .weigh : .exclude
    }
    // Who comes back to a place that was left for how the fixes moved moves again as it did there.
    let rate =
      fix.isVelocityBorneOut == true ? nil : isBack && rival.leftRate != .zero ? rival.leftRate : grown
    move(to: index, variance: variance, rate: rate)
    // What is followed for its motion alone has not stood any test.
    if grown != nil { support = 0 }
    return .move(offset: rival.offset, rate: rate)
  }

  /// Covariance of the believed position as it was when the fixes jumped, with what
  /// dead reckoning adds to it.
  private func jumpSpread(_ fix: SightedFix) -> Matrix3 {
    guard fix.isInertial, let jump else { return fix.own }
    let drifted = Self.drift * Self.drift * max(0, fix.time.seconds(since: jump.time))
    let bound = jump.own + Matrix3(diagonal: Vector3(drifted, drifted, 0))
    return bound.x.x + bound.y.y < fix.own.x.x + fix.own.y.y ? bound : fix.own
  }

  /// Time that speaks for the believed place counts up to this against a fix, s.
  private func longestHold(against fix: SightedFix, isGrowing: Bool) -> Double {
    if isGrowing, fix.isVelocityBorneOut != true, !fix.isInertial { return Self.longestGrowth }
    // Where it may be by what is not known of its way, and the guard has been all along; what only the guard
    // has followed may have drifted.
    if fix.isGuardThere, normalized(fix.distance, own: fix.own, white: fix.white) < Self.gate * Self.gate {
      return Self.longestLoneHold
    }
    return Self.longestHold
  }

  /// Whether the innovations have long leant to one side, as this one does: the fixes
  /// drift, or the navigator does.
  private mutating func noteBias(_ fix: SightedFix, elapsed: Double) -> Bool {
    let r = Vector3(fix.innovation.x, fix.innovation.y, 0)
    let gain = min(1, max(elapsed, 0.02) / Self.biasMemory)
    mean += (r - mean) * gain
    // Of white innovations the mean has this part of the variance.
    let scale = gain / (2 - gain)
    let share = normalized(mean, own: fix.own, white: fix.white) / scale
    isBiased =
      share > Self.biasGate * Self.biasGate && mean.norm > Self.leastBias
      && r.dot(mean) > 0.25 * mean.squaredNorm
    return isBiased
  }

  private func normalized(_ d: Vector3, own: Matrix3, white: Double) -> Double {
    let (a, b, c) = (own.x.x + white, own.x.y, own.y.y + white)
    let determinant = a * c - b * b
    guard determinant > 0 else { return .infinity }
    return (c * d.x * d.x - 2 * b * d.x * d.y + a * d.y * d.y) / determinant
  }
}
