import Navigation

/// GPX 1.0, which has elements for course and speed where 1.1 has none, and no extensions. `ele` is the
/// height above mean sea level.
struct GPX10Track: TrackEncoder {
  let origin: Timestamp?

  func begin(_ bytes: inout ByteWriter, _ provenance: Provenance?) {
    GPXText.begin("1.0", "http://www.topografix.com/GPX/1/0", &bytes)
    if let provenance { bytes.append("<desc>\(provenance.xml)</desc>\n") }
    GPXText.beginTrack(&bytes)
  }

  func add(_ point: TrackPoint, to bytes: inout ByteWriter) {
    let solution = point.solution
    guard solution.hasPosition else { return }
    GPXText.open(solution, origin, &bytes)
    GPXText.element("course", Angle.degrees(radians: solution.course), 3, &bytes)
    GPXText.element("speed", solution.speed, 3, &bytes)
    GPXText.geoidHeight(solution.position, &bytes)
    // Without it readers take a point for one without a fix.
    bytes.append("<fix>\(solution.isHeightKnown ? "3d" : "2d")</fix>")
    bytes.append("</trkpt>\n")
  }

  func end(_ bytes: inout ByteWriter) { GPXText.end(&bytes) }
}
