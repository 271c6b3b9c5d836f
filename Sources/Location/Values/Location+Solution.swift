import Navigation

extension Location {
  /// What `solution` says, in the terms of this interface. What is not known is marked
  /// as not valid, not made up.
  ///
  /// - Parameters:
  ///   - solution: of the engine.
  ///   - utc: when the solution holds in UTC, where the time is known.
  ///   - sources: what it was made of.
  ///   - geoidHeight: metres of mean sea level above the ellipsoid at the place, where it is known.
  public init(
    _ solution: NavigationSolution, utc: Timestamp?, sources: LocationSources, geoidHeight: Double? = nil
  ) {
    let radius = solution.horizontalAccuracy
    let isPlace = solution.position.isValid && radius.isFinite
    let wrapped = Angle.degrees(radians: Angle.wrapped(solution.position.longitude))
    self.init(
      coordinate: Coordinate(
        latitudeDegrees: solution.position.latitudeDegrees, longitudeDegrees: wrapped),
      horizontalAccuracy: isPlace ? radius : -1, timestamp: solution.time, utc: utc, sources: sources,
      mode: solution.mode)
    guard isPlace else { return }
    floor = solution.floor.map(Floor.init(level:))
    if solution.isHeightKnown {
      ellipsoidalAltitude = solution.position.height
      altitude = geoidHeight.map { solution.position.height - $0 }
      verticalAccuracy = solution.verticalAccuracy
    }
    let speed = solution.speed
    guard speed.isFinite, solution.speedAccuracy.isFinite else { return }
    self.speed = speed
    signedSpeed = speed
    speedAccuracy = solution.speedAccuracy
    // At rest the direction of motion is anybody's guess, and says so.
    if solution.courseAccuracy < Self.worstDirection {
      courseDegrees = Angle.degrees(radians: solution.course)
      courseAccuracyDegrees = Angle.degrees(radians: solution.courseAccuracy)
    }
    guard solution.isAligned, solution.headingAccuracy < Self.worstDirection else { return }
    headingDegrees = Angle.degrees(radians: solution.heading)
    headingAccuracyDegrees = Angle.degrees(radians: solution.headingAccuracy)
    let isBackward = abs(Angle.wrapped(solution.course - solution.heading)) > .pi / 2
    if isBackward, speed > 2 * solution.speedAccuracy { signedSpeed = -speed }
  }

  /// A direction with a standard deviation of a quarter turn tells nothing.
  private static let worstDirection = Double.pi / 2
}
