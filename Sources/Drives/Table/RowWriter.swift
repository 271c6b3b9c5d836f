import Navigation

/// A table being written: a header line, then rows of cells.
struct RowWriter: ~Copyable {
  private var bytes: ByteWriter

  init(path: String, columns: [String]) throws(DriveError) {
    bytes = try ByteWriter(path: path)
    bytes.append(columns.joined(separator: ","))
    bytes.append("\n")
  }

  /// Starts a row with its time: four decimals, six where the microseconds need them.
  mutating func begin(_ time: Timestamp) { bytes.append(time) }

  /// A time cell; empty where there is none.
  mutating func cell(_ time: Timestamp?) {
    bytes.append(",")
    if let time { bytes.append(time) }
  }

  /// A cell that must hold a number; `nan` shows the reader that it does not.
  mutating func required(_ value: Double, decimals: Int) {
    bytes.append(",")
    if value.isNaN { bytes.append("nan") } else { bytes.append(value, decimals: decimals) }
  }

  /// A cell that is empty where the value is not known.
  mutating func cell(_ value: Double?, decimals: Int) {
    bytes.append(",")
    bytes.append(value, decimals: decimals, otherwise: "")
  }

  /// Three cells that must hold numbers.
  mutating func required(_ vector: Vector3, decimals: Int) {
    required(vector.x, decimals: decimals)
    required(vector.y, decimals: decimals)
    required(vector.z, decimals: decimals)
  }

  /// Three cells, empty where the values are not known.
  mutating func cells(_ vector: Vector3?, decimals: Int) {
    cell(vector?.x, decimals: decimals)
    cell(vector?.y, decimals: decimals)
    cell(vector?.z, decimals: decimals)
  }

  /// Ends the row.
  mutating func end() throws(DriveError) {
    bytes.append("\n")
    try bytes.flushIfFull()
  }

  mutating func finish() throws(DriveError) { try bytes.finish() }
}
