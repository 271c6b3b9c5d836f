import Navigation
import Streets

/// Streets under a map that stands still, as elements of SVG: bounded in size, the
/// least of them left out first.
package struct StreetDrawing {
  /// Bytes of it. *[chosen: some thousand streets; a drive's tracks take 20 KB]*
  package static let most = 256 << 10
  /// Units that a tile should be wide: the finest zoom at which its tiles are not smaller is drawn.
  private static let tileWidth = 150.0
  /// Points nearer than this to the one before are not drawn, in units.
  private static let step = 0.7
  /// What is drawn over what.
  private static let order: [StreetKind] = [
    .green, .water, .stream, .path, .rail, .minor, .medium, .major, .motorway,
  ]
  /// What is left out first where all would be too much.
  private static let leastFirst: [(kind: StreetKind, name: String)] = [
    (.path, "paths"), (.stream, "streams"), (.minor, "minor streets"), (.green, "parks"), (.rail, "railways"),
    (.medium, "medium streets"), (.water, "waters"), (.major, "major streets"), (.motorway, "motorways"),
  ]

  /// The elements; empty where nothing is there.
  package private(set) var content = ""
  /// What it shows and what it leaves out, in a sentence; empty where nothing is there.
  package private(set) var summary = ""

  /// Where the map is.
  package struct Frame {
    let width, height: Double
    let origin: GeodeticPosition
    let scale: Double
    let place: (_ north: Double, _ east: Double) -> (x: Double, y: Double)

    /// A map of so many units; `scale` is how many a metre is, `place` where in it a point of
    /// metres from `origin` lies.
    package init(
      width: Double, height: Double, origin: GeodeticPosition, scale: Double,
      place: @escaping (_ north: Double, _ east: Double) -> (x: Double, y: Double)
    ) {
      (self.width, self.height, self.origin) = (width, height, origin)
      (self.scale, self.place) = (scale, place)
    }
  }

  /// `streets` in `frame`, in at most `most` bytes.
  package init(_ streets: ReportStreets, in frame: Frame, most: Int = Self.most) {
    let zoom = Self.zoom(streets, frame)
    var (paths, tunnels, damaged) = ([StreetKind: String](), [StreetKind: String](), 0)
    for (tile, bytes) in streets.tiles where tile.zoom == zoom {
      guard let content = VectorTile(bytes, isPacked: streets.areTilesPacked) else {
        damaged += 1
        continue
      }
      for feature in content.features {
        let path = feature.lines.map { Self.path($0, feature.kind, tile, frame) }.joined()
        if feature.isTunnel, feature.kind != .rail {
          tunnels[feature.kind, default: ""] += path
        } else {
          paths[feature.kind, default: ""] += path
        }
      }
    }
    var left: [String] = []
    for (kind, name) in Self.leastFirst {
      let size =
        paths.values.reduce(0) { $0 + $1.utf8.count } + tunnels.values.reduce(0) { $0 + $1.utf8.count }
      guard size > most else { break }
      let (path, tunnel) = (paths.removeValue(forKey: kind), tunnels.removeValue(forKey: kind))
      if path?.isEmpty == false || tunnel?.isEmpty == false { left.append(name) }
    }
    for (kinds, style) in [(tunnels, " tunnel"), (paths, "")] {
      for kind in Self.order {
        guard let path = kinds[kind], !path.isEmpty else { continue }
        content += "<path class=\"ground \(kind.rawValue)\(style)\" d=\"\(path)\"/>\n"
      }
    }
    guard !content.isEmpty else { return }
    say(streets, zoom, left, damaged, frame)
  }

  private mutating func say(
    _ streets: ReportStreets, _ zoom: Int, _ left: [String], _ damaged: Int, _ frame: Frame
  ) {
    let source = streets.attribution.isEmpty ? "a file that names no source" : streets.attribution
    let without = ["houses", "names"] + left
    summary =
      " Under them streets of zoom \(zoom), by \(source); left out: \(without.joined(separator: ", "))"
    summary += damaged > 0 ? ", \(FigureData.counted(damaged, "damaged tile", "damaged tiles"))." : "."
    let note = left.isEmpty ? "" : ", without \(left.joined(separator: ", "))"
    let text = String("Streets: \(source)\(note)".prefix(100))
    let credit = SVG.text(text, frame.width - 4, frame.height - 4, anchor: "end", style: "credit")
    let (wide, high) = (FigureNumber.coordinate(frame.width), FigureNumber.coordinate(frame.height))
    content = """
      <svg class="grounds" width="\(wide)" height="\(high)">\(content)</svg>
      \(credit)
      """
  }

  private static func zoom(_ streets: ReportStreets, _ frame: Frame) -> Int {
    guard let tile = streets.tiles.first?.tile else { return 0 }
    let width = MercatorPlace(.zero, in: tile).widthOfMap * frame.scale
    var zoom = streets.zooms.lowerBound
    while zoom < streets.zooms.upperBound, width / Double(1 << (zoom + 1)) >= tileWidth { zoom += 1 }
    return zoom
  }

  /// One line: what of it is outside of the map, or too small to be seen, is not drawn.
  private static func path(
    _ line: [SIMD2<Double>], _ kind: StreetKind, _ tile: StreetTile, _ frame: Frame
  ) -> String {
    let points = line.map { share in
      let position = MercatorPlace(share, in: tile).position
      let ned = position.ned(from: frame.origin)
      return frame.place(ned.x, ned.y)
    }
    guard let first = points.first else { return "" }
    var (low, high) = (first, first)
    for point in points {
      low = (min(low.x, point.x), min(low.y, point.y))
      high = (max(high.x, point.x), max(high.y, point.y))
    }
    guard high.x > 0, high.y > 0, low.x < frame.width, low.y < frame.height,
      max(high.x - low.x, high.y - low.y) >= step
    else { return "" }
    var text = ""
    var last = first
    for (index, point) in points.enumerated() {
      let away = max(abs(point.x - last.x), abs(point.y - last.y))
      guard index == 0 || away >= step || index == points.count - 1 else { continue }
      text +=
        "\(index == 0 ? "M" : "L")\(FigureNumber.coordinate(point.x)) \(FigureNumber.coordinate(point.y))"
      last = point
    }
    return text + (kind.isArea ? "Z" : "")
  }
}
