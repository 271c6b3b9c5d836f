import LinearAlgebra
import Navigation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How far off the position may be for errors of the fixes that change over minutes: ionosphere, orbits, reference
/// stations, and reflections where the car stays.
///
/// Fixes wander off the dead-reckoned track for three reasons: the track drifts, multipath changes with time and place,
/// and the slow errors change. How much of it is whose is not known, so that filters of different slow errors and
/// multipath follow the same wandering, and count by how well they foretold it (multiple-model adaptive estimation:
/// Magill 1965; Bar-Shalom, Li and Kirubarajan, Estimation with Applications to Tracking and Navigation, section 11.6).
/// What a short while cannot tell stays open: until a large slow error is disproved, the variance has it.
package struct SlowErrors: Sendable {
  /// Standard deviations per axis of the slow error, m. [chosen: 0 of RTK, 8 of a receiver without corrections at its
  /// worst]
  private static let sigmas: InlineArray<5, Double> = [0, 1, 2, 4, 8]
  /// Its correlation time, s. [measured: 120, 150, 200, 300 s on 100 variants of `reckon stress`, seeds 1001:1004, with an
  /// error of 3 to 5 m that lasts for 60 to 190 s, have 90, 91, 92, 94 % inside the 95 % radius, and 74.2, 74.6, 75.0,
  /// 75.9 % inside the 68 % radius on the drives as they are]
  private static let correlationTime = 200.0
  /// Variance of the multipath, as a part of what is believed of the lasting error. [measured: as above; with one alone
  /// either it is taken for a slow error, or a slow error for it]
  private static let multipathShares: InlineArray<2, Double> = [0.1, 2]
  /// Errors of the velocity that the track is made of last this long, s. [measured: as above, 3, 5, 10 s: misleading for
  /// 290, 320, 880 s]
  private static let driftTime = 5.0
  /// Least standard deviation of that velocity, m/s. [chosen: a filter is surest where it should not be]
  private static let leastVelocitySigma = 0.05
  /// How well a model foretold counts for this long, s. [chosen: 100 and 300 were no different]
  private static let memory = 200.0
  /// Time between the fixes that are compared, s: what changes faster is white. [chosen: 0, 0.5, 2 were no different]
  private static let interval = 0.95
  /// A pause after which track and fixes are compared anew, s. [chosen: as ``ReceiverModel/Parameters/longestPause``]
  private static let longestPause = 6.0
  /// Degrees of freedom of the innovations (Student's t). [chosen: tails as those of urban fixes]
  private static let degreesOfFreedom = 5.0
  /// Normalized innovation squared beyond which the track or the fixes have leapt: that says nothing of what changes
  /// slowly. [chosen: 20 and 80 were no different]
  private static let leap = 40.0
  /// Part of the squared distance between the navigator's position and that of the models that counts as variance: it
  /// knows more than they do. [measured by `reckon stress` on 500 variants, seeds 1001:1010 and 2001:2010: with 0, 0.1,
  /// 0.2, 1 misleading for 0.22, 0.20, 0.19, 0.17 % of the time, 70.8, 71.7, 72.3, 85.4 % inside the 68 % radius, 96.3,
  /// 97.7, 99.1, 99.4 % inside the 95 % radius]
  private static let apartShare = 0.1

  private var models = InlineArray<10, Model>(repeating: Model())
  /// Offset of the fixes from the track since they are compared, m.
  private var offset = SIMD2<Double>.zero
  /// What is left of multipath since the fix that was compared last, 0 to 1.
  private var fade = 1.0
  private var last: Timestamp?

  /// Variance per horizontal axis of the navigator's position, for all that track and fixes tell, m²; 0 before there was
  /// a fix.
  package private(set) var positionVariance = 0.0

  package init() {}

  /// Takes a fix.
  ///
  /// - Parameters:
  ///   - fade: what is left of multipath since the fix before, 0 to 1.
  ///   - errors: what is believed of the fix, m².
  package mutating func add(_ track: TrackAtFix, at time: Timestamp, fade: Double, errors: FixErrors) {
    let elapsed = last.map { time.seconds(since: $0) } ?? .infinity
    guard elapsed <= Self.longestPause else {
      begin(at: track, errors)
      last = time
      return
    }
    offset += SIMD2(track.step.x, track.step.y)
    self.fade *= fade
    guard elapsed > Self.interval else { return }
    let left = exp(-elapsed / Self.correlationTime)
    let sure = Self.leastVelocitySigma * Self.leastVelocitySigma
    let velocityVariance = (track.velocityVariance.x + track.velocityVariance.y) / 2
    let drift = 2 * max(velocityVariance, sure) * Self.driftTime * elapsed
    var least = Double.infinity
    for i in 0..<10 {
      models[i].predict(
        slow: (left, variance(ofSlow: i)), multipath: (self.fade, variance(ofMultipath: i, errors)),
        drift: drift)
      least = min(least, models[i].normalized(offset, white: errors.white.x))
    }
    compare(track, white: errors.white.x, memory: exp(-elapsed / Self.memory), hasLeapt: least > Self.leap)
    last = time
    self.fade = 1
  }

  private func variance(ofSlow i: Int) -> Double { Self.sigmas[i / 2] * Self.sigmas[i / 2] }
  private func variance(ofMultipath i: Int, _ errors: FixErrors) -> Double {
    Self.multipathShares[i % 2] * errors.lasting.x
  }

  /// Track and fixes are compared from here on; how well the models foretold until now stands.
  private mutating func begin(at track: TrackAtFix, _ errors: FixErrors) {
    (offset, fade) = (.zero, 1)
    for i in 0..<10 {
      models[i].begin(slow: variance(ofSlow: i), multipath: variance(ofMultipath: i, errors))
    }
    // What is known of it from this one fix.
    compare(track, white: errors.white.x, memory: 1, hasLeapt: true)
  }

  /// Takes the offset to all models, and works out the variance of all of them together.
  private mutating func compare(_ track: TrackAtFix, white: Double, memory: Double, hasLeapt: Bool) {
    var best = -Double.infinity
    for i in 0..<10 {
      if hasLeapt { models[i].leap(to: offset) }
      models[i].update(offset, white: white, memory: memory, counts: !hasLeapt, Self.degreesOfFreedom)
      best = max(best, models[i].logWeight)
    }
    var (sum, variance, square) = (0.0, 0.0, 0.0)
    var mean = SIMD2<Double>.zero
    for i in 0..<10 {
      let weight = exp(models[i].logWeight - best)
      let way = models[i].way
      sum += weight
      variance += weight * models[i].wayVariance
      mean += weight * way
      square += weight * (way * way).sum()
    }
    mean /= sum
    let apart = offset - SIMD2(track.residual.x, track.residual.y) - mean
    positionVariance =
      variance / sum + max(0, square / sum - (mean * mean).sum()) / 2
      + Self.apartShare * (apart * apart).sum() / 2
  }
}

extension SlowErrors {
  /// A Kalman filter of the offset of the fixes from the track, for one pair of variances: how far the track lies from
  /// the truth, the slow error and the multipath, north and east alike.
  private struct Model: Sendable {
    /// How far the track lies from the truth, m.
    var way = SIMD2<Double>.zero
    private var slow = SIMD2<Double>.zero, multipath = SIMD2<Double>.zero
    /// Covariance per axis, m²: of the way (w), the slow error (s) and the multipath (m).
    private var ww = 0.0, ws = 0.0, wm = 0.0, ss = 0.0, sm = 0.0, mm = 0.0
    /// How well it foretold, as a logarithm.
    private(set) var logWeight = 0.0

    /// Where the track lies is not known before the first fix, m². [chosen]
    private static let unknown = 1e4

    var wayVariance: Double { ww }

    mutating func begin(slow: Double, multipath: Double) {
      (way, self.slow, self.multipath) = (.zero, .zero, .zero)
      (ww, ws, wm, ss, sm, mm) = (Self.unknown, 0, 0, slow, 0, multipath)
    }

    /// The track lies anywhere; the errors are as they were.
    mutating func leap(to offset: SIMD2<Double>) {
      way = offset - slow - multipath
      (ww, ws, wm) = (Self.unknown, 0, 0)
    }

    /// Lets the errors fade to what is left of them, and grow to their variances.
    mutating func predict(
      slow: (left: Double, variance: Double), multipath: (left: Double, variance: Double), drift: Double
    ) {
      let (a, b) = (slow.left, multipath.left)
      self.slow *= a
      self.multipath *= b
      ww += drift
      ws *= a
      wm *= b
      ss = a * a * ss + (1 - a * a) * slow.variance
      sm *= a * b
      mm = b * b * mm + (1 - b * b) * multipath.variance
    }

    private func innovation(_ offset: SIMD2<Double>) -> SIMD2<Double> { offset - way - slow - multipath }

    /// Normalized innovation squared of an offset.
    func normalized(_ offset: SIMD2<Double>, white: Double) -> Double {
      let r = innovation(offset)
      return (r * r).sum() / (ww + ss + mm + 2 * (ws + wm + sm) + white)
    }

    /// Takes an offset, as one whose error has the tails of Student's t; it `counts` where it was foretold.
    mutating func update(
      _ offset: SIMD2<Double>, white: Double, memory: Double, counts: Bool, _ degreesOfFreedom: Double
    ) {
      let r = innovation(offset)
      let (w, s, m) = (ww + ws + wm, ws + ss + sm, wm + sm + mm)
      let own = w + s + m
      let square = (r * r).sum() / (own + white)
      let tail = 1 + square / degreesOfFreedom
      logWeight *= memory
      if counts { logWeight -= log(own + white) + (degreesOfFreedom + 2) / 2 * log(tail) }
      let trust = min(1, (degreesOfFreedom + 2) / (degreesOfFreedom + square))
      let inverse = 1 / (own + white / trust)
      way += r * (w * inverse)
      slow += r * (s * inverse)
      multipath += r * (m * inverse)
      ww -= w * w * inverse
      ws -= w * s * inverse
      wm -= w * m * inverse
      ss -= s * s * inverse
      sm -= s * m * inverse
      mm -= m * m * inverse
    }
  }
}
