import CLibrary
import LinearAlgebra
import Navigation

/// What is believed of the receiver's errors, learned from the innovations: its stated accuracy is a hint.
///
/// A fix's position error has a white part and a part that lasts: a Gauss-Markov process tied to time and to
/// distance driven, since multipath changes with the place and freezes at a stop. (On the real Berlin canyon
/// an error of white noise alone makes a filter certain of a wrong place.)
package struct ReceiverModel: Sendable {
  package var parameters = Parameters()
  /// White part of the position error, as seen from one fix to the next, in units of the stated variance.
  private var white: LearnedVariance?
  /// Lasting part, as seen over a minute of driving.
  private var lasting: LearnedVariance?
  /// True over stated standard deviation of the velocity.
  package internal(set) var velocityScale = 1.0
  /// How alike the errors of its vertical part are from fix to fix.
  var verticalVelocity = VerticalVelocityCorrelation()
  /// Offset of the fixes from the dead-reckoned track, and its mean, m: what lasts shows in how it wanders.
  private var offset = Vector3.zero, meanOffset = Vector3.zero
  /// Logarithm of the vertical variance of the lasting part, averaged over the last minute's fixes: their
  /// geometric mean, which one absurd fix does not spoil.
  private var recentLasting = 0.0
  private var recentCount = 0.0
  private var slow = SlowErrors()
  /// What is left of multipath since the last fix that was used.
  private var fade = 1.0
  /// Covariance of the part of the position error that the navigator does not know of: the
  /// output's accuracy has it on top.
  package private(set) var unknownVariance = Vector3.zero
  /// Probability that it is the dead-reckoned track that wanders, and not the fixes.
  package var trackShare: Double { slow.trackShare }
  private var scatter = FixScatter()
  private var lastError: Vector3?
  private var lastFix: Timestamp?
  /// The first fix after the last pause.
  private var reacquired: Timestamp?
  /// Mean time from fix to fix, s.
  private(set) var interval = 1.0

  package init() {}

  /// Standard deviations north, east and down of a fix's position in metres, as stated
  /// or, failing that, assumed.
  @inline(__always) private func statedVariance(_ fix: GNSSFix) -> Vector3 {
    let unstated = parameters.unstatedPositionSigma
    let sigma = fix.positionSigma ?? Vector3(unstated, unstated, unstated * parameters.verticalRatio)
    let least = parameters.believedSigma * parameters.believedSigma
    let horizontal = max((sigma.x * sigma.x + sigma.y * sigma.y) / 2, least)
    return Vector3(horizontal, horizontal, max(sigma.z * sigma.z, horizontal))
  }

  /// A fix's stated horizontal variance as a part of its vertical one, at most 1.
  @inline(__always) package func levelShare(_ fix: GNSSFix) -> Double {
    let stated = statedVariance(fix)
    return stated.x / stated.z
  }

  /// Variance to add to each fix for an error that lasts, so that it counts once and not with
  /// every fix that has it, m².
  @inline(__always) package func noise(ofLasting variance: Double) -> Double {
    variance * fixes(in: parameters.correlationTime)
  }

  /// Covariance of the white part of the position error.
  @inline(__always) package func positionNoise(_ fix: GNSSFix) -> Matrix3 {
    let learned = variance(
      white, share: parameters.whiteNoiseRatio, leastShare: parameters.leastWhiteShare,
      largest: parameters.largestWhiteSigma, fix)
    return Matrix3(
      diagonal: Vector3(max(learned.x, scatter.variance), max(learned.y, scatter.variance), learned.z))
  }

  /// Variances of the lasting part of the position error.
  @inline(__always) package func correlatedVariance(_ fix: GNSSFix) -> Vector3 {
    guard parameters.hasLastingError else { return .zero }
    return variance(
      lastingAlone, share: parameters.lastingShare, leastShare: parameters.leastLastingShare,
      largest: parameters.largestLastingSigma, fix)
  }

  /// The lasting part without the white one, which is in what was learned of it.
  @inline(__always) private var lastingAlone: LearnedVariance? {
    guard var alone = lasting, let white else { return lasting }
    alone.horizontal =
      parameters.lastingGain
      * max(alone.horizontal - white.horizontal, parameters.leastLasting * alone.horizontal)
    alone.vertical =
      parameters.lastingGain * max(alone.vertical - white.vertical, parameters.leastLasting * alone.vertical)
    return alone
  }

  @inline(__always) private func variance(
    _ learned: LearnedVariance?, share: Double, leastShare: Double, largest: Double, _ fix: GNSSFix
  ) -> Vector3 {
    let stated = statedVariance(fix)
    let cap = largest * largest
    let isBelow = fix.positionSigma.map { $0.horizontalNorm < parameters.believedSigma } ?? true
    let least = isBelow ? 0 : leastShare
    let floor = parameters.positionFloor * parameters.positionFloor
    let factor = learned.map { (max($0.horizontal, least), max($0.vertical, least)) } ?? (share, share)
    let h = min(max(factor.0 * stated.x, floor), cap)
    return Vector3(h, h, min(max(factor.1 * stated.z, floor), cap))
  }

  /// Variance per horizontal axis, m², of what a receiver that has just found its satellites again is off by
  /// besides, where it does not say so itself.
  @inline(__always) func reacquisitionVariance(of fix: GNSSFix) -> Double {
    guard fix.positionSigma == nil, let reacquired else { return 0 }
    let sigma = parameters.reacquisitionSigma
    let since = max(0, fix.time.seconds(since: reacquired)) / parameters.reacquisitionTime
    // After five of these times nothing of it is left.
    return since < 5 ? sigma * sigma * exp(-2 * since) : 0
  }

  /// Hears of a fix, used or not.
  @inline(__always) package mutating func hear(_ fix: GNSSFix) { scatter.add(fix) }

  /// Notes a fix's time, and returns what is left of the lasting error since the fix before, 0 to 1.
  package mutating func correlation(at time: Timestamp, speed: Double) -> Double {
    defer { lastFix = time }
    guard let lastFix else { return 0 }
    let elapsed = max(0, time.seconds(since: lastFix))
    if elapsed < parameters.longestPause { interval += 0.2 * (max(elapsed, 0.02) - interval) }
    if elapsed > parameters.longestPause { (lastError, reacquired) = (nil, time) }
    let time = speed < 0.5 ? parameters.standingCorrelationTime : parameters.correlationTime
    let left = exp(-elapsed / time - elapsed * speed / parameters.correlationDistance)
    fade *= left
    return left
  }

  /// A receiver that converges states less and less: factors on what is believed of the lasting error from
  /// earlier fixes, where its variance is many times that of the newest; nil where it is not.
  static func convergence(believed: Vector3, lasting: Vector3) -> Vector3? {
    func factor(_ variance: Double, _ bound: Double) -> Double {
      variance > 4 * bound ? (4 * bound / variance).squareRoot() : 1
    }
    let factors = Vector3(
      factor(believed.x, lasting.x), factor(believed.y, lasting.y), factor(believed.z, lasting.z))
    return min(factors.x, factors.y, factors.z) < 1 ? factors : nil
  }

  /// Learns from a fix's position error as the filter sees it: innovation plus estimated lasting error, m.
  ///
  /// - Parameters:
  ///   - errors: what was believed of it.
  ///   - share: part of the innovation's spread that is the fix's own, 0 to 1: after an outage it is the
  ///     filter's, and says nothing of the receiver.
  ///   - track: how it lies to the way that was reckoned.
  /// - Returns: by how much the standard deviation of the lasting part has grown while it was first learned,
  ///   at least 1: what the filter had taken from the fixes until now, it took with too small a noise.
  package mutating func learn(
    _ fix: GNSSFix, _ errors: FixErrors, error: Vector3, share: Double, track: TrackAtFix
  ) -> Double {
    noteUnknown(fix, errors, track)
    let stated = statedVariance(fix)
    let scale = Vector3(1 / stated.x.squareRoot(), 1 / stated.y.squareRoot(), 1 / stated.z.squareRoot())
    func prior(_ share: Double, _ weight: Double) -> LearnedVariance {
      LearnedVariance(horizontal: share, vertical: share, weight: weight)
    }
    var white = self.white ?? prior(parameters.whiteNoiseRatio, 5)
    var lasting =
      self.lasting
      ?? prior(
        parameters.lastingShare,
        (fix.positionSigma == nil ? parameters.unstatedPrior : parameters.lastingPrior) / interval)
    let before = lasting
    if let lastError {
      white.add((error - lastError).scaled(by: scale) * 0.5.squareRoot(), share: share, memory: 40)
      let memory = parameters.lastingMemory / interval
      // One absurd fix must not move the mean of a minute, nor a leap count for more than wandering could:
      // after a wrong first fix all others are off by as much.
      let farthest = 3 * ((white.horizontal + lasting.horizontal) * stated.x).squareRoot()
      offset += track.step * min(1, farthest / max(track.step.horizontalNorm, 1e-9))
      let off = offset - meanOffset
      meanOffset += off * (min(1, farthest / max(off.norm, 1e-9)) / max(1, min(lasting.weight, memory)))
      let drift = track.velocityVariance * (parameters.driftCorrelationTime * parameters.lastingMemory)
      if track.isMoving {
        let off = off.scaled(by: scale)
        lasting.add(off, share: share, memory: memory, drift: drift.scaled(by: scale).scaled(by: scale))
      }
    } else {
      (offset, meanOffset) = (.zero, .zero)
    }
    lastError = error
    self.white = white
    self.lasting = lasting
    let isFirst = before.weight < parameters.lastingMemory / interval - 1
    return isFirst ? max(1, (lasting.horizontal / before.horizontal).squareRoot()) : 1
  }

  /// The navigator knows of multipath; what changes more slowly shows in how the fixes wander over minutes.
  private mutating func noteUnknown(_ fix: GNSSFix, _ errors: FixErrors, _ track: TrackAtFix) {
    guard parameters.hasLastingError else { return }
    slow.add(track, at: fix.time, fade: fade, errors: errors)
    fade = 1
    recentCount = min(recentCount + 1, parameters.lastingMemory / interval)
    recentLasting += (log(errors.lasting.z) - recentLasting) / max(recentCount, 1)
    let level = max(0, slow.positionVariance - track.positionVariance)
    unknownVariance = Vector3(level, level, parameters.constantHeightShare * exp(recentLasting))
  }

  /// Takes over what a match of a whole track has shown.
  ///
  /// - Parameters:
  ///   - spread: variance per axis of the fixes about the track, m².
  ///   - white: part of it that changes from one fix to the next, m².
  ///   - independent: number of independent fixes that this was seen in.
  package mutating func seed(spread: Double, white: Double, independent: Double, of fix: GNSSFix) {
    let stated = statedVariance(fix).x
    let memory = parameters.lastingMemory / interval
    let weight = memory * min(1, independent / 5)
    self.white = LearnedVariance(horizontal: white / stated, vertical: white / stated, weight: 20)
    lasting = LearnedVariance(horizontal: spread / stated, vertical: spread / stated, weight: weight)
    lastError = nil
  }

  /// Forgets what was learned of the position error.
  package mutating func forget() {
    (white, lasting, lastError) = (nil, nil, nil)
    recentCount = 0
    slow = SlowErrors()
    unknownVariance = .zero
  }

  /// What was learned of the position error; nil before two fixes.
  package var learnedNoise: SavedState.ReceiverNoise? {
    guard let white, let lasting else { return nil }
    return .init(
      whiteHorizontal: white.horizontal, whiteVertical: white.vertical,
      lastingHorizontal: lasting.horizontal, lastingVertical: lasting.vertical)
  }

  /// Starts from what was learned on an earlier drive where that is worse than the first guess, and else from
  /// their geometric mean: the receiver is the same, but this place may be a worse one.
  mutating func recall(_ saved: SavedState) {
    func between(_ guess: Double, _ learned: Double) -> Double {
      max(learned, (guess * max(learned, 1e-6)).squareRoot())
    }
    velocityScale = max(saved.calibration.velocityScale, saved.calibration.velocityScale.squareRoot())
    guard let noise = saved.receiverNoise else { return }
    white = .init(
      horizontal: between(parameters.whiteNoiseRatio, noise.whiteHorizontal),
      vertical: between(parameters.whiteNoiseRatio, noise.whiteVertical), weight: 5)
    lasting = .init(
      horizontal: between(parameters.lastingShare, noise.lastingHorizontal),
      vertical: between(parameters.lastingShare, noise.lastingVertical),
      weight: parameters.lastingPrior / interval)
  }

  /// Learned standard deviations of the white and the lasting part in units of the stated
  /// one; nil before two fixes.
  package var learnedSigmas: (white: Double, lasting: Double)? {
    guard let white, let lasting = lastingAlone else { return nil }
    return (white.horizontal.squareRoot(), lasting.horizontal.squareRoot())
  }
}
