import Navigation

/// One line a solution; a cell is empty where there is no value. `utc` is there where the origin is known.
struct CSVTrack: TrackEncoder {
  let origin: Timestamp?
  /// Whether numbers have all digits that tell them from their neighbours, instead of those that make sense.
  var isExact = false

  func begin(_ bytes: inout ByteWriter, _ provenance: Provenance?) {
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
    if isExact { bytes.append(solution.time.nanoseconds, decimals: 9) } else { bytes.append(solution.time) }
    bytes.append(",")
    if let origin {
      bytes.append(UTC.text(solution.time, origin: origin))
      bytes.append(",")
    }
    append(solution.position.latitudeDegrees, decimals: 10, to: &bytes)
    bytes.append(",")
    append(solution.position.longitudeDegrees, decimals: 10, to: &bytes)
    bytes.append(",")
    append(solution.position.height, decimals: 4, to: &bytes)
    bytes.append(",")
    bytes.append(solution.mode.word)
    for field in TrackField.all {
      bytes.append(",")
      append(field.value(point), decimals: field.decimals, to: &bytes)
    }
    bytes.append("\n")
  }

  private func append(_ value: Double?, decimals: Int, to bytes: inout ByteWriter) {
    if isExact, let value = value?.known {
      bytes.append("\(value)")
    } else {
      bytes.append(value, decimals: decimals, otherwise: "")
    }
  }

  func end(_ bytes: inout ByteWriter) {}
}
