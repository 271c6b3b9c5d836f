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
  private static let sigmas: InlineArray<5, Float> = [0, 1, 2, 4, 8]
  /// Its correlation time, s. [measured: 120, 150, 200, 300 s on 100 variants of `reckon stress`, seeds
  /// 1001:1004, with an error of 3 to 5 m that lasts for 60 to 190 s, have 90, 91, 92, 94 % inside the 95 %
  /// radius, and 74.2, 74.6, 75.0, 75.9 % inside the 68 % radius on the drives as they are]
  private static let correlationTime = 200.0
  /// Variance of the multipath, as a part of what is believed of the lasting error.
  /// [measured: as above; with one alone either it is taken for a slow error, or a slow error for it]
  private static let multipathShares = SIMD4<Float>(0.1, 2, 0.1, 2)
  /// Least variance of the track's drift, as a part of what its velocity's stated error makes of it: where a
  /// track is better than it knows, the stated drift alone speaks against every slow error. Of 250 variants
  /// of `reckon stress`, `--only lasting`, 260001:260010, and 500 of all changes, 247001:247020, with radii
  /// 1.1 times as large:
  /// [measured: 1; 1 and 0.1; 1 and 0.03; 1, 0.6, 0.3, 0.1 mislead for 126, 25, 29, 30; 104, 40, 40, 48 s]
  private static let driftShare = 0.1
  /// A velocity with this standard deviation, m/s, comes from the fixes by half: that the track goes as they
  /// do then says nothing of its drift. (With ∞ tracks that only follow disprove every slow error.) Of the
  /// same 250 variants and 1000 others, 248001:248020 and 249001:249020:
  /// [measured: 0.3, 0.5, 1, ∞ mislead for 72, 60, 45, 42 s and for 335, 311, 298, 291 s]
  private static let poorVelocitySigma = 1.0
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
  private static let leap: Float = 40
  /// Variance of a fix beyond which it tells nothing at all, m²: single precision has an end.
  /// [chosen: 10 km, squared]
  private static let largestVariance = 1e8
  /// For each standard deviation of the slow error, with both multipaths and both drifts of the track.
  private var models = InlineArray<5, Models>(repeating: Models())
  /// Probabilities of the drifts. What is said of a model is so given its drift.
  private var drifts = SIMD2<Float>(0.5, 0.5)
  /// Offset of the fixes from the track since they are compared, m.
  private var offset = SIMD2<Double>.zero
  /// What is left of multipath since the fix that was compared last, 0 to 1.
  private var fade = 1.0
  private var last: Timestamp?

  /// Variance per horizontal axis of the navigator's position, for all that track and fixes tell, m²;
  /// 0 before there was a fix.
  package private(set) var positionVariance = 0.0

  /// Part of the track's own wandering that is to be believed in, 0 to 1, by the probability p that what
  /// wanders is the track, as far as its stated velocity errors let it, and next to nothing of it the fixes.
  /// A mixture of filters would take the mean of their corrections, and a correction grows by less than its
  /// variance: the powers 1, 2, 3, 4, 6 of p give open-sky-commute a P50 of 1.00, 0.81, 0.67, 0.61, 0.59 m,
  /// ontario-slow-low-signal 1.50, 1.51, 1.51, 1.53, 1.56 m, and all 1, 0.995, 0.988, 0.985, 0.988 of the
  /// first. [measured on 25 drives]
  package var trackShare: Double {
    let square = Double(models[0].weight.z * models[0].weight.z)
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
    let multipath = Self.multipathShares * Float(min(errors.lasting.x, Self.largestVariance))
    let white = Float(min(errors.white.x, Self.largestVariance))
    guard elapsed <= Self.longestPause else {
      begin(multipath: multipath, white: white)
      last = time
      return
    }
    offset += SIMD2(track.step.x, track.step.y)
    self.fade *= fade
    guard elapsed > Self.interval else { return }
    let sure = Self.leastVelocitySigma * Self.leastVelocitySigma
    let velocityVariance = (track.velocityVariance.x + track.velocityVariance.y) / 2
    let stated = max(velocityVariance, sure)
    let poor = stated / (stated + Self.poorVelocitySigma * Self.poorVelocitySigma)
    let share = Float(Self.driftShare * (1 - poor) + poor)
    let drift = SIMD4(share, share, 1, 1) * Float(2 * stated * Self.driftTime * elapsed)
    let (slow, fading) = (Fading(left: exp(-elapsed / Self.correlationTime)), Fading(left: self.fade))
    let place = SIMD2<Float>(offset)
    var least = Float.infinity
    for i in 0..<5 {
      models[i].predict(
        slow: (slow, Self.sigmas[i] * Self.sigmas[i]), multipath: (fading, multipath), drift: drift)
      least = min(least, models[i].normalized(place, white: white).min())
    }
    if least <= Self.leap {
      count(place, white: white, changed: Float(min(1, elapsed / Self.constancy)))
      for i in 0..<5 { models[i].update(place, white: white) }
    } else {
      for i in 0..<5 { models[i].leap(to: place, white: white) }
    }
    combine()
    last = time
    self.fade = 1
  }

  /// Track and fixes are compared from here on; how well the models foretold until now stands.
  private mutating func begin(multipath: SIMD4<Float>, white: Float) {
    (offset, fade) = (.zero, 1)
    for i in 0..<5 {
      models[i].begin(slow: Self.sigmas[i] * Self.sigmas[i], multipath: multipath, white: white)
    }
    combine()
  }

  /// Weighs the models by how well they foretold the offset.
  private mutating func count(_ offset: SIMD2<Float>, white: Float, changed: Float) {
    var sums = SIMD2<Float>.zero
    for i in 0..<5 {
      models[i].weight *= models[i].density(offset, white: white)
      sums += SIMD2(models[i].weight.lowHalf.sum(), models[i].weight.highHalf.sum())
    }
    // As many as there are share what may have changed.
    let scale = SIMD2(repeating: 1 - changed) / sums
    for i in 0..<5 {
      models[i].weight = models[i].weight * SIMD4(scale.x, scale.x, scale.y, scale.y) + changed / 10
    }
    let explained = drifts * sums
    drifts = explained * ((1 - changed) / explained.sum()) + changed / 2
  }

  /// Works out the variance of all models together.
  private mutating func combine() {
    let drifts = SIMD4(self.drifts.x, self.drifts.x, self.drifts.y, self.drifts.y)
    var (variance, north, east, square) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
    for i in 0..<5 {
      let weight = models[i].weight * drifts
      let (n, e) = (models[i].wayNorth, models[i].wayEast)
      variance += weight * models[i].wayVariance
      north += weight * n
      east += weight * e
      square += weight * (n * n + e * e)
    }
    let (n, e) = (north.sum(), east.sum())
    positionVariance = Double(variance.sum() + max(0, square.sum() - n * n - e * e) / 2)
  }
}

extension SlowErrors {
  /// Both multipaths with the smaller drift of the track, then with the larger. In single precision: half
  /// the cost, and what is small is not the difference of what is large.
  private typealias Lanes = SIMD4<Float>

  /// What is left of an error of variance 1, and what comes in its stead.
  private struct Fading {
    let left, lost, square, new: Float

    init(left: Double) {
      self.left = Float(left)
      lost = Float(left - 1)
      square = Float(left * left)
      new = Float(1 - left * left)
    }
  }

  /// Kalman filters of the offset of the fixes from the track: how far the track lies from the truth (the
  /// way), the slow error and the multipath, north and east alike. The state has their sum in place of the
  /// way: the sum is what fixes tell.
  private struct Models: Sendable {
    private var sumNorth = Lanes.zero, sumEast = Lanes.zero
    private var slowNorth = Lanes.zero, slowEast = Lanes.zero
    private var multipathNorth = Lanes.zero, multipathEast = Lanes.zero
    /// Covariance per axis, m²: of the sum (t), the slow error (s) and the multipath (m).
    private var tt = Lanes.zero, ts = Lanes.zero, tm = Lanes.zero, ss = Lanes.zero, sm = Lanes.zero
    private var mm = Lanes.zero
    /// Probability, given the drift.
    var weight = Lanes(repeating: 0.1)

    /// Degrees of freedom of the innovations (Student's t). [chosen: tails as those of urban fixes]
    private static let degreesOfFreedom: Float = 5

    /// How far the track lies from the truth, m.
    @inline(__always) var wayNorth: Lanes { sumNorth - slowNorth - multipathNorth }
    @inline(__always) var wayEast: Lanes { sumEast - slowEast - multipathEast }
    @inline(__always) var wayVariance: Lanes {
      let variance = tt + ss + mm + (sm - ts - tm) * 2
      return variance.replacing(with: 0, where: variance .< 0)
    }

    mutating func begin(slow: Float, multipath: Lanes, white: Float) {
      (slowNorth, slowEast, multipathNorth, multipathEast) = (.zero, .zero, .zero, .zero)
      (ss, sm, mm) = (Lanes(repeating: slow), .zero, multipath)
      leap(to: .zero, white: white)
    }

    /// The track lies anywhere; the errors are as they were.
    mutating func leap(to offset: SIMD2<Float>, white: Float) {
      (sumNorth, sumEast) = (Lanes(repeating: offset.x), Lanes(repeating: offset.y))
      (tt, ts, tm) = (Lanes(repeating: white), .zero, .zero)
    }

    /// Lets the errors fade to what is left of them, and grow to their variances.
    mutating func predict(
      slow: (fading: Fading, variance: Float), multipath: (fading: Fading, variance: Lanes), drift: Lanes
    ) {
      let (a, b) = (slow.fading, multipath.fading)
      sumNorth += slowNorth * a.lost + multipathNorth * b.lost
      sumEast += slowEast * a.lost + multipathEast * b.lost
      slowNorth *= a.left
      slowEast *= a.left
      multipathNorth *= b.left
      multipathEast *= b.left
      let (newSlow, newMultipath) = (slow.variance * a.new, multipath.variance * b.new)
      // Covariance of what the sum loses with the slow error and the multipath.
      let (ls, lm) = (ss * a.lost + sm * b.lost, sm * a.lost + mm * b.lost)
      tt += (ts * a.lost + tm * b.lost) * 2 + ls * a.lost + lm * b.lost + newSlow + newMultipath + drift
      ts = (ts + ls) * a.left + newSlow
      tm = (tm + lm) * b.left + newMultipath
      ss = ss * a.square + newSlow
      sm *= a.left * b.left
      mm = mm * b.square + newMultipath
    }

    /// Normalized innovation squared of an offset.
    @inline(__always) func normalized(_ offset: SIMD2<Float>, white: Float) -> Lanes {
      let (north, east) = (offset.x - sumNorth, offset.y - sumEast)
      return (north * north + east * east) / (tt + white)
    }

    /// Density of an offset, of two dimensions and but for a factor that all models share.
    @inline(__always) func density(_ offset: SIMD2<Float>, white: Float) -> Lanes {
      let tail = normalized(offset, white: white) / Self.degreesOfFreedom + 1
      // The power -(5 + 2) / 2.
      return 1 / ((tt + white) * tail * tail * tail * tail.squareRoot())
    }

    /// Takes an offset, as one whose error has the tails of Student's t.
    mutating func update(_ offset: SIMD2<Float>, white: Float) {
      let (north, east) = (offset.x - sumNorth, offset.y - sumEast)
      let square = normalized(offset, white: white)
      // Less trust is more noise.
      let distrust = ((square + Self.degreesOfFreedom) / (Self.degreesOfFreedom + 2)).replacing(
        with: 1, where: square .< 2)
      let inverse = 1 / (tt + white * distrust)
      let (kt, ks, km) = (tt * inverse, ts * inverse, tm * inverse)
      sumNorth += north * kt
      sumEast += east * kt
      slowNorth += north * ks
      slowEast += east * ks
      multipathNorth += north * km
      multipathEast += east * km
      ss -= ts * ks
      sm -= ts * km
      mm -= tm * km
      tt -= tt * kt
      ts -= ts * kt
      tm -= tm * kt
    }
  }
}
