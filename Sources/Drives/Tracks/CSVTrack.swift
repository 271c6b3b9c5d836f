import Navigation

/// One line a solution; a cell is empty where there is no value. `utc` is there where the origin is known.
struct CSVTrack: TrackEncoder {
  let origin: Timestamp?

  func begin(_ bytes: inout ByteWriter) {
    bytes.append("time_s,")
    if origin != nil { bytes.append("utc,") }
    bytes.append("latitude_deg,longitude_deg,height_m,mode")
    for field in TrackField.all {
      bytes.append(",")
      bytes.append(field.name)
    }
    bytes.append("\n")
  }

  func add(_ point: TrackPoint, to bytes: inout ByteWriter) {
    let solution = point.solution
    bytes.append(solution.time)
    bytes.append(",")
    if let origin {
      bytes.append(UTC.text(solution.time, origin: origin))
      bytes.append(",")
    }
    bytes.append(solution.position.latitudeDegrees, decimals: 10, otherwise: "")
    bytes.append(",")
    bytes.append(solution.position.longitudeDegrees, decimals: 10, otherwise: "")
    bytes.append(",")
    bytes.append(solution.position.height, decimals: 4, otherwise: "")
    bytes.append(",")
    bytes.append(solution.mode.name)
    for field in TrackField.all {
      bytes.append(",")
      bytes.append(field.value(point), decimals: field.decimals, otherwise: "")
    }
    bytes.append("\n")
  }

  func end(_ bytes: inout ByteWriter) {}
}
