/// What is known of the lines that the wheels make: how many turns they do a metre, how far they stand
/// out, and what that is worth.
package struct WheelLines: Sendable {
  /// Turns of a wheel per metre that are scanned. Those that are looked for lie a contrast inside: 0.41 to
  /// 0.64, for circumferences of 1.56 to 2.43 m. [chosen]
  static let searched = (middle: 0.525, step: 0.0057, most: 0.70)
  /// Logarithm of the likelihood ratio by which another spacing has to be better than the one believed in.
  /// [chosen]
  private static let found = 6.0
  /// Windows after which lines that turned out useless are looked for anew. [chosen]
  private static let patience = 30
  /// Slope of the alignment's likelihoods: the cells are not independent. With 0.7, 0.5, 0.35 the lines of
  /// eight drives are found after 6 to 47, 8 to 43, 9 to 42 windows, and none on three without.
  /// [measured on boulder and seven of ontario; on karlsruhe-1, tokyo-odaiba and nagoya-rtk]
  private static let slope = 0.5
  /// Slopes to score and parts to learn before the alignment.
  private static let learningSteps = LinePart.count + 3

  /// Errors of the speed that the lines are learned by last for about so many windows. [chosen]
  private static let correlatedWindows = 4.0
  /// Windows after which what was learned of their spacing is forgotten, and its least relative
  /// standard deviation. [chosen]
  private static let memory = 60.0, leastSigma = 0.001

  /// Turns per metre; nil while searching.
  package private(set) var frequency: Double?
  var strength = LineStrength()
  private(set) var trust = LineTrust()
  private var evidence = LineEvidence()
  /// Sum of the log-likelihoods of each spacing of the lines, about the one believed in.
  private var alignment = LineStrength.LogLikelihoods(repeating: 0)
  /// Inverse of the relative variance of the spacing, as far as the windows' speeds tell it.
  private var information = 0.0

  init() {}

  /// Whether they are used to measure the speed.
  package var areTrusted: Bool { frequency != nil && evidence.isEnough }

  /// Relative standard deviation of the spacing.
  var relativeSigma: Double {
    (1 / max(information, 1) + Self.leastSigma * Self.leastSigma).squareRoot()
  }

  /// Takes note of how well the speed of a window, that is learned from, was known.
  private mutating func addInformation(_ window: borrowing ShakingWindow, _ reading: borrowing WindowReading)
  {
    let relative = max(reading.knownSigma ?? 1, 0.01) * window.time / window.distance
    information = information * (1 - 1 / Self.memory) + 1 / (Self.correlatedWindows * relative * relative)
  }

  /// Goes one step on in learning from a window whose speed is known; true after the last.
  mutating func learn(_ window: inout ShakingWindow, _ reading: borrowing WindowReading, step: Int) -> Bool {
    switch window.spacing {
    case .perMetre:
      search(window, reading)
      return true
    case .speed(let spacing):
      let offset = window.meanExcess / spacing
      guard abs(offset) <= 12 else { return true }
      let truth = HypothesisWeights(
        middle: Double(LineScan.middle) + offset, sigma: (reading.knownSigma ?? 0) / spacing)
      // What is scored first is what was believed before the window.
      switch step {
      case 0..<3:
        if let gain = trust.add(reading.likelihoods, truth: truth, slope: step) {
          evidence.add(gain, speed: window.distance / window.time)
        }
      case 3..<Self.learningSteps:
        strength.learn(&window.scan, reading, truth: truth, LinePart(step - 3))
      default:
        let part = spacing * window.time / window.distance
        addInformation(window, reading)
        settle(reading.likelihoods, offset: Int(offset.rounded()), part: part)
        return true
      }
      return false
    }
  }

  /// Adds a window, whose noise has been learned, to the search, and ends it if one spacing stands out.
  private mutating func search(_ window: borrowing ShakingWindow, _ reading: borrowing WindowReading) {
    let contrast = reading.likelihoods.contrast
    evidence.add(
      alignment.predictiveGain(of: contrast, slope: Self.slope), speed: window.distance / window.time)
    let peak = align(contrast, shift: 0, memory: 50)
    addInformation(window, reading)
    // At the edge of what is searched the peak is no number: it may lie beyond.
    guard evidence.isEnough, peak.isFinite else { return }
    frequency = Self.searched.middle + (peak - Double(LineScan.middle)) * Self.searched.step
    trust = LineTrust()
    alignment = LineStrength.LogLikelihoods(repeating: 0)
  }

  /// Follows the lines' spacing; each step of the hypotheses is a `part` of it.
  private mutating func settle(_ likelihoods: LineStrength.LogLikelihoods, offset: Int, part: Double) {
    guard let frequency else { return }
    let peak = align(likelihoods, shift: offset, memory: 33) - Double(LineScan.middle)
    if trust.windows >= 4 {
      // Several steps off, it was found wrongly, or a tyre was changed; less is its warmth.
      let steps = Int(peak.rounded())
      let isElsewhere =
        steps != 0 && alignment[LineScan.middle + steps] > alignment[LineScan.middle] + Self.found
      self.frequency = frequency * (1 + (isElsewhere ? peak : 0.05 * max(-1, min(1, peak))) * part)
      if isElsewhere { alignment = alignment.shifted(by: steps) }
    }
    if trust.windows >= Self.patience, evidence.isLost { self = WheelLines() }
  }

  /// Adds log-likelihoods to the alignment; gives its peak, in steps, between the hypotheses.
  private mutating func align(_ likelihoods: LineStrength.LogLikelihoods, shift: Int, memory: Double)
    -> Double
  {
    var best = 0
    let likelihood = likelihoods.span
    for j in 0..<LineScan.hypotheses {
      let from = min(max(j + shift, 0), LineScan.hypotheses - 1)
      alignment[j] = alignment[j] * (1 - 1 / memory) + Self.slope * likelihood[from]
      if alignment[j] > alignment[best] { best = j }
    }
    guard best > 0, best < LineScan.hypotheses - 1 else { return Double(best) }
    let (a, b, c) = (alignment[best - 1], alignment[best], alignment[best + 1])
    let bend = a - 2 * b + c
    return Double(best) + (bend < 0 ? 0.5 * (a - c) / bend : 0)
  }
}
