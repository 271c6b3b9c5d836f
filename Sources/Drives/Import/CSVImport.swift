import Navigation

/// Tables of any making, by a map of columns: {"imu": {"file": "log.csv", "columns": {"time_s":
/// {"column": "t", "unit": "ms"}, …}}}. The keys of `columns` are those of a drive folder; what has no
/// unit is in the drive folder's.
enum CSVImport {
  static func read(_ path: String, name: String, map: String?) throws(DriveError) -> DriveImport {
    guard let map else {
      throw .missingPart(path: path, part: "a map of columns: give one with --map (see reckon help import)")
    }
    let columns = try ColumnMap.read(map)
    guard Folder.exists(path) else { throw .notFound(path: path) }
    var drive = DriveImport(name: name)
    drive.description.source = "tables by a map of columns"
    if let frame = columns.imuFrame {
      guard IMUFrame(frame) != nil else {
        throw .malformedFile(
          file: map, reason: "\"imuFrame\": \"\(frame)\" names no axes; write frd, flu or x,-y,-z")
      }
      drive.description.imu = .init(frame: frame.uppercased())
    } else if columns.imu != nil {
      drive.description.imu = .init(frame: "FRD")
    }
    let source = CSVSource(path: path, map: map)
    if let table = columns.imu { drive.inertial = try source.read(table, "imu", &drive) }
    if let table = columns.gnss { drive.fixes = try source.read(table, "gnss", &drive) }
    if let table = columns.wheel { drive.wheel = try source.read(table, "wheel", &drive) }
    if let table = columns.truth { drive.truth = try source.read(table, "truth", &drive) }
    return drive
  }
}

/// Where the tables of a map are, for messages too.
struct CSVSource {
  let path: String
  let map: String

  /// A column of the source: its place, what a unit of it is, and its name.
  private struct Slot {
    var index: Int
    var scale: Double
    var name: String
    /// For times: how they are written.
    var unit: String
  }

  func read<Row: TableRow>(
    _ table: ColumnMap.Table, _ key: String, _ drive: inout DriveImport
  ) throws(DriveError) -> [Row] {
    // A file that is imported is named in its map as it would be in its folder.
    let folder = Folder.isFolder(path) ? path : Folder.parent(of: path)
    let file = table.file.map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" } ?? path
    var rows = try TextRows(path: file, separator: try separator(table, key))
    guard try rows.next() else { throw .emptyFile(file: file) }
    let hasHeader = table.header ?? true
    let wanted = Row.required + Row.optional
    for name in table.columns.keys.sorted() where !wanted.contains(name) {
      throw fault(key, "no column \"\(name)\" in \(Row.file); known are \(wanted.joined(separator: ", "))")
    }
    for name in Row.required where table.columns[name] == nil { throw fault(key, "\"\(name)\" is needed") }
    let columns = hasHeader ? ColumnIndex(rows) : nil
    var slots: [Slot?] = []
    for name in wanted { slots.append(try slot(name, table.columns[name], columns, rows.count, key)) }
    var result: [Row] = []
    var rejections = ImportRejections(file: file)
    var hasRow = hasHeader ? try rows.next() : true
    let count = hasHeader ? nil : rows.count
    while hasRow {
      rejections.count { () throws(DriveError) in
        if let count, rows.count != count { throw rows.wrongCount(count) }
        result.append(try row(rows, slots))
      }
      hasRow = try rows.next()
    }
    drive.rejections.append(rejections)
    try rejections.check()
    if key != "truth", slots[0]?.unit == "utc" { drive.isUTC = true }
    return result
  }

  private func row<Row: TableRow>(_ rows: borrowing TextRows, _ slots: [Slot?]) throws(DriveError) -> Row {
    var cells = [Double](repeating: .nan, count: slots.count)
    var time = Timestamp(nanoseconds: 0)
    for (i, slot) in slots.enumerated() {
      guard let slot else { continue }
      if i == 0 {
        time = try self.time(rows, slot)
      } else if slot.unit == "utc" {
        cells[i] = try self.time(rows, slot).seconds
      } else {
        cells[i] =
          try i < Row.required.count ? rows.finite(slot.index, slot.name) : rows.number(slot.index, slot.name)
        cells[i] *= slot.scale
      }
    }
    return cells.withUnsafeBufferPointer { cells in
      // A row has at least a time.
      Row(time: time, cells: cells.baseAddress.unsafelyUnwrapped)
    }
  }

  private func time(_ rows: borrowing TextRows, _ slot: Slot) throws(DriveError) -> Timestamp {
    guard slot.unit == "utc" else {
      return try rows.time(slot.index, slot.name, exponent: ColumnUnit.exponent(ofTime: slot.unit))
    }
    guard let time = ImportTime.utc(calendar: rows.text(slot.index)) else {
      throw .notANumber(file: rows.path, line: rows.line, column: slot.name, text: rows.text(slot.index))
    }
    return time
  }

  private func slot(
    _ name: String, _ column: ColumnMap.Column?, _ columns: ColumnIndex?, _ count: Int, _ key: String
  ) throws(DriveError) -> Slot? {
    guard let column else { return nil }
    guard let quantity = ColumnUnit.Quantity(column: name) else { return nil }
    let unit = column.unit ?? quantity.rawValue
    guard let scale = quantity == .time && unit == "utc" ? 1 : quantity.units[unit] else {
      throw fault(
        key, "\"\(name)\": no unit \"\(unit)\"; known are \(quantity.names.joined(separator: ", "))")
    }
    if let columns {
      return Slot(index: try columns.require(column.column), scale: scale, name: column.column, unit: unit)
    }
    guard let place = Int(column.column), (1...count).contains(place) else {
      throw fault(
        key, "\"\(name)\": without a header a column is a number from 1 to \(count), not \"\(column.column)\""
      )
    }
    return Slot(index: place - 1, scale: scale, name: column.column, unit: unit)
  }

  private func separator(_ table: ColumnMap.Table, _ key: String) throws(DriveError) -> TextRows.Separator {
    switch table.separator {
    case nil: return .comma
    case "blanks": return .blanks
    case "tab": return .character(9)
    case let text?:
      guard text.utf8.count == 1, let byte = text.utf8.first else {
        throw fault(key, "\"separator\": give one character, tab, or blanks")
      }
      return .character(byte)
    }
  }

  private func fault(_ key: String, _ reason: String) -> DriveError {
    .malformedFile(file: map, reason: "\"\(key)\": \(reason)")
  }
}
