import CLibrary
import LinearAlgebra
import Navigation

/// How far off the position may be for errors of the fixes that change over minutes: ionosphere, orbits,
/// reference stations, and reflections where the car stays.
///
/// Fixes wander off the dead-reckoned track for three reasons: the track drifts, multipath changes with time
/// and place, and the slow errors change. How much of it is whose is not known, so that filters of different
/// slow errors and multipath follow the same wandering, and count by how well they foretold it
/// (multiple-model adaptive estimation: Magill 1965; Bar-Shalom, Li and Kirubarajan, Estimation with
/// Applications to Tracking and Navigation, section 11.6). What a short while cannot tell stays open: until a
/// large slow error is disproved, the variance has it.
package struct SlowErrors: Sendable {
  /// Standard deviations per axis of the slow error, m.
  /// [chosen: 0 of RTK, 8 of a receiver without corrections at its worst]
  private static let sigmas: InlineArray<5, Double> = [0, 1, 2, 4, 8]
  /// Its correlation time, s. [measured: 120, 150, 200, 300 s on 100 variants of `reckon stress`, seeds
  /// 1001:1004, with an error of 3 to 5 m that lasts for 60 to 190 s, have 90, 91, 92, 94 % inside the 95 %
  /// radius, and 74.2, 74.6, 75.0, 75.9 % inside the 68 % radius on the drives as they are]
  private static let correlationTime = 200.0
  /// Variance of the multipath, as a part of what is believed of the lasting error.
  /// [measured: as above; with one alone either it is taken for a slow error, or a slow error for it]
  private static let multipathShares = SIMD2(0.1, 2)
  /// Errors of the velocity that the track is made of last this long, s.
  /// [measured: as above, 3, 5, 10 s: misleading for 290, 320, 880 s]
  private static let driftTime = 5.0
  /// Least standard deviation of that velocity, m/s. [chosen: a filter is surest where it should not be]
  private static let leastVelocitySigma = 0.05
  /// Which model is true stays so for this long, s; then any may be. [measured by `reckon stress` on 500
  /// variants, seeds 1001:1010 and 2001:2010: with 200, 300, 400, 600, 1000, 4000 misleading for 0.14, 0.16,
  /// 0.17, 0.18, 0.18, 0.19 % of the time; 97.9, 97.5, 97.3, 97.1, 97.0, 96.9 % inside the 95 % radius]
  private static let constancy = 1000.0
  /// Time between the fixes that are compared, s: what changes faster is white.
  /// [chosen: 0, 0.5, 2 were no different]
  private static let interval = 0.95
  /// A pause after which track and fixes are compared anew, s.
  /// [chosen: as ``ReceiverModel/Parameters/longestPause``]
  private static let longestPause = 6.0
  /// Normalized innovation squared beyond which the track or the fixes have leapt: that says nothing of what
  /// changes slowly. [chosen: 20 and 80 were no different]
  private static let leap = 40.0
  /// For each standard deviation of the slow error, with both multipaths.
  private var models = InlineArray<5, Models>(repeating: Models())
  /// Offset of the fixes from the track since they are compared, m.
  private var offset = SIMD2<Double>.zero
  /// What is left of multipath since the fix that was compared last, 0 to 1.
  private var fade = 1.0
  private var last: Timestamp?

  /// Variance per horizontal axis of the navigator's position, for all that track and fixes tell, m²;
  /// 0 before there was a fix.
  package private(set) var positionVariance = 0.0

  /// Part of the track's own wandering that is to be believed in, 0 to 1, by the probability p that what
  /// wanders is the track, as far as velocity errors let it, and next to nothing of it the fixes. A mixture
  /// of filters would take the mean of their corrections, and a correction grows by less than its variance:
  /// the powers 1, 2, 3, 4, 6 of p give open-sky-commute a P50 of 1.00, 0.81, 0.67, 0.61, 0.59 m,
  /// ontario-slow-low-signal 1.50, 1.51, 1.51, 1.53, 1.56 m, and all 1, 0.995, 0.988, 0.985, 0.988 of the
  /// first. [measured on 25 drives]
  package var trackShare: Double {
    let square = models[0].weight.x * models[0].weight.x
    return square * square
  }

  package init() {}

  /// Takes a fix.
  ///
  /// - Parameters:
  ///   - fade: what is left of multipath since the fix before, 0 to 1.
  ///   - errors: what is believed of the fix, m².
  package mutating func add(_ track: TrackAtFix, at time: Timestamp, fade: Double, errors: FixErrors) {
    let elapsed = last.map { time.seconds(since: $0) } ?? .infinity
    let multipath = Self.multipathShares * errors.lasting.x
    guard elapsed <= Self.longestPause else {
      begin(multipath: multipath, white: errors.white.x)
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
    for i in 0..<5 {
      models[i].predict(
        slow: (left, Self.sigmas[i] * Self.sigmas[i]), multipath: (self.fade, multipath), drift: drift)
      least = min(least, models[i].normalized(offset, white: errors.white.x).min())
    }
    if least <= Self.leap {
      count(white: errors.white.x, changed: min(1, elapsed / Self.constancy))
    } else {
      for i in 0..<5 { models[i].leap(to: offset) }
    }
    take(white: errors.white.x)
    last = time
    self.fade = 1
  }

  /// Track and fixes are compared from here on; how well the models foretold until now stands.
  private mutating func begin(multipath: SIMD2<Double>, white: Double) {
    (offset, fade) = (.zero, 1)
    for i in 0..<5 { models[i].begin(slow: Self.sigmas[i] * Self.sigmas[i], multipath: multipath) }
    // What is known of it from this one fix.
    take(white: white)
  }

  /// Weighs the models by how well they foretold the offset.
  private mutating func count(white: Double, changed: Double) {
    var sum = 0.0
    for i in 0..<5 {
      models[i].weight *= models[i].density(offset, white: white)
      sum += models[i].weight.sum()
    }
    // As many weights as there are models share what may have changed.
    let (scale, share) = ((1 - changed) / sum, changed / 10)
    for i in 0..<5 { models[i].weight = models[i].weight * scale + share }
  }

  /// Takes the offset to all models, and works out the variance of all of them together.
  private mutating func take(white: Double) {
    var (variance, north, east, square) = (0.0, 0.0, 0.0, 0.0)
    for i in 0..<5 {
      models[i].update(offset, white: white)
      let weight = models[i].weight
      let (n, e) = (models[i].wayNorth, models[i].wayEast)
      variance += (weight * models[i].wayVariance).sum()
      north += (weight * n).sum()
      east += (weight * e).sum()
      square += (weight * (n * n + e * e)).sum()
    }
    positionVariance = variance + max(0, square - north * north - east * east) / 2
  }
}

extension SlowErrors {
  /// Two Kalman filters of the offset of the fixes from the track, one for each multipath: how far the track
  /// lies from the truth, the slow error and the multipath, north and east alike.
  private struct Models: Sendable {
    typealias Pair = SIMD2<Double>

    /// How far the track lies from the truth, m.
    private(set) var wayNorth = Pair.zero, wayEast = Pair.zero
    private var slowNorth = Pair.zero, slowEast = Pair.zero
    private var multipathNorth = Pair.zero, multipathEast = Pair.zero
    /// Covariance per axis, m²: of the way (w), the slow error (s) and the multipath (m).
    private var ww = Pair.zero, ws = Pair.zero, wm = Pair.zero, ss = Pair.zero, sm = Pair.zero, mm = Pair.zero
    /// Probability.
    var weight = Pair(repeating: 0.1)

    /// Where the track lies is not known before the first fix, m². [chosen]
    private static let unknown = 1e4
    /// Degrees of freedom of the innovations (Student's t). [chosen: tails as those of urban fixes]
    private static let degreesOfFreedom = 5.0

    var wayVariance: Pair { ww }

    mutating func begin(slow: Double, multipath: Pair) {
      (wayNorth, wayEast, slowNorth, slowEast) = (.zero, .zero, .zero, .zero)
      (multipathNorth, multipathEast) = (.zero, .zero)
      (ww, ws, wm) = (Pair(repeating: Self.unknown), .zero, .zero)
      (ss, sm, mm) = (Pair(repeating: slow), .zero, multipath)
    }

    /// The track lies anywhere; the errors are as they were.
    mutating func leap(to offset: SIMD2<Double>) {
      wayNorth = offset.x - slowNorth - multipathNorth
      wayEast = offset.y - slowEast - multipathEast
      (ww, ws, wm) = (Pair(repeating: Self.unknown), .zero, .zero)
    }

    /// Lets the errors fade to what is left of them, and grow to their variances.
    mutating func predict(
      slow: (left: Double, variance: Double), multipath: (left: Double, variance: Pair), drift: Double
    ) {
      let (a, b) = (slow.left, multipath.left)
      slowNorth *= a
      slowEast *= a
      multipathNorth *= b
      multipathEast *= b
      ww += drift
      ws *= a
      wm *= b
      ss = ss * (a * a) + (1 - a * a) * slow.variance
      sm *= a * b
      mm = mm * (b * b) + multipath.variance * (1 - b * b)
    }

    private func innovation(_ offset: SIMD2<Double>) -> (north: Pair, east: Pair) {
      (offset.x - wayNorth - slowNorth - multipathNorth, offset.y - wayEast - slowEast - multipathEast)
    }

    /// Variance of the innovation per axis, m².
    private func variance(_ white: Double) -> Pair { ww + ss + mm + (ws + wm + sm) * 2 + white }

    /// Normalized innovation squared of an offset.
    func normalized(_ offset: SIMD2<Double>, white: Double) -> Pair {
      let r = innovation(offset)
      return (r.north * r.north + r.east * r.east) / variance(white)
    }

    /// Density of an offset, of two dimensions and but for a factor that all models share.
    @inline(__always) func density(_ offset: SIMD2<Double>, white: Double) -> Pair {
      let tail = normalized(offset, white: white) / Self.degreesOfFreedom + 1
      // The power -(5 + 2) / 2.
      return 1 / (variance(white) * tail * tail * tail * tail.squareRoot())
    }

    /// Takes an offset, as one whose error has the tails of Student's t.
    mutating func update(_ offset: SIMD2<Double>, white: Double) {
      let r = innovation(offset)
      let (w, s, m) = (ww + ws + wm, ws + ss + sm, wm + sm + mm)
      let own = w + s + m
      let square = (r.north * r.north + r.east * r.east) / (own + white)
      // Less trust is more noise.
      let distrust = ((square + Self.degreesOfFreedom) / (Self.degreesOfFreedom + 2)).replacing(
        with: 1, where: square .< 2)
      let inverse = 1 / (own + white * distrust)
      let (kw, ks, km) = (w * inverse, s * inverse, m * inverse)
      wayNorth += r.north * kw
      wayEast += r.east * kw
      slowNorth += r.north * ks
      slowEast += r.east * ks
      multipathNorth += r.north * km
      multipathEast += r.east * km
      ww -= w * kw
      ws -= w * ks
      wm -= w * km
      ss -= s * ks
      sm -= s * km
      mm -= m * km
    }
  }
}
