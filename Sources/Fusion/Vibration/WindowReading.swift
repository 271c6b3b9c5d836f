import Navigation

/// How far a full window has been read.
struct WindowReading: Sendable {
  /// Whether there is one: not an optional, whose 500 bytes would be copied out and back at each step.
  var isGoingOn = false
  /// When the window was full.
  var closed = Timestamp(nanoseconds: 0)
  /// Standard deviation of its mean speed, m/s, where fixes made it known.
  var knownSigma: Double?
  /// The next step.
  var step = 0
  /// Likelihood of each hypothesis over that of no line, and at last its logarithm.
  var likelihoods = LineStrength.LogLikelihoods(repeating: 1)
}
