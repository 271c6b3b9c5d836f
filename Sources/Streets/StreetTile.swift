/// A square of the map in the Mercator projection: at zoom z the world has 2ᶻ in a row, from the
/// west and from the north.
package struct StreetTile: Hashable, Sendable {
  package var zoom: Int
  package var column: Int
  package var row: Int

  /// The one square of zoom 0.
  package static let world = StreetTile()

  private init() { (zoom, column, row) = (0, 0, 0) }

  /// Nil where the world has no such square.
  package init?(zoom: Int, column: Int, row: Int) {
    guard (0...PMTilesHeader.finestZoom).contains(zoom) else { return nil }
    let all = 0..<(1 << zoom)
    guard all.contains(column), all.contains(row) else { return nil }
    (self.zoom, self.column, self.row) = (zoom, column, row)
  }

  /// Its number in a file: those of coarser zooms first, then along Hilbert's curve, as the
  /// specification's own programs go.
  package var identifier: UInt64 {
    var (x, y, sum) = (UInt64(column), UInt64(row), ((UInt64(1) << (2 * UInt64(zoom))) - 1) / 3)
    for level in (0..<zoom).reversed() {
      let side = UInt64(1) << UInt64(level)
      let (right, down) = (x & side, y & side)
      sum += ((3 * right) ^ down) << UInt64(level)
      // The quarter is turned as the curve is there; what lies above its bits is not looked at again.
      if down == 0 {
        if right != 0 { (x, y) = (side &- 1 &- x, side &- 1 &- y) }
        (x, y) = (y, x)
      }
    }
    return sum
  }
}
