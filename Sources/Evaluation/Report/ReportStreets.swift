import Essentials
import Pages
import Streets

/// Streets along the tracks of one drive, as a page carries them: tiles as they stand in their file.
package struct ReportStreets: Sendable {
  /// Bytes of all tiles of a drive.
  /// *[chosen: as much again as the tracks of an hour, and some minutes of a city at zoom 14]*
  package static let most = 4 << 20
  /// Around the tracks in metres: what is seen beside the road at a glance.
  private static let margin = 300.0
  /// At this many tiles or fewer a zoom is taken whole, with half of its longer side more on each.
  private static let few = 24
  /// Finer zooms show houses, not more streets.
  private static let finest = 15

  let attribution: String
  let areTilesPacked: Bool
  package private(set) var zooms: ClosedRange<Int>
  private(set) var tiles: [(tile: StreetTile, bytes: [UInt8])] = []
  /// Whether finer zooms that the file has would have been too much.
  private(set) var isCoarse = false

  /// Whether even the coarsest would have been too much, so that there are none.
  package var isTooMuch: Bool { tiles.isEmpty }

  /// Those of `file` along `tracks`, at most `most` bytes; nil where the file has none there.
  package init?(
    _ file: StreetFile, along tracks: [ReportTrack], most: Int = Self.most
  ) throws(StreetFault) {
    attribution = file.attribution
    areTilesPacked = file.areTilesPacked
    let main = tracks.filter { $0.role != .gnss }
    let places = (main.isEmpty ? tracks : main).flatMap(\.points).compactMap(MercatorPlace.init)
    guard let box = MercatorBox(places) else { return nil }
    let last = min(file.zooms.upperBound, Self.finest)
    let first = min(last, max(file.zooms.lowerBound, box.zoom(atMost: 4) - 3))
    zooms = first...first
    var size = 0
    guard first <= last else { return nil }
    for zoom in first...last {
      var level: [(tile: StreetTile, bytes: [UInt8])] = []
      for tile in Self.wanted(zoom, box, places) {
        guard let bytes = try file.bytes(of: tile) else { continue }
        size += bytes.count
        level.append((tile, bytes))
        if size > most { break }
      }
      guard size <= most else {
        isCoarse = true
        break
      }
      tiles += level
      zooms = first...zoom
    }
    if tiles.isEmpty, !isCoarse { return nil }
  }

  private static func wanted(_ zoom: Int, _ box: MercatorBox, _ places: [MercatorPlace]) -> [StreetTile] {
    let whole = box.grown(by: 0.5).tiles(zoom, most: few)
    if !whole.isEmpty { return whole }
    var seen: Set<StreetTile> = []
    var all: [StreetTile] = []
    for place in places {
      for tile in MercatorBox(place, margin: margin).tiles(zoom, most: few) where seen.insert(tile).inserted {
        all.append(tile)
      }
    }
    return all
  }

  /// The element that the page's script reads; `origin` is where the metres of the
  /// tracks count from, in degrees.
  func html(origin: (latitude: Double, longitude: Double)) -> String {
    let list = tiles.map {
      "\"\($0.tile.zoom)/\($0.tile.column)/\($0.tile.row)\":\"\(Data($0.bytes).base64EncodedString())\""
    }
    return """
      <script type="application/json" class="streets">{"from":\(zooms.lowerBound),"to":\(zooms.upperBound),\
      "isPacked":\(areTilesPacked),"origin":[\(origin.latitude),\(origin.longitude)],\
      "tiles":{\(list.joined(separator: ","))}}</script>
      """
  }

  /// Whose they are, over the map.
  var credit: String {
    let text = attribution.isEmpty ? "Streets: the file names no source" : "Streets: " + attribution
    return "<p class=\"credit\">\(PageText.escaped(text))</p>"
  }
}
