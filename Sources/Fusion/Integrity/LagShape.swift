// A velocity that lags by d lacks d·ā, with the acceleration ā weighted back over
//   d, all alike, where it is late: d/2 ago on average;
//   2d, ever less, where it is a mean over 2d: 2d/3 ago;
//   all the past, by exp(−t/d), where a filter of first order has smoothed it: d ago.
// Its course then lacks d·ω̄ of the yaw, with the yaw rate ω weighted alike.
import CLibrary
import Navigation

/// A lag of the receiver's velocity behind its positions that is clear.
package struct KnownLag: Sendable {
  /// Seconds, and their variance.
  package var value: Double, variance: Double
  /// How long ago on average what the velocity lacks was gathered, in units of the lag.
  package var share: Double
}

/// Whether a velocity that lags is late or smoothed, by its course in turns beside the gyroscope.
package struct LagShape: Sendable {
  /// The share of ``KnownLag`` of a velocity that is late, of a mean, and of one that is smoothed.
  /// [chosen: by the definitions above; a mean is between]
  package static let late = 0.5, mean = 0.75, smoothed = 1.0
  /// Largest speed that counts, m/s: the course is known no better on faster roads.
  /// [measured on 13 drives with a late or smoothed velocity: mean P95 3.5 m with 10, 15, 30]
  private static let mostSpeed = 15.0
  /// Half the squares, in units of the noise, by which another way has to be better.
  /// [measured on smoothed, and on late velocities: mean P95 2.2, 2.4, 2.6 and 4.7, 4.5, 4.6 m with 2, 5, 10]
  private static let clear = 5.0
  /// Variance of what a course is off by before any is seen, (m/s)², and the courses that it counts for.
  /// [chosen: a receiver's 0.15 m/s, twice; for two]
  private static let priorNoise = 0.05, priorCount = 2.0
  /// Courses off by more standard deviations than this count for less.
  /// [chosen: three sigma]
  private static let outlier = 3.0
  /// Courses that count.
  /// [chosen: a quarter of an hour, as long as the lag itself is half remembered]
  private static let memory = 900.0

  /// One way to lag.
  private struct Way: Sendable {
    var share: Double
    /// The weighted yaw rate, rad/s.
    var rate = 0.0
    /// Course less what the yaw foresees of it at the last fix, rad, and the squares of its changes, (m/s)².
    var off = 0.0, squares = 0.0
  }

  /// The share of the likeliest.
  package var share: Double { ways[chosen].share }
  private var chosen = 0
  private var ways: InlineArray<3, Way> = [
    Way(share: LagShape.late), Way(share: LagShape.mean), Way(share: LagShape.smoothed),
  ]
  private var weight = 0.0
  /// Angle turned by, rad.
  private var yaw = 0.0
  private var last: FixMotion.Place?

  package init() {}

  /// Takes the angle that the car has turned by, rad, in `elapsed` seconds.
  package mutating func turn(_ angle: Double, elapsed: Double, lag: Double) {
    guard elapsed > 0 else { return }
    yaw += angle
    for i in ways.indices {
      let memory = max(lag, 0) * ways[i].share
      ways[i].rate += (angle / elapsed - ways[i].rate) * (elapsed / (elapsed + memory))
    }
  }

  /// Takes a fix; true where another way has turned out likelier.
  package mutating func add(_ fix: GNSSFix, lag: Double) -> Bool {
    guard let velocity = fix.velocityNED, velocity.horizontalNorm > FixMotion.leastSpeed else {
      last = nil
      return false
    }
    if let last, !FixMotion.isDue(fix, after: last) { return false }
    let isNext = last.map { FixMotion.isWithin(fix.time, of: $0.time) } ?? false
    last = .init(fix)
    let course = atan2(velocity.y, velocity.x)
    let speed = min(velocity.horizontalNorm, Self.mostSpeed)
    var change = InlineArray<3, Double>(repeating: 0)
    for i in ways.indices {
      let off = course - (yaw - lag * ways[i].rate)
      change[i] = Angle.wrapped(off - ways[i].off) * speed
      ways[i].off = off
    }
    guard isNext, lag > VelocityLag.least else { return false }
    compare(change)
    return choose()
  }

  private mutating func compare(_ change: InlineArray<3, Double>) {
    let least = min(abs(change[0]), abs(change[1]), abs(change[2]))
    let limit = Self.outlier * noise.squareRoot()
    let part = least > limit ? limit * limit / (least * least) : 1
    let fade = 1 - 1 / Self.memory
    weight = weight * fade + part
    for i in ways.indices { ways[i].squares = ways[i].squares * fade + part * change[i] * change[i] }
  }

  private mutating func choose() -> Bool {
    guard let best = ways.indices.min(by: { ways[$0].squares < ways[$1].squares }),
      ways[chosen].squares - ways[best].squares > 2 * noise * Self.clear
    else { return false }
    chosen = best
    return true
  }

  /// Variance of what a change of course is off by, (m/s)².
  private var noise: Double {
    let least = min(ways[0].squares, ways[1].squares, ways[2].squares)
    return (least + Self.priorCount * Self.priorNoise) / (weight + Self.priorCount)
  }
}
