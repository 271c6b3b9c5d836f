import Navigation

/// How far a full window has been read.
struct WindowReading: Sendable {
  /// When the window was full.
  var closed = Timestamp(nanoseconds: 0)
  /// Standard deviation of its mean speed, m/s, where fixes made it known.
  var knownSigma: Double?
  /// The next step.
  var step = 0
  /// Likelihood of each hypothesis over that of no line, and at last its logarithm.
  var likelihoods = LineStrength.LogLikelihoods(repeating: 1)
  /// The same by those axes of a harmonic that were read so far.
  var ofHarmonic = HarmonicRatios()
  /// Where the first line of every four hypotheses lies in the noise's spectrum.
  private var places = InlineArray<16, Float>(repeating: 0)

  init() {}

  /// Begins to read a window that was full at `time`.
  init(_ window: borrowing ShakingWindow, closed time: Timestamp, knownSigma: Double?) {
    closed = time
    self.knownSigma = knownSigma
    let line = window.lineFrequency
    for i in places.indices {
      let hypothesis = 4 * Double(i) + 1.5 - Double(LineScan.middle)
      places[i] = LineNoise.place(hertz: line.middle + hypothesis * line.step)
    }
  }

  /// Where the lines of a harmonic lie, the first being 0.
  func places(_ harmonic: Int) -> InlineArray<16, Float> {
    let higher = LineNoise.place(hertz: Double(harmonic + 1))
    var result = places
    for i in result.indices { result[i] += higher }
    return result
  }
}

/// Likelihood ratios of all hypotheses by the axes of a harmonic, four a vector.
struct HarmonicRatios: Sendable {
  var product = InlineArray<16, SIMD4<Float>>(repeating: .one)
  /// That of the axis that says most.
  var largest = InlineArray<16, SIMD4<Float>>(repeating: .init(repeating: .leastNormalMagnitude))
}

/// Two axes of a harmonic, which are read in one step.
struct LinePart {
  private static let inHarmonic = LineScan.axes / 2
  /// Of all axes and harmonics.
  static let count = inHarmonic * LineScan.harmonics
  let harmonic: Int
  let axes: Range<Int>
  var isFirst: Bool { axes.lowerBound == 0 }
  var isLast: Bool { axes.upperBound == LineScan.axes }

  init(_ index: Int) {
    harmonic = index / Self.inHarmonic
    let first = 2 * (index % Self.inHarmonic)
    axes = first..<first + 2
  }
}
