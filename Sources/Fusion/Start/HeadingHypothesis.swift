import LinearAlgebra
import Navigation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A small filter that believes in one direction of the level axes: position, velocity, yaw and vertical gyroscope
/// bias, and the lasting error of the fixes.
struct HeadingHypothesis: Sendable {
  /// Blocks of its covariance; `turn` holds yaw (rad), vertical gyroscope bias (rad/s) and nothing.
  enum Block {
    static let position = 0
    static let velocity = 1
    static let turn = 2
    static let fixError = 3
  }

  /// Metres north, east, down of the bank's origin.
  var position = Vector3.zero
  /// m/s in NED.
  var velocity = Vector3.zero
  /// Direction of the level axes' forward, rad.
  var yaw: Double
  /// Vertical gyroscope bias left after leveling, rad/s.
  var bias = 0.0
  /// Lasting error of the fixes, m.
  var fixError = Vector3.zero
  var covariance = Covariance<4>()
  /// Logarithm of the likelihood of all innovations so far.
  var logLikelihood = 0.0

  /// Moves on by `dt` with force in level axes, m/s², down included with gravity taken out, and rate about down.
  mutating func propagate(force: Vector3, rate: Double, dt: Double, noise: HeadingBank.Noise) {
    let (s, c) = (sin(yaw), cos(yaw))
    let acceleration = Vector3(c * force.x - s * force.y, s * force.x + c * force.y, force.z)
    position += velocity * dt + acceleration * (0.5 * dt * dt)
    velocity += acceleration * dt
    yaw = Angle.wrapped(yaw + (rate - bias) * dt)
    covariance.couple(Block.position, [Link(Block.velocity, Matrix3(scalar: dt))])
    let column = Vector3(-acceleration.y * dt, acceleration.x * dt, 0)
    covariance.couple(Block.velocity, [Link(Block.turn, Matrix3(columns: column, .zero, .zero))])
    covariance.couple(Block.turn, [Link(Block.turn, Matrix3(columns: .zero, Vector3(-dt, 0, 0), .zero))])
    covariance.addNoise(Block.velocity, variances: Vector3(repeating: noise.force * noise.force * dt))
    covariance.addNoise(
      Block.turn, variances: Vector3(noise.rate * noise.rate * dt, noise.bias * noise.bias * dt, 0))
  }

  /// Takes position − origin of a fix.
  mutating func update(position measured: Vector3, noise: Matrix3) {
    condition([Link(Block.position, .identity), Link(Block.fixError, .identity)],
      innovation: measured - position - fixError, noise: noise)
  }

  /// Takes the velocity of a fix.
  mutating func update(velocity measured: Vector3, noise: Matrix3) {
    condition([Link(Block.velocity, .identity)], innovation: measured - velocity, noise: noise)
  }

  /// Takes a speed along the level axes' forward: only where the mounting is known.
  mutating func update(forwardSpeed speed: Double, noise: Matrix3) {
    let (s, c) = (sin(yaw), cos(yaw))
    let along = Vector3(speed * c, speed * s, 0)
    let turned = Vector3(speed * s, -speed * c, 0)
    condition(
      [Link(Block.velocity, .identity), Link(Block.turn, Matrix3(columns: turned, .zero, .zero))],
      innovation: along - velocity, noise: noise)
  }

  private mutating func condition<let k: Int>(
    _ links: InlineArray<k, Link>, innovation: Vector3, noise: Matrix3
  ) {
    let projection = covariance.project(links)
    guard let q = projection.normalizedInnovationSquared(noise: noise, innovation: innovation) else { return }
    let weight = RobustWeight.studentT(normalizedInnovationSquared: q, dimension: 3, degreesOfFreedom: 4)
    guard let correction = covariance.update(projection, noise: noise * (1 / weight), innovation: innovation)
    else { return }
    // Log-density of the t distribution with 4 degrees of freedom in 3 dimensions, constants left out.
    logLikelihood -= 3.5 * log(1 + q / 4) + 0.5 * log((projection.own + noise).determinant)
    position += correction[Block.position]
    velocity += correction[Block.velocity]
    yaw = Angle.wrapped(yaw + correction[Block.turn].x)
    bias += correction[Block.turn].y
    fixError += correction[Block.fixError]
  }
}
