import Navigation

/// The level of a car park: storeys above or below where the fixes ended.
package struct FloorCounter: Sendable {
  /// No car park has as many storeys. [chosen: ten times those of a large one]
  private static let mostStoreys = 100.0

  private var ground: (height: Double, fix: Timestamp)?
  private var fastest = 0.0
  private var reported: Int?

  package init() {}

  /// The level at `time`: 0 where the fixes ended; nil under the open sky, in what is driven through faster
  /// than a car park, and where no barometer is in use.
  package private(set) var level: Int?

  /// Takes the height, in the barometer's frame, at `time`.
  ///
  /// - Parameter lastFix: when the newest fix that was used held.
  package mutating func update(
    height: Double, at time: Timestamp, lastFix: Timestamp, speed: Double, settings: BarometerConfiguration
  ) {
    guard let ground, ground.fix == lastFix else {
      self.ground = (height, lastFix)
      (fastest, reported, level) = (speed, nil, nil)
      return
    }
    fastest = max(fastest, speed)
    let storeys = (height - ground.height) / settings.storey
    guard time.seconds(since: lastFix) > settings.coveredAfter, fastest < settings.fastestParking,
      abs(storeys) < Self.mostStoreys
    else {
      level = nil
      return
    }
    // On a ramp it is the level that it left, until it is nearly on the next.
    if reported.map({ abs(storeys - Double($0)) > 0.65 }) ?? true { reported = Int(storeys.rounded()) }
    level = reported
  }
}
