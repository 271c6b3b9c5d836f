import LinearAlgebra
import Navigation

/// Speed from the shaking of the wheels.
///
/// A wheel turns a fixed number of times a metre, and shakes the car at that rate and its multiples. While the speed is
/// known the number is looked for, and it is learned how far the lines stand out; without fixes, the speed is then the
/// one at which the lines are where they have to be.
struct WheelVibration: Sendable {
  /// Turns of a wheel per metre that are scanned. Those that are looked for lie a contrast inside: 0.41 to 0.64, for
  /// circumferences of 1.56 to 2.43 m.
  private static let searched = (middle: 0.525, step: 0.0057)
  /// Step between hypotheses as a part of the speed: a fifth of the fourth line's width, and at most.
  private static let steps = 0.0024...0.005
  /// Under this speed a window is too long in time, m/s.
  private static let slowest = 2.5
  /// Inner and outer wheel differ by 1 % in a curve of this curvature, 1/m; by 3 % the window is given up at once.
  private static let curvature = (mean: 0.01, most: 0.03)
  /// The speed is known where its standard deviation is under this part of it, and the last fix not older than, s.
  private static let known = (part: 0.02, age: 2.0)
  /// Log-likelihood ratio of lines of some spacing to none from which it is taken as found.
  private static let found = 6.0
  /// Windows after which lines that turned out useless are looked for anew.
  private static let patience = 30

  /// Turns per metre; nil while searching.
  private(set) var frequency: Double?
  private(set) var strength = LineStrength()
  private(set) var trust = LineTrust(score: 0)
  /// Sum of the log-likelihoods of each spacing of the lines, about the one believed in.
  private var alignment = LineStrength.LogLikelihoods(repeating: 0)
  /// Logarithm of how much better the spacings that were likely before explained each window than all of them did.
  private var searchScore = 0.0
  private var window: ShakingWindow?
  /// The navigator's `inertialSpeedChange` and speed when the window began.
  private var start = (change: 0.0, speed: 0.0)
  private var last: InertialSample?
  /// Mean square of the shaking over about a second, by axis.
  private var energy = Vector3.zero

  /// Forgets the window that is going on.
  mutating func interrupt() { window = nil }

  /// Takes a sample that the navigator has just moved on to.
  mutating func process(
    _ sample: InertialSample, _ navigator: inout Navigator, report: (MeasurementVerdict) -> Void
  ) {
    let before = last
    last = sample
    let dt = before.map { sample.time.seconds(since: $0.time) } ?? 0
    guard let before, dt > 0, dt <= navigator.settings.inertialGap else {
      energy = .zero
      window = nil
      return
    }
    let shaking = whitened(sample.specificForce - before.specificForce, dt: dt)
    let speed = navigator.filter.state.velocity.norm
    let yawRate = navigator.filter.state.smoothRate.dot(navigator.filter.state.verticalAxis)
    guard speed > Self.slowest, abs(yawRate) < Self.curvature.most * speed else {
      window = nil
      return
    }
    if window == nil { open(navigator, speed: speed) }
    let carriedOn = carriedOn(navigator, speed: speed)
    window!.add(shaking, speed: carriedOn, excess: speed - carriedOn, yawRate: yawRate, dt: dt)
    if window!.isFull {
      close(&navigator, report: report)
      window = nil
    } else if window!.isTooLong {
      window = nil
    }
  }

  /// Speed by inertial navigation alone since the window began; while searching, as the filter has it.
  private func carriedOn(_ navigator: borrowing Navigator, speed: Double) -> Double {
    frequency == nil ? speed : start.speed + navigator.inertialSpeedChange - start.change
  }

  private mutating func open(_ navigator: borrowing Navigator, speed: Double) {
    start = (navigator.inertialSpeedChange, speed)
    if let frequency {
      let sigma = navigator.speedVariance(lag: 0).squareRoot()
      let step = min(
        max(3 * sigma / Double(LineScan.middle), Self.steps.lowerBound * speed),
        Self.steps.upperBound * speed)
      window = ShakingWindow(spacing: .speed(step), frequency: frequency, speed: speed)
    } else {
      window = ShakingWindow(
        spacing: .perMetre(Self.searched.step), frequency: Self.searched.middle, speed: speed)
    }
  }

  private mutating func close(_ navigator: inout Navigator, report: (MeasurementVerdict) -> Void) {
    guard let window, window.curvature < Self.curvature.mean else { return }
    let likelihoods = strength.logLikelihoods(window.scan)
    let speed = navigator.filter.state.velocity.norm
    let lag = 0.5 * window.time
    let variance = navigator.speedVariance(lag: lag)
    let isKnown =
      navigator.time.seconds(since: navigator.lastFix) < Self.known.age
      && variance.squareRoot() < Self.known.part * speed
    switch window.spacing {
    case .perMetre:
      if isKnown { search(likelihoods, window) }
    case .speed(let step):
      let excess = speed - carriedOn(navigator, speed: speed)
      if let curve = trust.curve, navigator.needsVibration,
        var word = SpeedPosterior(likelihoods, curve: curve, step: step, mean: excess, prior: variance)
      {
        let floor = 0.02 + 0.001 * speed
        word.variance += floor * floor
        navigator.update(word, lag: lag, report: report)
      }
      if isKnown { learn(likelihoods, window, step: step, sigma: variance.squareRoot()) }
    }
  }

  // MARK: Learning

  /// Adds a window to the search, and ends it if one spacing stands out.
  private mutating func search(_ likelihoods: LineStrength.LogLikelihoods, _ window: ShakingWindow) {
    strength.learnNoise(window.scan) { _ in true }
    let contrast = likelihoods.contrast
    searchScore += alignment.predictiveGain(of: contrast)
    let peak = align(contrast, shift: 0, temper: 0.7, fade: 0.98)
    guard searchScore > Self.found else { return }
    frequency = Self.searched.middle + (peak - Double(LineScan.middle)) * Self.searched.step
    startLearning()
  }

  /// Learns from a window of lines whose true speed is known.
  private mutating func learn(
    _ likelihoods: LineStrength.LogLikelihoods, _ window: ShakingWindow, step: Double, sigma: Double
  ) {
    let offset = window.meanExcess / step
    guard abs(offset) <= 12 else { return }
    let truth = HypothesisWeights(middle: Double(LineScan.middle) + offset, sigma: sigma / step)
    trust.add(likelihoods, truth: truth)
    strength.learn(window.scan, likelihoods, truth: truth)
    guard let frequency else { return }
    let peak =
      align(likelihoods, shift: Int(offset.rounded()), temper: 0.7, fade: 0.97) - Double(LineScan.middle)
    let relative = step * window.time / window.distance
    if trust.windows >= 4 {
      // Several steps off, it was found wrongly, or a tyre was changed; less is its warmth.
      let isElsewhere =
        abs(peak) >= 1 && alignment[LineScan.middle + Int(peak.rounded())] > alignment[LineScan.middle] + 4
      self.frequency = frequency * (1 + (isElsewhere ? peak : 0.05 * max(-1, min(1, peak))) * relative)
      if isElsewhere { alignment = alignment.shifted(by: Int(peak.rounded())) }
    }
    if trust.windows >= Self.patience, trust.score < 1 {
      self.frequency = nil
      strength = LineStrength()
      startLearning()
    }
  }

  private mutating func startLearning() {
    trust = LineTrust(score: searchScore)
    searchScore = 0
    alignment = LineStrength.LogLikelihoods(repeating: 0)
  }

  /// Adds log-likelihoods to the alignment; gives its peak, in steps, between the hypotheses.
  private mutating func align(
    _ likelihoods: LineStrength.LogLikelihoods, shift: Int, temper: Double, fade: Double
  ) -> Double {
    var best = 0
    for j in 0..<LineScan.hypotheses {
      let from = min(max(j + shift, 0), LineScan.hypotheses - 1)
      alignment[j] = alignment[j] * fade + temper * likelihoods[from]
      if alignment[j] > alignment[best] { best = j }
    }
    guard best > 0, best < LineScan.hypotheses - 1 else { return Double(best) }
    let (a, b, c) = (alignment[best - 1], alignment[best], alignment[best + 1])
    let bend = a - 2 * b + c
    return Double(best) + (bend < 0 ? 0.5 * (a - c) / bend : 0)
  }

  private mutating func whitened(_ difference: Vector3, dt: Double) -> Vector3 {
    let square = difference.scaled(by: difference)
    if energy == .zero { energy = square }
    energy += (square - energy) * min(1, dt)
    func unit(_ value: Double, _ energy: Double) -> Double { energy > 0 ? value / energy.squareRoot() : 0 }
    return Vector3(
      unit(difference.x, energy.x), unit(difference.y, energy.y), unit(difference.z, energy.z))
  }
}
