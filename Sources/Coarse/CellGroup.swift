import CLibrary
import Location

/// Where the cells of one area are.
struct CellGroup {
  /// Bounds of a group's radius in metres.
  static let leastRadius = 2000.0, greatestRadius = 50_000.0

  let place: Coordinate
  let radius: Double

  /// The group of `cells`; nil where there are none.
  init?(_ cells: [(place: Coordinate, radius: Double)]) {
    // The mean of directions from the Earth's middle: right across the date line and at the poles.
    var (x, y, z) = (0.0, 0.0, 0.0)
    for cell in cells {
      let (latitude, longitude) = (
        cell.place.latitudeDegrees * .pi / 180, cell.place.longitudeDegrees * .pi / 180
      )
      x += cos(latitude) * cos(longitude)
      y += cos(latitude) * sin(longitude)
      z += sin(latitude)
    }
    let length = (x * x + y * y + z * z).squareRoot()
    guard !cells.isEmpty, length > 0 else { return nil }
    let middle = Coordinate(
      latitudeDegrees: asin(min(max(z / length, -1), 1)) * 180 / .pi,
      longitudeDegrees: atan2(y, x) * 180 / .pi)
    let reaches = cells.map { middle.distance(from: $0.place) + $0.radius }.sorted()
    place = middle
    radius = min(max(reaches[Int(Double(reaches.count - 1) * 0.68)], Self.leastRadius), Self.greatestRadius)
  }
}
