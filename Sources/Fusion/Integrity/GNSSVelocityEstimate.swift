import CLibrary
import LinearAlgebra
import Navigation

/// Horizontal velocity by the fixes alone: what the filter makes of them is drawn to what it believes in.
///
/// Where the receiver states no velocity, two means of its positions with different memories
/// part as it moves, and those of the times of its fixes alike: one over the other is the
/// velocity from the second fix on.
package struct GNSSVelocityEstimate: Sendable {
  /// Memory of the mean velocity, s. [chosen]
  private static let memory = 1.0
  /// Memories of the mean positions, s. [chosen]
  private static let short = 2.0, long = 6.0
  /// Errors of a velocity last this long, s. [chosen]
  private static let correlation = 0.4
  /// Standard deviations by which a position has left those before. [chosen: one in ninety at rest]
  private static let leavingGate = 3.0
  /// Part of the lasting variance that changes within the shorter memory. [chosen: multipath takes a minute]
  private static let lastingShare = 0.1
  /// A pause after which the means begin anew, s. [chosen]
  private static let longestPause = 4.0

  /// m/s, north and east.
  package private(set) var velocity = Vector3.zero
  /// Standard deviation of its components, m/s.
  package private(set) var sigma = Double.infinity
  /// What it comes to with more fixes like these, m/s.
  package private(set) var settledSigma = Double.infinity
  /// Whether the receiver states velocities.
  package private(set) var isMeasured = false
  /// Whether the newest position has left those of the last seconds: a mean velocity tells late that a car
  /// moves, and of one that has come back as far as it went not at all.
  package private(set) var isLeaving = false
  /// When the last fix held.
  package private(set) var time: Timestamp?
  /// When the last velocity did that the receiver stated.
  private var measuredAt: Timestamp?
  private var origin: GeodeticPosition?
  /// Time since the first fix of the means, s.
  private var age = 0.0
  private var shortMean = ExponentialMean(memory: short), longMean = ExponentialMean(memory: long)

  package init() {}

  /// m/s.
  package var speed: Double { velocity.horizontalNorm }

  /// Whether that may be none.
  package var isAtRest: Bool { speed < 0.3 + 2 * sigma && !isLeaving }

  /// Takes a fix, with the standard deviation per axis of its velocity, and what is believed of the errors of
  /// its position.
  package mutating func add(_ fix: GNSSFix, velocitySigma: Double, errors: FixErrors) {
    let elapsed = time.map { fix.time.seconds(since: $0) } ?? .infinity
    guard elapsed > 0 else { return }
    let isFirst = elapsed > Self.longestPause
    time = fix.time
    if let measured = fix.velocityNED {
      let gain = isFirst || !isMeasured ? 1 : 1 - exp(-elapsed / Self.memory)
      (isMeasured, isLeaving) = (true, false)
      (origin, measuredAt) = (nil, fix.time)
      velocity += (Vector3(measured.x, measured.y, 0) - velocity) * gain
      sigma = velocitySigma * max(gain / (2 - gain), Self.correlation / (2 * Self.memory)).squareRoot()
      settledSigma = sigma
    } else if isMeasured, let measuredAt, fix.time.seconds(since: measuredAt) < Self.longestPause {
      // A position between two velocities. Some receivers state none below a few m/s.
      return
    } else {
      addPosition(fix, elapsed: isFirst || isMeasured ? nil : elapsed, errors: errors)
    }
  }

  private mutating func addPosition(_ fix: GNSSFix, elapsed: Double?, errors: FixErrors) {
    (isMeasured, isLeaving) = (false, false)
    // Not every fix has a height, and the horizontal velocity does without.
    var place = fix.position
    place.height = 0
    guard let origin, let elapsed else {
      origin = place
      (shortMean, longMean) = (ExponentialMean(memory: Self.short), ExponentialMean(memory: Self.long))
      (velocity, age) = (.zero, 0)
      (sigma, settledSigma) = (.infinity, .infinity)
      return
    }
    age += elapsed
    let offset = place.ned(from: origin)
    let placeAndTime = Vector3(offset.x, offset.y, age)
    shortMean.add(placeAndTime, elapsed: elapsed)
    longMean.add(placeAndTime, elapsed: elapsed)
    let parted = shortMean.value - longMean.value
    velocity = Vector3(parted.x, parted.y, 0) / parted.z
    // White noise in means over 2 s and 6 s, of fixes `elapsed` apart, and what is left in
    // them of the first one's.
    let noise = min(1, elapsed / (2 * Self.short))
    let first = exp(-age / Self.long) - exp(-age / Self.short)
    let positionSigma = errors.horizontal.squareRoot()
    sigma = positionSigma * (noise + first * first).squareRoot() / parted.z
    settledSigma = positionSigma * noise.squareRoot() / (Self.long - Self.short)
    let changing = (errors.white.x + Self.lastingShare * errors.lasting.x) * (1 + noise)
    let gone = (offset - shortMean.value).horizontalNorm
    isLeaving = age > Self.short && gone > Self.leavingGate * changing.squareRoot()
  }

  /// Whether there was a fix within the last two seconds and a half.
  package func isRecent(at now: Timestamp) -> Bool { time.map { now.seconds(since: $0) < 2.5 } ?? false }
}
