import Navigation

/// A point of a track: what the engine knew, and what a map would have shown.
struct TrackPoint: Sendable {
  var solution: NavigationSolution
  var display: DisplayPosition?
}

/// A number of a point as it stands in CSV columns and GeoJSON properties.
struct TrackField: Sendable {
  /// Name with unit.
  let name: String
  /// Decimals that make sense for it.
  let decimals: Int
  /// The value; nil where the point has none.
  let value: @Sendable (TrackPoint) -> Double?

  /// Everything but time, position and mode.
  static let all: [TrackField] = [
    TrackField(name: "height_above_sea_level_m", decimals: 3) { $0.solution.position.heightAboveSeaLevel },
    TrackField(name: "geoid_separation_m", decimals: 2) { EGM96.separation($0.solution.position) },
    TrackField(name: "speed_m_s", decimals: 4) { $0.solution.speed },
    TrackField(name: "course_deg", decimals: 4) { degrees($0.solution.course) },
    TrackField(name: "heading_deg", decimals: 4) {
      $0.solution.isAligned ? degrees($0.solution.heading) : nil
    },
    TrackField(name: "horizontal_accuracy_68_m", decimals: 4) { $0.solution.horizontalAccuracy },
    TrackField(name: "horizontal_accuracy_95_m", decimals: 4) { $0.solution.horizontalAccuracy95 },
    TrackField(name: "vertical_accuracy_m", decimals: 4) { $0.solution.verticalAccuracy },
    TrackField(name: "speed_accuracy_m_s", decimals: 4) { $0.solution.speedAccuracy },
    TrackField(name: "course_accuracy_deg", decimals: 4) { degrees($0.solution.courseAccuracy) },
    TrackField(name: "heading_accuracy_deg", decimals: 4) {
      $0.solution.isAligned ? degrees($0.solution.headingAccuracy) : nil
    },
    TrackField(name: "velocity_north_m_s", decimals: 4) { $0.solution.velocityNED.x },
    TrackField(name: "velocity_east_m_s", decimals: 4) { $0.solution.velocityNED.y },
    TrackField(name: "velocity_down_m_s", decimals: 4) { $0.solution.velocityNED.z },
    TrackField(name: "roll_deg", decimals: 4) {
      $0.solution.isAligned ? degrees($0.solution.navFromVehicle.roll) : nil
    },
    TrackField(name: "pitch_deg", decimals: 4) {
      $0.solution.isAligned ? degrees($0.solution.navFromVehicle.pitch) : nil
    },
    TrackField(name: "yaw_deg", decimals: 4) {
      $0.solution.isAligned ? degrees($0.solution.navFromVehicle.yaw) : nil
    },
    TrackField(name: "covariance_north_north_m2", decimals: 6) { $0.solution.positionCovariance.x.x },
    TrackField(name: "covariance_north_east_m2", decimals: 6) { $0.solution.positionCovariance.y.x },
    TrackField(name: "covariance_north_down_m2", decimals: 6) { $0.solution.positionCovariance.z.x },
    TrackField(name: "covariance_east_east_m2", decimals: 6) { $0.solution.positionCovariance.y.y },
    TrackField(name: "covariance_east_down_m2", decimals: 6) { $0.solution.positionCovariance.z.y },
    TrackField(name: "covariance_down_down_m2", decimals: 6) { $0.solution.positionCovariance.z.z },
    TrackField(name: "display_latitude_deg", decimals: 10) { $0.display?.position.latitudeDegrees },
    TrackField(name: "display_longitude_deg", decimals: 10) { $0.display?.position.longitudeDegrees },
    TrackField(name: "display_offset_m", decimals: 4) { $0.display?.offset },
    TrackField(name: "display_snapped", decimals: 0) { $0.display.map { $0.snap == nil ? 0 : 1 } },
  ]

  private static func degrees(_ radians: Double) -> Double { Angle.degrees(radians: radians) }
}
