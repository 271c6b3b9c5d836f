import CLibrary
import Navigation
import Streets

/// A place in the Mercator projection of tiles: from the west and from the north, 0 to 1 each.
struct MercatorPlace {
  var x, y: Double

  /// Nil near the poles, where there are no tiles, and where the point has no place.
  init?(_ point: ReportPoint) {
    let latitude = point.latitudeDegrees * .pi / 180
    guard abs(point.latitudeDegrees) < 85, abs(point.longitudeDegrees) <= 180 else { return nil }
    (x, y) = (point.longitudeDegrees / 360 + 0.5, (1 - asinh(tan(latitude)) / .pi) / 2)
  }

  /// A place within `tile`, by shares of its side.
  init(_ share: SIMD2<Double>, in tile: StreetTile) {
    let side = Double(1 << tile.zoom)
    (x, y) = ((Double(tile.column) + share.x) / side, (Double(tile.row) + share.y) / side)
  }

  /// The place on the ellipsoid.
  var position: GeodeticPosition {
    GeodeticPosition(latitude: atan(sinh(.pi * (1 - 2 * y))), longitude: (x - 0.5) * 2 * .pi, height: 0)
  }

  /// Metres that the width of the whole map is there.
  var widthOfMap: Double { 2 * .pi * 6_378_137.0 / cosh(.pi * (1 - 2 * y)) }
}

/// A rectangle of tiles; one across the edge of the map is the whole width of it.
struct MercatorBox {
  private var west, east, north, south: Double

  /// Around all of `places`; nil for none.
  init?(_ places: [MercatorPlace]) {
    guard let first = places.first else { return nil }
    (west, east, north, south) = (first.x, first.x, first.y, first.y)
    for place in places {
      (west, east) = (min(west, place.x), max(east, place.x))
      (north, south) = (min(north, place.y), max(south, place.y))
    }
  }

  /// So many metres around `place`.
  init(_ place: MercatorPlace, margin: Double) {
    let reach = margin / place.widthOfMap
    (west, east, north, south) = (place.x - reach, place.x + reach, place.y - reach, place.y + reach)
  }

  /// With so much of its longer side more on each side: a map shows that much beside a straight road.
  func grown(by share: Double) -> MercatorBox {
    var box = self
    let reach = share * max(east - west, south - north)
    (box.west, box.east) = (west - reach, east + reach)
    (box.north, box.south) = (north - reach, south + reach)
    return box
  }

  /// The finest zoom at which neither side is longer than so many tiles.
  func zoom(atMost count: Double) -> Int {
    let side = max(east - west, south - north)
    return side > 0 ? max(0, min(30, Int(log2(count / side).rounded(.down)))) : 30
  }

  /// Its tiles; none where they are more than `most`.
  func tiles(_ zoom: Int, most: Int) -> [StreetTile] {
    let side = Double(1 << zoom)
    func number(_ share: Double) -> Int { Int(max(0, min(side - 1, (share * side).rounded(.down)))) }
    let (columns, rows) = (number(west)...number(east), number(north)...number(south))
    guard columns.count * rows.count <= most else { return [] }
    return rows.flatMap { row in columns.compactMap { StreetTile(zoom: zoom, column: $0, row: row) } }
  }
}
