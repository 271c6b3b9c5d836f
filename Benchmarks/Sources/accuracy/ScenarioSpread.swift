import Drives
import Evaluation
import Foundation
import Simulation

/// A scenario over seeds that nothing was tuned on.
struct ScenarioSpread: Encodable, Sendable {
  let scenario: String
  let seeds: [UInt64]
  /// Horizontal error of the engine in metres, and as a part of that of the fixes.
  let p50: Spread?
  let p95: Spread?
  let p50OverRaw: Spread?
  let p95OverRaw: Spread?
  /// Share of time inside the stated radii, over all seeds together, and of single seeds.
  let coverage68: Double?
  let coverage95: Double?
  let coverage68OfSeeds: Spread?
  /// Mean of eᵀP⁻¹e over the number of dimensions, over all seeds together.
  let nees: Double?
  /// Seconds by which the course lags in turns.
  let courseDelay: Spread?

  private enum CodingKeys: String, CodingKey {
    case scenario, seeds
    case p50 = "p50_m"
    case p95 = "p95_m"
    case p50OverRaw = "p50_over_raw"
    case p95OverRaw = "p95_over_raw"
    case coverage68 = "coverage_68"
    case coverage95 = "coverage_95"
    case coverage68OfSeeds = "coverage_68_of_seeds"
    case nees
    case courseDelay = "course_delay_s"
  }

  init(_ scenario: Scenario, seeds: [UInt64]) {
    let figures = seeds.map { seed in
      let drive = Simulator(scenario: scenario, seed: seed).run()
      return DriveEvaluator().evaluate(
        description: drive.description, samples: drive.samples, truth: drive.truth
      ).figures
    }
    func mean(_ part: (EvaluationFigures) -> Double?) -> Double? {
      let values = figures.compactMap(part)
      return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }
    self.scenario = scenario.name
    self.seeds = seeds
    p50 = Spread(figures.compactMap { $0.causal.horizontal?.p50 })
    p95 = Spread(figures.compactMap { $0.causal.horizontal?.p95 })
    p50OverRaw = Spread(figures.compactMap { Self.ratio($0.causal.horizontal?.p50, $0.gnss.horizontal?.p50) })
    p95OverRaw = Spread(figures.compactMap { Self.ratio($0.causal.horizontal?.p95, $0.gnss.horizontal?.p95) })
    coverage68 = mean(\.causal.coverage68)
    coverage95 = mean(\.causal.coverage95)
    coverage68OfSeeds = Spread(figures.compactMap(\.causal.coverage68))
    nees = mean(\.causal.positionNEES)
    courseDelay = Spread(figures.compactMap(\.causal.courseDelay))
  }

  private static func ratio(_ a: Double?, _ b: Double?) -> Double? {
    guard let a, let b, b > 0 else { return nil }
    return a / b
  }
}
