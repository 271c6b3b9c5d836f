import Navigation

/// The fused position as gpsd's reports: gpsd_json(5) of gpsd 3.22.
///
/// Error estimates are 95 % figures, which is what gpsd's manual takes them for: `eph` is the radius of the
/// circle that holds the position with 95 % probability; the others are 1.96 standard deviations. Reckon's
/// own accuracies are 68 %.
package struct GPSDReports {
  /// Name of the device in every report.
  package var device: String

  package init(device: String) { self.device = device }

  /// Time, position and velocity. With no report yet the mode is 0, with no solution 1.
  package func tpv(_ report: PositionReport?) -> [UInt8] {
    var object = JSONObject(class: "TPV")
    object.string("device", device)
    guard let report, let solution = report.usableSolution else {
      object.integer("mode", (report == nil ? FixMode.unseen : .none).rawValue)
      if let utc = report?.utcNanoseconds {
        object.string("time", CalendarTime.iso8601(utcNanoseconds: utc))
      }
      return object.bytes
    }
    if let status = Self.status(report, solution) { object.integer("status", status) }
    object.integer("mode", report.fixMode.rawValue)
    if let utc = report.utcNanoseconds {
      object.string("time", CalendarTime.iso8601(utcNanoseconds: utc))
    }
    position(report, solution, &object)
    velocity(solution, &object)
    return object.bytes
  }

  /// gpsd's fix status: 2 differential, 5 dead reckoning, 6 satellites and dead reckoning, 8 simulated; none
  /// stands for an ordinary fix.
  static func status(_ report: PositionReport, _ solution: NavigationSolution) -> Int? {
    if report.isSimulated { return 8 }
    if !report.isAided { return 5 }
    if solution.mode == .aligning { return report.isCorrected ? 2 : nil }
    return 6
  }

  private func position(_ report: PositionReport, _ solution: NavigationSolution, _ object: inout JSONObject)
  {
    // 1e-9 degrees are 0.1 mm.
    object.number("lat", solution.position.latitudeDegrees, decimals: 9)
    object.number("lon", solution.wrappedLongitudeDegrees, decimals: 9)
    if report.fixMode == .full {
      object.number("altHAE", solution.position.height, decimals: 4)
      object.number("altMSL", report.heightAboveSeaLevel, decimals: 4)
      // Deprecated, but what old clients read; gpsd sets it to altMSL.
      object.number("alt", report.heightAboveSeaLevel, decimals: 4)
      object.number("geoidSep", report.geoidSeparation, decimals: 3)
    }
    let covariance = solution.positionCovariance
    object.number("epx", bound95(covariance.y.y), decimals: 3)
    object.number("epy", bound95(covariance.x.x), decimals: 3)
    object.number("eph", solution.horizontalAccuracy95, decimals: 3)
    if report.fixMode == .full { object.number("epv", bound95(covariance.z.z), decimals: 3) }
  }

  private func velocity(_ solution: NavigationSolution, _ object: inout JSONObject) {
    let velocity = solution.velocityNED
    if let course = solution.knownCourseDegrees {
      object.number("track", Self.belowWholeTurn(course, decimals: 4), decimals: 4)
      object.number(
        "epd", min(180, Angle.degrees(radians: solution.courseAccuracy) * NavigationSolution.sigmas95),
        decimals: 4)
    }
    object.number("speed", solution.speed, decimals: 3)
    object.number("eps", solution.speedAccuracy * NavigationSolution.sigmas95, decimals: 3)
    object.number("climb", -velocity.z, decimals: 3)
    object.number("epc", bound95(solution.velocityCovariance.z.z), decimals: 3)
    object.number("velN", velocity.x, decimals: 3)
    object.number("velE", velocity.y, decimals: 3)
    object.number("velD", velocity.z, decimals: 3)
  }

  /// Attitude of the car: heading of its nose, pitch (nose up) and roll (right side down) in degrees; nil
  /// while heading is not known.
  package func att(_ report: PositionReport) -> [UInt8]? {
    guard let solution = report.usableSolution, solution.isAligned else { return nil }
    var object = JSONObject(class: "ATT")
    object.string("device", device)
    if let utc = report.utcNanoseconds {
      object.string("time", CalendarTime.iso8601(utcNanoseconds: utc))
    }
    let heading = Self.belowWholeTurn(Angle.degrees(radians: solution.heading), decimals: 3)
    object.number("heading", heading, decimals: 3)
    object.number("pitch", Angle.degrees(radians: solution.navFromVehicle.pitch), decimals: 3)
    object.number("yaw", heading, decimals: 3)
    object.number("roll", Angle.degrees(radians: solution.navFromVehicle.roll), decimals: 3)
    return object.bytes
  }

  /// `degrees` of 0 ..< 360, 0 where rounding would make them 360.
  static func belowWholeTurn(_ degrees: Double, decimals: Int) -> Double {
    let half = (0..<decimals).reduce(0.5) { half, _ in half / 10 }
    return degrees >= 360 - half ? 0 : degrees
  }

  private func bound95(_ variance: Double) -> Double {
    max(0, variance).squareRoot() * NavigationSolution.sigmas95
  }
}
