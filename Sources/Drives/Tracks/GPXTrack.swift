import Navigation

/// GPX 1.1: one track of one segment. `ele` is the height above mean sea level, as programs take it for, and
/// `geoidheight` what makes it the ellipsoidal one, which stands in `extensions` with all that GPX has no
/// element for, under the names of the CSV.
struct GPXTrack: TrackEncoder {
  let origin: Timestamp?

  func begin(_ bytes: inout ByteWriter) {
    bytes.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="Reckon" xmlns="http://www.topografix.com/GPX/1/1" xmlns:reckon="urn:reckon:track:1">
      <trk><name>Reckon track</name><trkseg>

      """)
  }

  func add(_ point: TrackPoint, to bytes: inout ByteWriter) {
    let solution = point.solution
    guard solution.hasPosition else { return }
    bytes.append("<trkpt lat=\"")
    bytes.append(solution.position.latitudeDegrees, decimals: 9)
    bytes.append("\" lon=\"")
    bytes.append(Angle.degrees(radians: Angle.wrapped(solution.position.longitude)), decimals: 9)
    bytes.append("\">")
    let hasHeight = solution.position.height.isFinite
    if hasHeight {
      bytes.append("<ele>")
      bytes.append(solution.position.heightAboveSeaLevel, decimals: 3)
      bytes.append("</ele>")
    }
    if let origin { bytes.append("<time>\(UTC.text(solution.time, origin: origin))</time>") }
    if hasHeight {
      bytes.append("<geoidheight>")
      bytes.append(EGM96.separation(solution.position), decimals: 2)
      bytes.append("</geoidheight>")
    }
    bytes.append("<extensions><reckon:time_s>")
    bytes.append(solution.time)
    bytes.append("</reckon:time_s><reckon:mode>\(solution.mode.name)</reckon:mode>")
    if hasHeight {
      bytes.append("<reckon:height_m>")
      bytes.append(solution.position.height, decimals: 3)
      bytes.append("</reckon:height_m>")
    }
    for field in TrackField.all {
      guard let value = field.value(point)?.known else { continue }
      bytes.append("<reckon:\(field.name)>")
      bytes.append(value, decimals: field.decimals)
      bytes.append("</reckon:\(field.name)>")
    }
    bytes.append("</extensions></trkpt>\n")
  }

  func end(_ bytes: inout ByteWriter) { bytes.append("</trkseg></trk>\n</gpx>\n") }
}
