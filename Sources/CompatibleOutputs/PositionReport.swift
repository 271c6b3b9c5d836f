import Navigation
import SensorEvents

/// The fused position at one time, with what programs that expect a receiver want to know beside it.
public struct PositionReport: Sendable, Equatable {
  /// UTC of the solution in nanoseconds since 1970 without leap seconds; nil while UTC is not known.
  public var utcNanoseconds: Int64?
  /// Position, velocity and attitude; nil while there is none.
  public var solution: NavigationSolution?
  /// Whether fixes still hold the position: without them it is dead reckoning, also at a standstill.
  public var isAided: Bool
  /// Whether those fixes carry corrections (differential, RTK).
  public var isCorrected = false
  /// Whether it comes from a replay or a simulator.
  public var isSimulated = false
  /// Height of the geoid above the ellipsoid in metres, where a receiver or a model has told it.
  public var geoidSeparation: Double?
  /// The satellites behind the fixes; nil leaves it to what was published of them last.
  public var sky: SkyReading?

  /// The solution at a UTC; it counts as aided unless its mode says dead reckoning.
  public init(utcNanoseconds: Int64?, solution: NavigationSolution?, isAided: Bool? = nil) {
    self.utcNanoseconds = utcNanoseconds
    self.solution = solution
    self.isAided = isAided ?? (solution.map { $0.mode != .deadReckoning } ?? false)
  }

  /// Geoid height in metres from a fix that states both heights.
  public static func geoidSeparation(of reading: FixReading) -> Double? {
    guard let aboveSeaLevel = reading.heightAboveSeaLevel else { return nil }
    let separation = reading.fix.position.height - aboveSeaLevel
    // The geoid lies between −107 m and +86 m of WGS-84 (EGM2008): what is far outside is a mistake.
    return abs(separation) < 200 ? separation : nil
  }
}

/// How much of the position is known: gpsd's and NMEA's mode.
enum FixMode: Int {
  case unseen = 0
  case none = 1
  case horizontal = 2
  case full = 3
}

extension PositionReport {
  /// The solution, if its position and its covariance make sense.
  var usableSolution: NavigationSolution? {
    guard let solution, solution.position.isValid else { return nil }
    let p = solution.positionCovariance
    // (100,000 km)²: beyond it nothing is known, and squares of it still fit.
    guard (0...1e16).contains(p.x.x), (0...1e16).contains(p.y.y), abs(p.x.y) <= 1e16 else { return nil }
    return solution
  }

  /// The mode that the solution allows.
  var fixMode: FixMode {
    guard let usableSolution else { return .none }
    return usableSolution.isHeightKnown ? .full : .horizontal
  }

  /// Height above mean sea level in metres, where the geoid's is known.
  var heightAboveSeaLevel: Double? {
    guard fixMode == .full, let usableSolution, let geoidSeparation else { return nil }
    return usableSolution.position.height - geoidSeparation
  }
}

extension NavigationSolution {
  /// Factor from a standard deviation to the bound of 95 % of a normal distribution in one dimension.
  static let sigmas95 = 1.959963984540054

  /// Course in degrees, 0 ..< 360; nil where the motion is too slow to have a direction.
  var knownCourseDegrees: Double? {
    guard mode != .stationary, courseAccuracy * Self.sigmas95 < .pi, course.isFinite else { return nil }
    return Angle.degrees(radians: course)
  }

  /// Longitude in degrees, −180 ..< 180, also where the solution's is a turn away.
  var wrappedLongitudeDegrees: Double { Angle.degrees(radians: Angle.wrapped(position.longitude)) }
}
