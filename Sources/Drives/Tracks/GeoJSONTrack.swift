import JSON
import Navigation

/// A feature collection (RFC 7946) of points, whose properties are those of the CSV; null
/// where there is no value.
struct GeoJSONTrack: TrackEncoder {
  let origin: Timestamp?
  private var isFirst = true

  init(origin: Timestamp?) { self.origin = origin }

  func begin(_ bytes: inout ByteWriter, _ provenance: Provenance?) {
    bytes.append("{\"type\": \"FeatureCollection\", ")
    if let provenance { bytes.append("\"provenance\": \(provenance.json.text),\n") }
    bytes.append("\"features\": [")
  }

  mutating func add(_ point: TrackPoint, to bytes: inout ByteWriter) {
    let solution = point.solution
    bytes.append(isFirst ? "\n" : ",\n")
    isFirst = false
    bytes.append("{\"type\": \"Feature\", \"geometry\": ")
    if solution.hasPosition {
      bytes.append("{\"type\": \"Point\", \"coordinates\": [")
      bytes.append(coordinates: solution.position, separator: ", ")
      bytes.append("]}")
    } else {
      bytes.append("null")
    }
    bytes.append(", \"properties\": {\"time_s\": ")
    bytes.append(solution.time)
    if let origin {
      bytes.append(", \"time\": \"")
      bytes.append(UTC.text(solution.time, origin: origin))
      bytes.append("\"")
    }
    bytes.append(", \"mode\": \"")
    bytes.append(solution.mode.word)
    bytes.append("\"")
    for field in TrackField.all {
      bytes.append(", \"")
      bytes.append(field.name)
      bytes.append("\": ")
      bytes.append(field.value(point), decimals: field.decimals, otherwise: "null")
    }
    bytes.append("}}")
  }

  func end(_ bytes: inout ByteWriter) { bytes.append("\n]}\n") }
}
