import LinearAlgebra

extension ReceiverModel {
  /// Settings of the model.
  package struct Parameters: Sendable {
    /// Standard deviation in metres, per axis, of a fix that states none. [chosen]
    package var unstatedPositionSigma = 1.4
    /// What the first position after a pause is off by besides, where it states nothing, m per axis, and the
    /// time over which that fades, s. [measured on two receivers: 33.1, 20.7, 5.6 and 4.5 m off 0, 1, 3, 5 s
    /// after 40 s of nagoya-rtk, 14.4, 10.5, 11.0, 7.4 m after 47 s; 7.6, 3.0, 1.4 m 1, 3, 5 s after 128 s of
    /// ontario-garage-1, 1.7, 3.0, 2.3 m after 59 s]
    package var reacquisitionSigma = 8.0, reacquisitionTime = 3.0
    /// Standard deviation in m/s, per axis, of a velocity that states none. [chosen]
    package var unstatedVelocitySigma = 0.15
    /// Share of the stated variance in the white part, at first. [chosen]
    package var whiteNoiseRatio = 0.3
    /// Share of the stated variance in the lasting part, at first: most receivers state too little. [chosen]
    package var lastingShare = 1.5
    /// Whether there is a lasting part at all.
    package var hasLastingError = true
    /// Variance of an error of the height that stays for the whole drive, as a share of the lasting part's:
    /// nothing in the fixes shows it, and the stated accuracy has to hold it all the same. [chosen]
    package var constantHeightShare = 0.4
    /// Correlation time of the lasting part in s. [chosen]
    package var correlationTime = 60.0
    /// Correlation time of the lasting part while the car stands, in s: its multipath is frozen, the
    /// satellites move on. [chosen]
    package var standingCorrelationTime = 300.0
    /// Correlation distance of the lasting part in m. [chosen]
    package var correlationDistance = 200.0
    /// Vertical errors of position and velocity against horizontal ones where only the horizontal accuracy is
    /// stated. [chosen: satellites are above alone]
    package var verticalRatio = 2.0
    /// Smallest standard deviation of a position: timing and lever arm errors of a
    /// perfect receiver, m. [chosen]
    package var positionFloor = 0.03
    /// Smallest standard deviation of a velocity, m/s. [chosen]
    package var velocityFloor = 0.03
    /// Velocity errors last this long: a faster receiver says less per fix, s. [chosen]
    package var velocityCorrelationTime = 0.4
    /// What is foreseen of a velocity that lags is off for so many times its lag. 6, at 1.5 m, costs austin,
    /// a phone that lags, its outages of 30 s: P95 78 m, 30 m with 3.
    /// [measured on 30 drives whose velocity lags: mean P95 2.0, 1.8, 1.6, 1.7 m with 1.0, 2.0, 3.0, 4.0]
    package var lagCorrelation = 3.0
    /// Time over which the lasting part is learned, and over which fixes are compared with the dead-reckoned
    /// track, s. [chosen: multipath and the ionosphere change over one to three minutes]
    package var lastingMemory = 60.0
    /// Errors of the velocity that the track is made of last this long, s. [chosen]
    package var driftCorrelationTime = 10.0
    /// The lasting part is believed at first as if it had been seen for this long, s. [chosen]
    package var lastingPrior = 20.0
    /// The lasting part of a receiver that states no accuracy is believed at first as for this long:
    /// a mere guess, s. [chosen]
    package var unstatedPrior = 5.0
    /// Largest standard deviations of the white and the lasting part, m: a fix that states more is hardly
    /// used, and must not spoil what is believed of those after it. [chosen]
    package var largestWhiteSigma = 1000.0, largestLastingSigma = 100.0
    /// Largest standard deviation of a velocity, m/s. [chosen]
    package var largestVelocitySigma = 100.0
    /// A stated standard deviation under this is taken for this at first, m: a fix that is good to a
    /// centimetre shows it soon, and one that only says so is not believed. [chosen]
    package var believedSigma = 0.3
    /// Smallest share of the stated variance that is believed to be in the white and in
    /// the lasting part. [chosen]
    package var leastWhiteShare = 0.3, leastLastingShare = 0.8
    /// What lasts for longer than the comparison is only seen in part: the lasting part is this much
    /// larger than it looks. [chosen]
    package var lastingGain = 1.5
    /// Smallest share of the lasting part in the errors of a minute: what looks white may
    /// last all the same. [chosen]
    package var leastLasting = 0.1
    /// Errors this far apart in time are not compared, s. [chosen]
    package var longestPause = 6.0
    /// The scale of the velocity is no more than this times that of the guard, or than this. [chosen]
    package var largestVelocityRatio = 2.5
    /// How fast the scale of the velocity follows the innovations, per fix. [chosen]
    package var adaptation = 0.04
  }

  /// Horizontal (per axis) and vertical variance in units of the stated one, learned from as many
  /// samples as `weight` says.
  struct LearnedVariance: Sendable {
    var horizontal: Double
    var vertical: Double
    var weight: Double

    /// A square counts up to so many times the variance so far. [chosen: 3 sigma]
    static let clip = 9.0

    /// Takes the square of an error, clipped, as `share` of a sample.
    mutating func add(_ error: Vector3, share: Double, memory: Double, drift: Vector3 = .zero) {
      weight = min(weight + share, memory)
      let gain = share / (weight + 1e-9)
      let h = (error.x * error.x + error.y * error.y) / 2
      let drifted = (drift.x + drift.y) / 2
      horizontal +=
        gain * (Self.own(min(h, Self.clip * (horizontal + drifted)), horizontal, drifted) - horizontal)
      vertical +=
        gain
        * (Self.own(min(error.z * error.z, Self.clip * (vertical + drift.z)), vertical, drift.z) - vertical)
    }

    /// What of a square is the error's own where something else of variance `drift` is in it as well: its
    /// share, so that a variance that explains the squares stays, and one that they fall short of shrinks.
    private static func own(_ square: Double, _ variance: Double, _ drift: Double) -> Double {
      square * variance / (variance + drift + 1e-12)
    }
  }
}
