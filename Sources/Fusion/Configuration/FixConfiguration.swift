/// What is assumed of the errors of fixes; what is learned of them is `ReceiverModel`'s.
public struct FixConfiguration: Sendable {
  /// Degrees of freedom of the t distributions of innovations: the tails of urban fixes, of which those of
  /// the velocity are the heavier. [chosen: tails that a normal distribution has not]
  public var positionDegreesOfFreedom = 4.0, velocityDegreesOfFreedom = 3.0
  /// A height that leaps by less from one fix to the next is weighed as any other, m.
  /// [chosen: multipath of a canyon]
  public var heightLeap = 30.0

  /// The defaults.
  public init() {}
}

/// When other headings get a chance beside the navigator's, and when they win.
public struct ChallengeConfiguration: Sendable {
  /// Time over which agreement of the fixes with the solution is judged, s. [chosen: ten fixes at 1 Hz]
  public var agreementTime = 10.0
  /// Mean weight of the fixes under which other headings get a chance again.
  /// [chosen: half of what agreement has]
  public var leastAgreement = 0.5
  /// Velocity errors this many times as large as stated give them a chance too. [chosen]
  public var largestVelocityScale = 4.0
  /// They win with this much more log-likelihood on the same fixes.
  /// [chosen: those of a canyon are not independent]
  public var winningMargin = 50.0
  /// A challenge that has not been decided after this time begins anew, s. [chosen: a few turns in town]
  public var longest = 120.0

  /// The defaults.
  public init() {}
}
