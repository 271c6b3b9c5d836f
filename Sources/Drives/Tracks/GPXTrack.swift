import Navigation

/// GPX 1.1: one track of one segment. `ele` is the height above mean sea level, as programs take it for, and
/// `geoidheight` what makes it the ellipsoidal one, which stands in `extensions` with all that GPX has no
/// element for, under the names of the CSV.
struct GPXTrack: TrackEncoder {
  let origin: Timestamp?

  func begin(_ bytes: inout ByteWriter, _ provenance: Provenance?) {
    GPXText.begin("1.1", #"http://www.topografix.com/GPX/1/1" xmlns:reckon="urn:reckon:track:1"#, &bytes)
    if let provenance { bytes.append("<metadata><desc>\(provenance.xml)</desc></metadata>\n") }
    GPXText.beginTrack(&bytes)
  }

  func add(_ point: TrackPoint, to bytes: inout ByteWriter) {
    let solution = point.solution
    guard solution.hasPosition else { return }
    GPXText.open(solution, origin, &bytes)
    GPXText.geoidHeight(solution.position, &bytes)
    bytes.append("<extensions><reckon:time_s>")
    bytes.append(solution.time)
    bytes.append("</reckon:time_s><reckon:mode>\(solution.mode.word)</reckon:mode>")
    GPXText.element("reckon:height_m", solution.position.height, 3, &bytes)
    for field in TrackField.all {
      GPXText.element("reckon:\(field.name)", field.value(point), field.decimals, &bytes)
    }
    bytes.append("</extensions></trkpt>\n")
  }

  func end(_ bytes: inout ByteWriter) { GPXText.end(&bytes) }
}

/// What both versions of GPX have in common.
enum GPXText {
  /// What made the file, as both versions have it.
  static let creator = "Reckon"

  /// The head of a file in this version; `namespace` is that of its elements, and others behind it.
  static func begin(_ version: String, _ namespace: String, _ bytes: inout ByteWriter) {
    bytes.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="\(version)" creator="\(creator)" xmlns="\(namespace)">

      """)
  }

  /// The beginning of the one track.
  static func beginTrack(_ bytes: inout ByteWriter) {
    bytes.append("<trk><name>Reckon track</name><trkseg>\n")
  }

  /// The beginning of a point, with height and time where they are known.
  static func open(_ solution: NavigationSolution, _ origin: Timestamp?, _ bytes: inout ByteWriter) {
    let position = solution.position
    bytes.append("<trkpt lat=\"")
    bytes.append(position.latitudeDegrees, decimals: 9)
    bytes.append("\" lon=\"")
    bytes.append(Angle.degrees(radians: Angle.wrapped(position.longitude)), decimals: 9)
    bytes.append("\">")
    if position.height.isFinite { element("ele", position.heightAboveSeaLevel, 3, &bytes) }
    if let origin { bytes.append("<time>\(UTC.text(solution.time, origin: origin))</time>") }
  }

  /// How far the geoid is above the ellipsoid there; nothing where there is no height.
  static func geoidHeight(_ position: GeodeticPosition, _ bytes: inout ByteWriter) {
    if position.height.isFinite { element("geoidheight", EGM96.separation(position), 2, &bytes) }
  }

  /// A number in an element of its own; nothing where it is not known.
  static func element(_ name: String, _ value: Double?, _ decimals: Int, _ bytes: inout ByteWriter) {
    guard let value = value?.known else { return }
    bytes.append("<\(name)>")
    bytes.append(value, decimals: decimals)
    bytes.append("</\(name)>")
  }

  static func end(_ bytes: inout ByteWriter) { bytes.append("</trkseg></trk>\n</gpx>\n") }
}
