import Navigation

/// How far a full window has been read.
struct WindowReading: Sendable {
  /// When the window was full.
  let closed: Timestamp
  /// Standard deviation of its mean speed, m/s, where fixes made it known.
  let knownSigma: Double?
  /// The next step.
  var step = 0
  /// Likelihood of each hypothesis over that of no line, and at last its logarithm.
  var likelihoods = LineStrength.LogLikelihoods(repeating: 1)
}
