import CompatibleOutputs
import Navigation
import SensorEvents

/// 2026-03-29 10:20:30.25 UTC.
let someUTC: Int64 = 1_774_779_630_250_000_000

/// A solution on a road near Munich, driving north-east at 20 m/s, with round standard deviations.
func someSolution(
  latitudeDegrees: Double = 48.1173, longitudeDegrees: Double = 11.516666667, height: Double = 592.3,
  mode: NavigationMode = .aided, velocityNED: Vector3 = Vector3(12, 16, -0.5)
) -> NavigationSolution {
  NavigationSolution(
    time: Timestamp(nanoseconds: 0), mode: mode,
    position: GeodeticPosition(
      latitudeDegrees: latitudeDegrees, longitudeDegrees: longitudeDegrees, height: height),
    velocityNED: velocityNED,
    navFromVehicle: Quaternion(
      roll: Angle.radians(degrees: -2), pitch: Angle.radians(degrees: 3), yaw: Angle.radians(degrees: 53)),
    angularRate: .zero,
    positionCovariance: Matrix3(diagonal: Vector3(4, 9, 16)),
    velocityCovariance: Matrix3(diagonal: Vector3(0.04, 0.04, 0.01)),
    attitudeCovariance: Matrix3(diagonal: Vector3(1e-4, 1e-4, 4e-4)))
}

/// A report of ``someSolution(latitudeDegrees:longitudeDegrees:height:mode:velocityNED:)``
/// with the geoid at 46.9 m.
func someReport(_ solution: NavigationSolution = someSolution(), utc: Int64? = someUTC) -> PositionReport {
  var report = PositionReport(utcNanoseconds: utc, solution: solution)
  report.geoidSeparation = 46.9
  return report
}

/// Eight satellites of three constellations, two of them not used.
let someSky = SkyReading(
  visible: 8, used: 6, hdop: 0.9,
  satellites: (0..<8).map { i in
    SkyReading.Satellite(
      constellation: [0, 0, 0, 0, 6, 6, 2, 1][i], number: [2, 5, 12, 25, 66, 71, 311, 46][i],
      elevationDegrees: Double(10 + 10 * i), azimuthDegrees: Double(40 * i), strength: 30 + Double(i),
      isUsed: i != 3 && i != 7)
  })
