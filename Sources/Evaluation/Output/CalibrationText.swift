import Fusion

extension Calibration {
  /// What was learned, a line each, for a terminal.
  var lines: [String] {
    func scalar(_ s: Scalar, _ unit: Double = 1, digits: Int = 3) -> String {
      "\(TextTable.cell(s.value * unit, digits: digits)) ± \(TextTable.cell(s.sigma * unit, digits: digits))"
    }
    func vector(_ v: Vector, _ unit: Double = 1, digits: Int = 3) -> String {
      (0..<3).map {
        "\(TextTable.cell(v.value[$0] * unit, digits: digits)) ± \(TextTable.cell(v.sigma[$0] * unit, digits: digits))"
      }
      .joined(separator: ", ")
    }
    let degrees = 180 / Double.pi
    let mounting =
      vehicleFromBody.map { q in
        let angles = [q.inverse.roll, q.inverse.pitch, q.inverse.yaw].map {
          TextTable.cell($0 * -degrees, digits: 2)
        }
        return angles.joined(separator: ", ")
          + " (pitch ± \(TextTable.cell(mountingPitchSigma * degrees, digits: 2))"
          + ", yaw ± \(TextTable.cell(mountingYawSigma * degrees, digits: 2)))"
      } ?? "not known"
    return [
      "learned:",
      "  gyroscope bias °/s          \(vector(gyroBias, degrees))",
      "  accelerometer bias m/s²     \(vector(accelBias))",
      "  mounting roll pitch yaw °   \(mounting)",
      "  gyroscope scale %           \(scalar(gyroScale, 100, digits: 2))",
      "  wheel speed scale %         \(scalar(odometerScale, 100, digits: 2))",
      "  wheel turns per m           \(TextTable.cell(wheelTurnsPerMetre, digits: 4))",
      "  antenna from IMU m          \(vector(leverArm, digits: 2))",
      "  IMU ahead of rear axle m    \(scalar(axleDistance, digits: 2))",
      "  slip, pitch ° per m/s²      \(scalar(sideslipGradient, degrees)), \(scalar(pitchPerForce, degrees))",
      "  receiver's lag s            position \(scalar(positionDelay)), velocity \(scalar(velocityDelay))",
      "  receiver's error now m      \(vector(gnssPositionBias, digits: 2))",
      "  position σ, true / stated   white \(TextTable.cell(whiteSigma)), lasting \(TextTable.cell(lastingSigma))",
      "  velocity σ, true / stated   \(TextTable.cell(velocityScale))",
    ]
  }
}
