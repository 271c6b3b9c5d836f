import CLibrary
import LinearAlgebra

/// The correlated part of a receiver's position error, and its jumps.
package struct PositionErrorSimulator {
  /// Speed in m/s at which a correlation in seconds of driving is one in seconds.
  static let referenceSpeed = 10.0
  private var random: RandomSource
  private var long: [GaussMarkov] = []
  private var short: [GaussMarkov] = []
  private var jump = Vector3.zero
  private var jumpTimeLeft = 0.0

  package init(seed: UInt64) {
    random = RandomSource(seed: seed, stream: "receiver.position")
    for _ in 0..<3 {
      long.append(GaussMarkov(&random))
      short.append(GaussMarkov(&random))
    }
  }

  /// The error north, east, down in metres after `distance` metres and `seconds` seconds more. A car that
  /// stops rolls back by millimetres: then it stays.
  package mutating func advance(distance: Double, seconds: Double, _ model: ReceptionModel) -> Vector3 {
    let progress = model.goesOnAtRest ? seconds : max(0, distance) / Self.referenceSpeed
    for i in 0..<3 {
      long[i].advance(by: progress, correlation: model.longTime, &random)
      short[i].advance(by: progress, correlation: model.shortTime, &random)
    }
    if distance > 0 { advanceJump(seconds, model) }
    let longShare = max(0, 1 - model.whiteNoiseRatio - model.shortShare).squareRoot()
    let shortShare = model.shortShare.squareRoot()
    func sum(_ i: Int) -> Double { longShare * long[i].value + shortShare * short[i].value }
    let sigmas = Vector3(model.horizontalSigma, model.horizontalSigma, model.verticalSigma)
    return Vector3(sum(0), sum(1), sum(2)).scaled(by: sigmas) + jump
  }

  /// Jumps of 10 m to 60 m for 3 s to 20 s of driving; up or down by up to as much.
  private mutating func advanceJump(_ seconds: Double, _ model: ReceptionModel) {
    jumpTimeLeft -= seconds
    if random.uniform() < model.jumpsPerMinute / 60 * seconds {
      let size = random.uniform(in: 10...60)
      let (s, c) = sincos(random.uniform(in: 0...(2 * .pi)))
      jump = Vector3(size * c, size * s, size * random.uniform(in: -1...1))
      jumpTimeLeft = random.uniform(in: 3...20)
    } else if jumpTimeLeft <= 0 {
      jump = .zero
    }
  }
}
