import Fusion

/// What one call on the engine came to.
package enum Step: String, CaseIterable, Codable, Sendable {
  case inertial, nonHolonomic, stillness, vibration, coarse, fix, lateFix, wheel, output

  /// As the table says it.
  package var title: String {
    switch self {
    case .inertial: "IMU sample"
    case .nonHolonomic: "IMU sample and rear-axle constraint"
    case .stillness: "IMU sample and standstill"
    case .vibration: "IMU sample and speed from vibration"
    case .coarse: "IMU sample, covariance at 20 Hz"
    case .fix: "GNSS fix, position and velocity"
    case .lateFix: "the same 300 ms late: rewind, replay"
    case .wheel: "wheel speed and rear-axle constraint"
    case .output: "output: solution(at:)"
    }
  }

  /// The step that taking `sample` was, by what the engine reported of it.
  package init(_ sample: SensorSample, verdicts: [MeasurementVerdict.Kind]) {
    switch sample {
    case .gnss(let fix): self = sample.arrival > fix.time ? .lateFix : .fix
    case .wheel, .pressure: self = .wheel
    case .inertial:
      if verdicts.contains(.wheelVibration) {
        self = .vibration
      } else if verdicts.contains(.stillness) {
        self = .stillness
      } else {
        self = verdicts.contains(.nonHolonomic) ? .nonHolonomic : .inertial
      }
    }
  }
}

/// A drive, and the steps that are measured on it.
package struct StepDrive: Sendable {
  package let rates: SyntheticDrive.Rates
  package let lateness: Double
  package let steps: Set<Step>
  /// What its engine is told.
  package var configuration = FusionConfiguration()

  /// Together they have every step once. The IMU's own steps are those of a car without wheel speeds, which
  /// is where the engine has most to do.
  package static let all = [
    StepDrive(
      rates: .init(), lateness: 0, steps: [.inertial, .nonHolonomic, .stillness, .vibration, .fix, .output]),
    StepDrive(rates: .init(wheel: 10), lateness: 0, steps: [.wheel]),
    StepDrive(rates: .init(), lateness: 0.3, steps: [.lateFix]),
    {
      var drive = StepDrive(rates: .init(), lateness: 0, steps: [.coarse])
      drive.configuration.covarianceInterval = 0.05
      return drive
    }(),
  ]

  /// The step that taking `sample` was on this drive.
  package func step(_ sample: SensorSample, verdicts: [MeasurementVerdict.Kind]) -> Step {
    let step = Step(sample, verdicts: verdicts)
    return step == .inertial && configuration.covarianceInterval > 0 ? .coarse : step
  }

  private init(rates: SyntheticDrive.Rates, lateness: Double, steps: Set<Step>) {
    (self.rates, self.lateness, self.steps) = (rates, lateness, steps)
  }

  /// Seconds until the heading is known, everything is set up, and the window of samples is full.
  package static let warmUp = 60

  /// The samples to warm up on, and the next `seconds` of them.
  package func samples(seconds: Int) -> (warmUp: [SensorSample], measured: [SensorSample]) {
    var drive = SyntheticDrive(rates, lateness: lateness)
    return (drive.samples(seconds: Self.warmUp), drive.samples(seconds: seconds))
  }
}

extension FusionEngine {
  /// Takes a sample and all its verdicts.
  package mutating func take(_ sample: SensorSample, verdicts: inout [MeasurementVerdict.Kind]) {
    process(sample)
    verdicts.removeAll(keepingCapacity: true)
    while let verdict = nextVerdict() { verdicts.append(verdict.kind) }
  }
}
