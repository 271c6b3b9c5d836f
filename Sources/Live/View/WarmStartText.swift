import Fusion

extension WarmStartReport {
  /// What became of the saved state, in a sentence.
  public var text: String {
    let stage =
      switch stage {
      case .waiting: "the IMU was never at rest or in motion long enough to be compared"
      case .watching: "not used yet"
      case .trial: "used, still on trial"
      case .confirmed: "used, and borne out by the fixes"
      case .cold:
        usesMounting || usesBiases
          ? "started cold; of what was saved, \(kept) in use" : "started cold"
      }
    return "warm start: " + stage + (contradiction.map { ": \($0.text)" } ?? "")
  }

  private var kept: String {
    usesMounting && usesBiases
      ? "biases and mounting are" : usesMounting ? "the mounting is" : "the biases are"
  }
}

extension WarmStartReport.Contradiction {
  var text: String {
    func degrees(_ radians: Double) -> String { Figures.fixed(radians * 180 / .pi, 1) }
    return switch self {
    case .unusable: "the saved state cannot be used"
    case .imuTurned(let angle): "the IMU was turned, gravity is \(degrees(angle))° from where it was"
    case .imuChanged(let rate): "another IMU, its gyroscope at rest is \(degrees(rate)) °/s off"
    case .forceChanged(let force):
      "another IMU, its force at rest is \(Figures.fixed(force, 2)) m/s² off gravity"
    case .tilted(let angle): "the tilt has changed by \(degrees(angle))°"
    case .carMoved(let distance):
      "the car is not where it was left (\(Figures.fixed(distance, 0)) m), or drove already"
    case .headingContradicted: "the fixes speak for another heading"
    }
  }
}
