import CLibrary
import Location

/// Something heard whose place the database knows.
public struct CoarseAnchor: Sendable, Equatable {
  /// What it is.
  public enum Kind: Sendable, Equatable {
    /// A Wi-Fi access point.
    case accessPoint
    /// A cell.
    case cell
    /// The group of cells that a cell not in the database belongs to.
    case area
  }

  /// What it is.
  public var kind: Kind
  /// Its middle.
  public var place: Coordinate
  /// Metres about the middle that hold the hearer with 68 %.
  public var radius: Double
  /// In dBm, where it is known.
  public var strength: Double?

  /// Something of that kind, there.
  public init(kind: Kind, place: Coordinate, radius: Double, strength: Double?) {
    self.kind = kind
    self.place = place
    self.radius = radius
    self.strength = strength
  }
}

/// A place by what was heard.
///
/// Each anchor says where the car is with an error of its radius. Those that agree with the most others are
/// averaged, weighted by their variances; the rest have moved since the database was made, or were never
/// there. One access point alone is believed only within reach of a cell: it may be in another car.
public struct CoarseEstimate: Sendable, Equatable {
  /// The place.
  public var place: Coordinate
  /// The 68 % radius in metres.
  public var radius: Double
  /// `wifi` or `cell`.
  public var sources: LocationSources

  /// The ratio of the 68 % radius to the standard deviation of each axis of a circular normal distribution.
  static let radiusPerSigma = 1.50959
  /// Least radius in metres of a place by access points, and by cells.
  static let leastByWiFi = 25.0, leastByCells = 200.0
  /// Two anchors agree within so many standard deviations of their difference.
  static let agreement = 3.0
  /// What a model of the air that is never right adds.
  static let caution = 1.1

  private struct Point {
    var north, east, sigma: Double

    func distance(to other: Point) -> Double { hypot(north - other.north, east - other.east) }
    func agrees(with other: Point) -> Bool {
      distance(to: other) <= CoarseEstimate.agreement * hypot(sigma, other.sigma)
    }
  }

  /// The best place by `anchors`; nil where they are none.
  public init?(_ anchors: [CoarseAnchor]) {
    // In an order of their own: the one in which they were heard plays no part, to the bit.
    let sane = anchors.filter { $0.place.isValid && $0.radius > 0 && $0.radius.isFinite }.sorted {
      ($0.place.latitudeDegrees, $0.place.longitudeDegrees, $0.radius, $0.strength ?? 0)
        < ($1.place.latitudeDegrees, $1.place.longitudeDegrees, $1.radius, $1.strength ?? 0)
    }
    guard let origin = sane.first?.place else { return nil }
    // Metres on a plane that is right near the origin; far anchors disagree on it too.
    let scale = max(cos(origin.latitudeDegrees * .pi / 180), 0.01)
    func points(_ kind: CoarseAnchor.Kind) -> [Point] {
      sane.filter { $0.kind == kind }.map { anchor in
        let turn =
          (anchor.place.longitudeDegrees - origin.longitudeDegrees + 540)
          .truncatingRemainder(dividingBy: 360) - 180
        return Point(
          north: (anchor.place.latitudeDegrees - origin.latitudeDegrees) * Self.metresPerDegree,
          east: turn * Self.metresPerDegree * scale, sigma: Self.sigma(anchor))
      }
    }
    let cells = Self.mean(of: points(.cell)) ?? Self.mean(of: points(.area))
    var answer = cells
    var least = Self.leastByCells
    sources = .cell
    if let (place, count) = Self.mean(of: points(.accessPoint)),
      cells.map({ place.agrees(with: $0.place) }) ?? (count > 1)
    {
      (answer, least, sources) = ((place, count), Self.leastByWiFi, .wifi)
    }
    guard let found = answer?.place else { return nil }
    let longitude = origin.longitudeDegrees + found.east / Self.metresPerDegree / scale
    place = Coordinate(
      latitudeDegrees: min(max(origin.latitudeDegrees + found.north / Self.metresPerDegree, -90), 90),
      longitudeDegrees: longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude)
    radius = max(least, Self.radiusPerSigma * found.sigma)
    guard place.isValid, radius.isFinite else { return nil }
  }

  /// Of a sphere of the Earth's mean radius.
  private static let metresPerDegree = 6_371_008.77 * .pi / 180

  /// How far off, on each axis, the anchor's middle is from the car.
  private static func sigma(_ anchor: CoarseAnchor) -> Double {
    let sigma = anchor.radius / radiusPerSigma
    guard let strength = anchor.strength else { return sigma }
    switch anchor.kind {
    case .accessPoint:
      // Log-distance path loss: −40 dBm at a metre, exponent 3 as among houses; the
      // direction is anybody's guess.
      let distance = min(max(pow(10, (-40 - strength) / 30), 3), 150)
      return hypot(sigma, distance / 2.0.squareRoot())
    case .cell, .area:
      // Half as far at 20 dB above the usual −95 dBm, twice as far at 20 dB below.
      return sigma * min(max(pow(2, (-95 - strength) / 20), 0.5), 2)
    }
  }

  /// The mean of the largest set that agrees with one of them, and how many they are.
  private static func mean(of points: [Point]) -> (place: Point, count: Int)? {
    let sets = points.map { point in points.filter(point.agrees) }
    // Of two sets of one size that about the better known point.
    let best = points.indices.max {
      (sets[$0].count, -points[$0].sigma) < (sets[$1].count, -points[$1].sigma)
    }
    guard let best, case let members = sets[best] else { return nil }
    // As many say something else: there is nobody to decide.
    let isUndecided = points.indices.contains {
      sets[$0].count == members.count && !points[$0].agrees(with: points[best])
    }
    if isUndecided { return nil }
    var (weights, north, east, least) = (0.0, 0.0, 0.0, Double.infinity)
    for point in members {
      let weight = 1 / (point.sigma * point.sigma)
      weights += weight
      north += weight * point.north
      east += weight * point.east
      least = min(least, point.sigma)
    }
    var mean = Point(north: north / weights, east: east / weights, sigma: 0)
    let spread = members.reduce(0) { $0 + pow($1.distance(to: mean) / $1.sigma, 2) / 2 } / weights
    // Errors of one database at one place go together: many anchors are no better than two of the best.
    mean.sigma = (max(1 / weights, least * least / 2) + spread / Double(members.count)).squareRoot() * caution
    return (mean, members.count)
  }
}
