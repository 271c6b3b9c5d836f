import LinearAlgebra
import Navigation

/// Keeps count of the places that fixes have been of.
extension PositionHypotheses {
  /// The rival that an offset is of, and whether it has been heard of before; the least of them
  /// makes room for a new one.
  ///
  /// - Parameter fastest: by which the navigator may move otherwise than the fixes, m/s.
  mutating func rival(
    of d: Vector3, at time: Timestamp, white: Double, fastest: Double
  ) -> (Int, isKnown: Bool) {
    var nearest: (Int, Double)?
    var least = 0
    for i in 0..<3 {
      let r = rivals[i]
      if !r.isUsed || rivals[least].isUsed && r.support < rivals[least].support { least = i }
      guard r.isUsed else { continue }
      let age = max(0, time.seconds(since: r.last))
      let predicted = r.predicted(at: time)
      let apart = r.isFormer ? Self.formerSpread * predicted.norm + Self.rateSpread * r.rate.norm * age : 0
      let variance = 2 * white + Self.drift * Self.drift * age + r.variance + apart * apart
      var distance = (d - predicted).norm
      // Of fixes in a row the offset may move on.
      if r.run > 0, age < Self.longestPause {
        distance = max(0, min(distance, (d - r.newest).norm) - fastest * age)
      }
      let off = distance / variance.squareRoot()
      if off < Self.coherence, off < nearest?.1 ?? .infinity { nearest = (i, off) }
    }
    if let nearest { return (nearest.0, true) }
    rivals[least] = Rival(
      offset: d, newest: d, support: 0, count: 1, run: 1, last: time, begin: time, middle: time,
      beginOffset: d, middleOffset: d, birthOffset: d, isUsed: true)
    for i in 0..<3 where i != least { rivals[i].run = 0 }
    return (least, false)
  }

  /// Whether a fix goes on where those of a rival were.
  func goesOn(_ rival: Rival, to d: Vector3, at time: Timestamp, white: Double) -> Bool {
    let age = max(0, time.seconds(since: rival.last))
    let variance = 2 * white + Self.drift * Self.drift * age
    return (d - rival.predicted(at: time)).squaredNorm < Self.coherence * Self.coherence * variance
  }

  /// Fixes that move on while the car is felt to stand are of no place yet.
  mutating func watchWandering(of index: Int, to d: Vector3, at time: Timestamp, white: Double) {
    let age = max(0, time.seconds(since: rivals[index].middle))
    let variance = 2 * white + Self.drift * Self.drift * age
    let moved = (d - rivals[index].middleOffset).squaredNorm
    guard moved > Self.coherence * Self.coherence * variance else { return }
    rivals[index].support = 0
    (rivals[index].middle, rivals[index].middleOffset) = (time, d)
  }

  /// Whether the fixes have leapt from another place to where the navigator is by all that it knows: it has
  /// believed none since they left, so that the leap led there by itself (as ``UnaidedSolutions``).
  func comesBack(_ d: Vector3, at time: Timestamp, own: Matrix3, white: Double) -> Bool {
    guard let speaker, !goesOn(rivals[speaker], to: d, at: time, white: white) else { return false }
    let variance = (own.x.x + own.y.y) / 2 + white
    let evidence = (rivals[speaker].predicted(at: time).squaredNorm - d.squaredNorm) / (2 * variance)
    return d.squaredNorm < Self.returnGate * Self.returnGate * variance
      && evidence > UnaidedSolutions.leastEvidence
  }

  mutating func add(_ d: Vector3, to index: Int, at time: Timestamp, elapsed: Double) {
    for i in 0..<3 where i != index { rivals[i].run = 0 }
    if rivals[index].run == 0 {
      (rivals[index].begin, rivals[index].beginOffset) = (time, d)
      (rivals[index].middle, rivals[index].middleOffset) = (time, d)
    } else if time.seconds(since: rivals[index].middle) > Self.growthWindow / 2 {
      (rivals[index].begin, rivals[index].beginOffset) = (rivals[index].middle, rivals[index].middleOffset)
      (rivals[index].middle, rivals[index].middleOffset) = (time, rivals[index].offset)
    }
    if rivals[index].rate != .zero {
      (rivals[index].offset, rivals[index].rate) = (d, .zero)
    }
    rivals[index].run += 1
    rivals[index].silence = 0
    rivals[index].count += 1
    rivals[index].support += max(elapsed, 0.01)
    // The newest counts most: the offset may grow.
    rivals[index].offset += (d - rivals[index].offset) * (rivals[index].run < 3 ? 0.5 : 0.4)
    rivals[index].newest = d
    rivals[index].last = time
  }

  /// How fast the offset has grown of late, m/s; nil where it has not for certain, or faster than the
  /// navigator may move otherwise than the fixes.
  func growth(of rival: Rival, white: Double, isInertial: Bool, fastest: Double) -> Vector3? {
    let lasted = rival.last.seconds(since: rival.begin)
    guard lasted > 1, rival.run >= 4 else { return nil }
    // What began with a jump is one, however the reckoned way drifts meanwhile.
    if isInertial, rival.hasJumped { return nil }
    let change = rival.offset - rival.beginOffset
    let rate = change / lasted
    guard change.norm > Self.coherence * white.squareRoot() + Self.leastChange, rate.norm > Self.leastRate,
      rate.norm < max(Self.fastestFault, fastest)
    else { return nil }
    return rate
  }

  /// The believed place has been corrected, by a fix that is weighed far perhaps: the
  /// others lie where they lay.
  package mutating func correct(by correction: Vector3) {
    let level = Vector3(correction.x, correction.y, 0)
    var isAny = false
    for i in 0..<3 where rivals[i].isUsed {
      isAny = true
      rivals[i].shift(by: level)
    }
    if isAny { weigh() }
  }

  /// What agrees with the believed place speaks against all others.
  mutating func fade(_ elapsed: Double) {
    for i in 0..<3 where rivals[i].isUsed {
      rivals[i].run = 0
      if rivals[i].isFormer {
        rivals[i].silence += elapsed
        rivals[i].isUsed = rivals[i].silence < Self.longestMemory
        continue
      }
      rivals[i].support -= elapsed
      if rivals[i].support < -1 { rivals[i].isUsed = false }
    }
  }

  /// The car is felt to stand: a place that was left for its motion parts no further.
  mutating func rest(at time: Timestamp) {
    for i in 0..<3 where rivals[i].isUsed && rivals[i].isFormer && rivals[i].rate != .zero {
      rivals[i].shift(by: rivals[i].offset - rivals[i].predicted(at: time))
      (rivals[i].rate, rivals[i].last) = (.zero, time)
    }
  }

  mutating func forgetRuns() {
    for i in 0..<3 { rivals[i].run = 0 }
    speaker = nil
  }

  /// A rival becomes the believed place, and that a rival.
  mutating func move(to index: Int, variance: Double, rate: Vector3?) {
    let won = rivals[index]
    for i in 0..<3 where i != index { rivals[i].shift(by: won.offset) }
    rivals[index] = Rival(
      offset: won.offset * -1, newest: won.offset * -1, support: support, count: 2, run: 0, last: won.last,
      begin: won.last, middle: won.last, beginOffset: won.offset * -1, middleOffset: won.offset * -1,
      isUsed: support > 0, isFormer: true, variance: variance, rate: (rate ?? .zero) * -1,
      leftRate: (rate ?? .zero) * -1)
    support = won.support
    speaker = nil
  }

  // MARK: Told from elsewhere

  /// The believed place has been taken from somewhere else, after these seconds of evidence; where it was
  /// before may turn out to be right.
  ///
  /// - Parameters:
  ///   - offset: of the place that was left, m.
  ///   - rate: at which the two part, m/s.
  ///   - variance: of the place that was left, per axis, m².
  package mutating func leave(
    _ offset: Vector3, rate: Vector3, variance: Double, at time: Timestamp, after evidence: Double
  ) {
    let level = Vector3(offset.x, offset.y, 0)
    for i in 0..<3 { rivals[i] = Rival() }
    defer {
      support = min(support, evidence)
      speaker = nil
      weigh()
    }
    // What parts faster than receivers drift is a navigator that a sensor has thrown off.
    guard rate.horizontalNorm < Self.fastestFault else { return }
    rivals[0] = Rival(
      offset: level, support: support, count: 2, run: 0, last: time, begin: time, middle: time,
      beginOffset: level, middleOffset: level, birthOffset: level, isUsed: true, isFormer: true,
      variance: variance, rate: Vector3(rate.x, rate.y, 0), leftRate: Vector3(rate.x, rate.y, 0))
  }

  /// The navigator has just been chosen from many by what fixes say of its heading: that they speak for its
  /// place, or did for one that it knows of, counts for little.
  package mutating func limitSupport() {
    support = min(support, Self.longestStartHold)
    for i in 0..<3 { rivals[i].support = min(rivals[i].support, Self.longestStartHold) }
    weigh()
  }

  /// The believed place has been left for a reason that has not stood any test.
  package mutating func doubt() {
    support = 0
    weigh()
  }

  /// Forgets all but what is known of the receiver: the position was taken from somewhere else.
  package mutating func forget() {
    let faults = faults
    self = PositionHypotheses()
    self.faults = faults
  }
}
