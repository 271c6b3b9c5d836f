import Navigation

/// Places beside those of another file for the same times: whether they lie far off, and would not if
/// latitude and longitude changed places.
struct FarPlaces: Sendable, Equatable {
  /// Places, those of them that lie far off, and of these those that the swap brings near.
  private var count = 0, far = 0, swapped = 0
  /// Sum of the distances of those far off, m.
  private var distance = 0.0

  /// [chosen: no receiver errs by as much]
  private static let farthest = 20_000.0
  /// [chosen: what a car drives between two times that count as one, and the error of a fix]
  private static let near = 2000.0

  mutating func add(_ place: GeodeticPosition, beside other: GeodeticPosition) {
    count += 1
    let distance = place.distance(to: other)
    guard distance > Self.farthest else { return }
    far += 1
    self.distance += distance
    if place.swapped.distance(to: other) < Self.near { swapped += 1 }
  }

  /// Kilometres between the two where most places lie far off; nil where they do not.
  var kilometres: Double? { far * 2 > count ? distance / Double(far) / 1000 : nil }

  /// Whether the swap would bring most of them near.
  var areSwapped: Bool { swapped * 2 > far }
}

extension GeodeticPosition {
  /// With latitude and longitude in each other's place.
  var swapped: Self { Self(latitude: longitude, longitude: latitude, height: height) }

  /// The point below: a height may not be known.
  var onEllipsoid: Self { Self(latitude: latitude, longitude: longitude, height: 0) }

  /// Metres through the Earth, on the ellipsoid: of use far apart, too.
  fileprivate func distance(to other: Self) -> Double {
    (WGS84.ecef(onEllipsoid) - WGS84.ecef(other.onEllipsoid)).norm
  }
}
