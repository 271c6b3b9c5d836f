import LinearAlgebra
import Navigation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Finds the heading from motion: filters that each believe in another direction compete to explain the fixes.
///
/// The acceleration that the IMU feels turns up in the fixes only for the right direction. This needs no assumption on
/// how the IMU is mounted or whether the car drives forward. Until a direction has won, the bank's mean is the
/// solution.
package struct HeadingBank: Sendable {
  /// Number of hypotheses.
  static let count = 12
  /// Noise of the level axes: the tilt is known to a degree or two only.
  struct Noise: Sendable {
    var force = 0.3
    var rate = 0.005
    var bias = 1e-4
  }

  private var hypotheses: InlineArray<12, HeadingHypothesis>
  /// Where positions are measured from.
  private(set) var origin: GeodeticPosition
  /// Probabilities of the hypotheses.
  private var weights = InlineArray<12, Double>(repeating: 1.0 / 12)
  /// When the bank was last moved on or updated.
  private(set) var time: Timestamp
  /// Sum of squared horizontal acceleration times time, (m/s)²/s: how much there was to be seen.
  private(set) var excitation = 0.0

  /// A bank about a first fix.
  init(fix: GNSSFix, receiver: ReceiverModel, gyroBiasSigma: Double) {
    origin = fix.position
    if !origin.height.isFinite { origin.height = 0 }
    time = fix.time
    var first = HeadingHypothesis(yaw: 0)
    let white = receiver.positionNoise(fix)
    let lasting = Matrix3(diagonal: receiver.lastingVariance(fix))
    first.covariance[HeadingHypothesis.Block.position, HeadingHypothesis.Block.position] = white + lasting
    first.covariance[HeadingHypothesis.Block.fixError, HeadingHypothesis.Block.fixError] = lasting
    first.covariance[HeadingHypothesis.Block.position, HeadingHypothesis.Block.fixError] = -lasting
    let velocity = fix.velocityNED == nil ? Matrix3(diagonal: Vector3(100, 100, 4)) : receiver.velocityNoise(fix)
    first.covariance[HeadingHypothesis.Block.velocity, HeadingHypothesis.Block.velocity] = velocity
    if var known = fix.velocityNED {
      if !known.z.isFinite { known.z = 0 }
      first.velocity = known
    }
    let spacing = 2 * Double.pi / Double(Self.count)
    first.covariance[HeadingHypothesis.Block.turn, HeadingHypothesis.Block.turn] =
      Matrix3(diagonal: Vector3(spacing * spacing / 4, gyroBiasSigma * gyroBiasSigma, 0))
    hypotheses = InlineArray { i in
      var h = first
      h.yaw = Angle.wrapped(Double(i) * spacing)
      return h
    }
  }

  /// Moves on to `time` with force in level axes (gravity taken out of down) and rate about down.
  mutating func propagate(to time: Timestamp, force: Vector3, rate: Double, noise: Noise = Noise()) {
    let dt = time.seconds(since: self.time)
    guard dt > 0 else { return }
    for i in hypotheses.indices { hypotheses[i].propagate(force: force, rate: rate, dt: dt, noise: noise) }
    excitation += (force.x * force.x + force.y * force.y) * dt
    self.time = time
  }

  /// Takes a fix that holds at the bank's time.
  mutating func update(_ fix: GNSSFix, receiver: inout ReceiverModel) {
    let fade = receiver.correlation(at: fix.time, speed: solution.velocity.horizontalNorm)
    let lasting = receiver.lastingVariance(fix) * (1 - fade * fade)
    let positionNoise = receiver.positionNoise(fix)
    for i in hypotheses.indices {
      hypotheses[i].covariance.scale(HeadingHypothesis.Block.fixError, by: Vector3(repeating: fade))
      hypotheses[i].covariance.addNoise(HeadingHypothesis.Block.fixError, variances: lasting)
      hypotheses[i].fixError *= fade
      if var velocity = fix.velocityNED {
        var noise = receiver.velocityNoise(fix)
        if !velocity.z.isFinite {
          velocity.z = hypotheses[i].velocity.z
          noise.z.z = 1e4
        }
        hypotheses[i].update(velocity: velocity, noise: noise)
      }
      var measured = fix.position
      var noise = positionNoise
      if !measured.height.isFinite {
        measured.height = origin.height - hypotheses[i].position.z
        noise.z.z = 1e6
      }
      hypotheses[i].update(position: measured.ned(from: origin), noise: noise)
    }
    weigh()
    recentre()
  }

  /// Takes a wheel speed along the level axes' forward: only where the mounting is known.
  mutating func update(forwardSpeed speed: Double, sigma: Double) {
    let noise = Matrix3(diagonal: Vector3(sigma * sigma, sigma * sigma, 0.25))
    for i in hypotheses.indices { hypotheses[i].update(forwardSpeed: speed, noise: noise) }
    weigh()
  }

  private mutating func weigh() {
    var best = -Double.infinity
    for i in hypotheses.indices { best = max(best, hypotheses[i].logLikelihood) }
    var sum = 0.0
    for i in hypotheses.indices {
      // None is lost for good: a direction that looked wrong in a bad minute may come back.
      hypotheses[i].logLikelihood = max(hypotheses[i].logLikelihood - best, -30)
      weights[i] = exp(hypotheses[i].logLikelihood)
      sum += weights[i]
    }
    for i in weights.indices { weights[i] /= sum }
  }

  /// Keeps positions small, so that the flat frame about the origin holds on a long way without a heading.
  private mutating func recentre() {
    let moved = solution.position
    guard moved.horizontalNorm > 1000 else { return }
    origin = origin.moved(byNED: moved)
    for i in hypotheses.indices { hypotheses[i].position -= moved }
  }

  /// Mean and covariance of the mixture.
  struct Mixture {
    var position: Vector3
    var velocity: Vector3
    var positionCovariance: Matrix3
    var velocityCovariance: Matrix3
    /// Circular mean and its standard deviation, π where nothing is known.
    var yaw: Double
    var yawSigma: Double
  }

  var solution: Mixture {
    var m = Mixture(
      position: .zero, velocity: .zero, positionCovariance: .zero, velocityCovariance: .zero, yaw: 0,
      yawSigma: .pi)
    var (s, c) = (0.0, 0.0)
    for i in hypotheses.indices {
      m.position += hypotheses[i].position * weights[i]
      m.velocity += hypotheses[i].velocity * weights[i]
      s += sin(hypotheses[i].yaw) * weights[i]
      c += cos(hypotheses[i].yaw) * weights[i]
    }
    m.yaw = atan2(s, c)
    var yawVariance = 0.0
    for i in hypotheses.indices {
      let h = hypotheses[i]
      let w = weights[i]
      let dp = h.position - m.position
      let dv = h.velocity - m.velocity
      let dy = Angle.wrapped(h.yaw - m.yaw)
      m.positionCovariance += (h.covariance[0, 0] + Matrix3(outer: dp, dp)) * w
      m.velocityCovariance += (h.covariance[1, 1] + Matrix3(outer: dv, dv)) * w
      yawVariance += (h.covariance[2, 2].x.x + dy * dy) * w
    }
    m.yawSigma = min(.pi, yawVariance.squareRoot())
    return m
  }

  /// The likeliest hypothesis.
  var winner: HeadingHypothesis {
    var best = 0
    for i in hypotheses.indices where weights[i] > weights[best] { best = i }
    return hypotheses[best]
  }
}
