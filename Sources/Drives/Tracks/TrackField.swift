import LinearAlgebra
import Navigation

/// A number of a solution as it stands in CSV columns and GeoJSON properties.
struct TrackField: Sendable {
  /// Name with unit.
  let name: String
  /// Decimals that make sense for it.
  let decimals: Int
  /// The value; nil where the solution has none.
  let value: @Sendable (NavigationSolution) -> Double?

  /// Everything but time, position and mode.
  static let all: [TrackField] = [
    TrackField(name: "speed_m_s", decimals: 4) { $0.speed },
    TrackField(name: "course_deg", decimals: 4) { degrees($0.course) },
    TrackField(name: "heading_deg", decimals: 4) { $0.isAligned ? degrees($0.heading) : nil },
    TrackField(name: "horizontal_accuracy_68_m", decimals: 4) { $0.horizontalAccuracy },
    TrackField(name: "horizontal_accuracy_95_m", decimals: 4) { $0.horizontalAccuracy95 },
    TrackField(name: "vertical_accuracy_m", decimals: 4) { $0.verticalAccuracy },
    TrackField(name: "speed_accuracy_m_s", decimals: 4) { $0.speedAccuracy },
    TrackField(name: "course_accuracy_deg", decimals: 4) { degrees($0.courseAccuracy) },
    TrackField(name: "heading_accuracy_deg", decimals: 4) {
      $0.isAligned ? degrees($0.headingAccuracy) : nil
    },
    TrackField(name: "velocity_north_m_s", decimals: 4) { $0.velocityNED.x },
    TrackField(name: "velocity_east_m_s", decimals: 4) { $0.velocityNED.y },
    TrackField(name: "velocity_down_m_s", decimals: 4) { $0.velocityNED.z },
    TrackField(name: "roll_deg", decimals: 4) { $0.isAligned ? degrees($0.navFromVehicle.roll) : nil },
    TrackField(name: "pitch_deg", decimals: 4) { $0.isAligned ? degrees($0.navFromVehicle.pitch) : nil },
    TrackField(name: "yaw_deg", decimals: 4) { $0.isAligned ? degrees($0.navFromVehicle.yaw) : nil },
    TrackField(name: "covariance_north_north_m2", decimals: 6) { $0.positionCovariance.x.x },
    TrackField(name: "covariance_north_east_m2", decimals: 6) { $0.positionCovariance.y.x },
    TrackField(name: "covariance_north_down_m2", decimals: 6) { $0.positionCovariance.z.x },
    TrackField(name: "covariance_east_east_m2", decimals: 6) { $0.positionCovariance.y.y },
    TrackField(name: "covariance_east_down_m2", decimals: 6) { $0.positionCovariance.z.y },
    TrackField(name: "covariance_down_down_m2", decimals: 6) { $0.positionCovariance.z.z },
  ]

  private static func degrees(_ radians: Double) -> Double { Angle.degrees(radians: radians) }
}
