import CLibrary
import LinearAlgebra

/// Errors of one triad over time: measured = (1 + S + M) true + bias + drift + noise, rounded to the quantum.
package struct TriadSimulator: Sendable {
  private let model: TriadModel
  private var random: RandomSource
  private let scaleAndMisalignment: Matrix3
  private let temperatureSlope: Vector3
  private let gSensitivity: Matrix3
  private var bias: Vector3
  private var unstable: [GaussMarkov] = []

  /// The triad called `stream` of a seed.
  package init(_ model: TriadModel, seed: UInt64, stream: String) {
    self.model = model
    var random = RandomSource(seed: seed, stream: stream)
    func draw(_ sigma: Double) -> Vector3 {
      Vector3(random.normal(), random.normal(), random.normal()) * sigma
    }
    bias = draw(model.bias)
    var matrix = Matrix3(
      columns: draw(model.misalignment), draw(model.misalignment), draw(model.misalignment))
    let scale = draw(model.scale)
    (matrix.x.x, matrix.y.y, matrix.z.z) = (scale.x, scale.y, scale.z)
    scaleAndMisalignment = matrix
    temperatureSlope = draw(model.temperatureCoefficient)
    gSensitivity = Matrix3(
      columns: draw(model.gSensitivity), draw(model.gSensitivity), draw(model.gSensitivity))
    for _ in 0..<3 { unstable.append(GaussMarkov(&random)) }
    self.random = random
  }

  /// What the triad reads for a true value (with its shaking), `step` seconds after the reading before.
  package mutating func read(
    _ value: Vector3, specificForce: Vector3, warming: Double, noiseFactor: Double, step: Double
  ) -> Vector3 {
    let drift = Vector3(unstable[0].value, unstable[1].value, unstable[2].value) * model.instability
    let noise = normal() * (model.noise * noiseFactor / step.squareRoot())
    let reading =
      value + scaleAndMisalignment * value + gSensitivity * specificForce + bias + drift
      + temperatureSlope * warming + noise
    for i in 0..<3 { unstable[i].advance(by: step, correlation: model.instabilityTime, &random) }
    bias += normal() * (model.randomWalk * step.squareRoot())
    guard model.quantum > 0 else { return reading }
    let steps = reading / model.quantum
    return Vector3(steps.x.rounded(), steps.y.rounded(), steps.z.rounded()) * model.quantum
  }

  private mutating func normal() -> Vector3 { Vector3(random.normal(), random.normal(), random.normal()) }
}
