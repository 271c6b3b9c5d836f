import Navigation

/// KML 2.2. The track is cut into lines of up to 100 points that share their ends, so that each can carry its
/// time span and the memory needed does not grow with the drive. Lines lie on the ground; their heights are
/// above mean sea level (EGM96), as KML defines them. A line that crosses the antimeridian is cut there, or
/// it would be drawn around the world.
struct KMLTrack: TrackEncoder {
  private static let pointsPerLine = 100

  let origin: Timestamp?
  private var line: [(time: Timestamp, position: GeodeticPosition)] = []

  init(origin: Timestamp?) { self.origin = origin }

  func begin(_ bytes: inout ByteWriter, _ provenance: Provenance?) {
    bytes.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <kml xmlns="http://www.opengis.net/kml/2.2">
      <Document>
      <name>Reckon track</name>
      \(provenance.map { "<description>\($0.xml)</description>\n" } ?? "")<Style id="track"><LineStyle><color>ff1478f0</color><width>3</width></LineStyle></Style>

      """)
  }

  mutating func add(_ point: TrackPoint, to bytes: inout ByteWriter) {
    let solution = point.solution
    guard solution.hasPosition else { return }
    var position = solution.position
    position.height = position.heightAboveSeaLevel
    position.longitude = Angle.wrapped(position.longitude)
    if let last = line.last, abs(position.longitude - last.position.longitude) > .pi {
      let (time, here, there) = Self.crossing(from: last, to: (solution.time, position))
      line.append((time, here))
      flush(&bytes)
      line = [(time, there)]
    }
    line.append((solution.time, position))
    if line.count == Self.pointsPerLine {
      flush(&bytes)
      line.removeFirst(line.count - 1)
    }
  }

  /// When and where the shorter way between two points crosses the antimeridian, as seen from either.
  private static func crossing(
    from a: (time: Timestamp, position: GeodeticPosition), to b: (time: Timestamp, position: GeodeticPosition)
  ) -> (Timestamp, GeodeticPosition, GeodeticPosition) {
    // A half turn itself is the western one.
    let (west, east) = (-Double.pi, Double.pi.nextDown)
    let (edge, other) = a.position.longitude < 0 ? (west, east) : (east, west)
    let way = Angle.wrapped(b.position.longitude - a.position.longitude)
    let share = way == 0 ? 0 : (edge - a.position.longitude) / way
    let latitude = a.position.latitude + (b.position.latitude - a.position.latitude) * share
    let height = a.position.height + (b.position.height - a.position.height) * share
    return (
      a.time.advanced(bySeconds: b.time.seconds(since: a.time) * share),
      GeodeticPosition(latitude: latitude, longitude: edge, height: height),
      GeodeticPosition(latitude: latitude, longitude: other, height: height)
    )
  }

  func end(_ bytes: inout ByteWriter) {
    if line.count > 1 { flush(&bytes) }
    bytes.append("</Document>\n</kml>\n")
  }

  private func flush(_ bytes: inout ByteWriter) {
    guard let first = line.first, let last = line.last else { return }
    bytes.append("<Placemark><name>")
    bytes.append(first.time)
    bytes.append(" to ")
    bytes.append(last.time)
    bytes.append(" s</name>")
    if let origin {
      bytes.append("<TimeSpan><begin>\(UTC.text(first.time, origin: origin))</begin>")
      bytes.append("<end>\(UTC.text(last.time, origin: origin))</end></TimeSpan>")
    }
    bytes.append("<styleUrl>#track</styleUrl><LineString><tessellate>1</tessellate>")
    bytes.append("<altitudeMode>clampToGround</altitudeMode><coordinates>\n")
    for point in line {
      bytes.append(coordinates: point.position, separator: ",")
      bytes.append("\n")
    }
    bytes.append("</coordinates></LineString></Placemark>\n")
  }
}
