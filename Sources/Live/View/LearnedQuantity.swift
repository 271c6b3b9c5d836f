import Fusion

/// Something that has been learned of the car and its sensors, in words and figures for people.
package struct LearnedQuantity: Sendable, Equatable {
  /// What.
  package var name: String
  /// Its value with the unit; empty where only its precision says anything.
  package var value: String
  /// One standard deviation of it, with the unit.
  package var uncertainty: String

  /// All that `calibration` holds.
  package static func list(_ calibration: Calibration) -> [LearnedQuantity] {
    func degrees(_ radians: Double, _ decimals: Int) -> String {
      Figures.fixed(Angle.degrees(radians: radians), decimals)
    }
    func vector(_ v: Vector3, _ text: (Double) -> String) -> String {
      "\(text(v.x)), \(text(v.y)), \(text(v.z))"
    }
    func largest(_ v: Vector3) -> Double { max(v.x, v.y, v.z) }
    let c = calibration
    var list = [
      LearnedQuantity(
        name: "Gyroscope bias", value: vector(c.gyroBias.value) { degrees($0, 3) } + " °/s",
        uncertainty: degrees(largest(c.gyroBias.sigma), 3) + " °/s"),
      LearnedQuantity(
        name: "Gyroscope scale", value: Figures.fixed(c.gyroScale.value * 100, 2) + " %",
        uncertainty: Figures.fixed(c.gyroScale.sigma * 100, 2) + " %"),
      LearnedQuantity(
        name: "Accelerometer bias",
        value: vector(c.accelBias.value) { Figures.fixed($0, 2) } + " m/s²",
        uncertainty: Figures.fixed(largest(c.accelBias.sigma), 2) + " m/s²"),
    ]
    if c.vehicleFromBody != nil {
      list.append(
        LearnedQuantity(
          name: "Mounting of the IMU", value: "",
          uncertainty: "\(degrees(c.mountingPitchSigma, 1))° pitch, \(degrees(c.mountingYawSigma, 1))° yaw"))
    }
    list.append(
      LearnedQuantity(
        name: "Antenna from the IMU", value: vector(c.leverArm.value) { Figures.fixed($0, 1) } + " m",
        uncertainty: Figures.fixed(largest(c.leverArm.sigma), 1) + " m"))
    list.append(
      LearnedQuantity(
        name: "Delay of the fixes", value: Figures.fixed(c.positionDelay.value * 1000, 0) + " ms",
        uncertainty: Figures.fixed(c.positionDelay.sigma * 1000, 0) + " ms"))
    // Without wheels it stays where it began.
    if c.odometerScale.sigma < 0.02 {
      list.append(
        LearnedQuantity(
          name: "Scale of the wheels' speed", value: Figures.fixed(c.odometerScale.value * 100, 2) + " %",
          uncertainty: Figures.fixed(c.odometerScale.sigma * 100, 2) + " %"))
    }
    if let turns = c.wheelTurnsPerMetre {
      list.append(
        LearnedQuantity(
          name: "Wheels, by their shaking", value: Figures.fixed(turns, 3) + " turns/m", uncertainty: ""))
    }
    return list
  }
}
