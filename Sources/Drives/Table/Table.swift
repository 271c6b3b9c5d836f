import Navigation

/// Rows of numbers under named columns, one at a time, the bad ones counted and left out.
struct Table: ~Copyable {
  private var lines: LineReader
  /// For each column of the file its place among the cells, or −1 where it is not wanted.
  private let slots: [Int]
  private let names: [String]
  /// What the value of each required column may be.
  private let limits: [ClosedRange<Double>]
  private static let finite = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
  /// Degrees that a place on the Earth can have, seconds that stay far from the ends of a count of
  /// nanoseconds, and gpsd's numbers of constellations and satellites.
  private static let ranges: [String: ClosedRange<Double>] = [
    "latitude_deg": -90...90, "longitude_deg": -360...360, "time_s": -9e9...9e9, "gnss_id": 0...7,
    "satellite": 1...999,
  ]
  private let sharesTimes: Bool
  private var cells: [Double]
  /// Cells of the last good row, where several may have one time.
  private var last: [Double]
  /// A row that leaps this far ahead counts for a wrong stamp if the row after it goes back, s.
  private static let leap = 60.0
  /// Cells of the row after one that leaps ahead, read to judge it.
  private var waiting: [Double]
  private var hasWaiting = false
  private var previous: Timestamp?
  private(set) var rejections: RowRejections

  /// Opens `folder/Row.file`, or another file with such rows, and reads its header line.
  init<Row: TableRow>(
    of row: Row.Type, in folder: String, file: String = Row.file
  ) throws(DriveError) {
    let path = "\(folder)/\(file)"
    var lines = try LineReader(path: path, acceptsPipes: false)
    guard let header = try lines.next() else { throw .emptyFile(file: path) }
    let names = header.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .map { Decimal.trimmed($0) }
    let wanted = Row.required + Row.optional
    var rejections = RowRejections(file: file)
    var slots: [Int] = []
    for (i, name) in names.enumerated() {
      slots.append(wanted.firstIndex(of: name) ?? -1)
      if slots[i] < 0 {
        rejections.notes.append("column \"\(name)\" is not known and was ignored")
      } else if names[..<i].contains(name) {
        throw .repeatedColumn(file: path, line: lines.line, column: name)
      }
    }
    for column in Row.required where !names.contains(column) {
      throw .missingColumn(file: path, line: lines.line, column: column, found: names)
    }
    self.slots = slots
    self.names = names
    self.rejections = rejections
    self.lines = lines
    sharesTimes = Row.sharesTimes
    limits = Row.required.map { Self.ranges[$0] ?? Self.finite }
    cells = [Double](repeating: .nan, count: wanted.count)
    (waiting, last) = (cells, cells)
  }

  /// The next good row; nil at the end.
  mutating func next<Row: TableRow>(_ row: Row.Type) throws(DriveError) -> Row? {
    while try advance() {
      guard let time = acceptableTime() else { continue }
      if let previous, time.seconds(since: previous) > Self.leap, try isContradicted(previous, time) {
        rejections.outOfOrder += 1
        continue
      }
      previous = time
      rejections.accepted += 1
      if sharesTimes { swap(&cells, &last) }
      return (sharesTimes ? last : cells).withUnsafeBufferPointer { cells in
        cells.baseAddress.map { Row(time: time, cells: $0) }
      }
    }
    return nil
  }

  /// Brings the next whole row into `cells`; false at the end.
  private mutating func advance() throws(DriveError) -> Bool {
    if hasWaiting {
      swap(&cells, &waiting)
      hasWaiting = false
      return true
    }
    return try advanceLine()
  }

  /// Whether the row after the one in `cells` lies between `before` and the leap that
  /// the one in `cells` makes.
  private mutating func isContradicted(_ before: Timestamp, _ leap: Timestamp) throws(DriveError) -> Bool {
    swap(&cells, &waiting)
    hasWaiting = try advanceLine()
    let next = hasWaiting ? Timestamp(seconds: cells[0]) : leap
    let isNumber = cells[0].isFinite
    swap(&cells, &waiting)
    return isNumber && next > before && next < leap
  }

  private mutating func advanceLine() throws(DriveError) -> Bool {
    while let line = try lines.next() {
      if try read(line) { return true }
    }
    return false
  }

  /// The time of the row in `cells` if the row may pass; counts it otherwise.
  private mutating func acceptableTime() -> Timestamp? {
    for i in limits.indices where !limits[i].contains(cells[i]) {
      guard cells[i].isFinite else {
        rejections.nonFinite += 1
        return nil
      }
      rejections.outOfRange += 1
      let note = "time_s is in seconds, and reaches 285 years: are these milliseconds or nanoseconds?"
      if i == 0, !rejections.notes.contains(note) { rejections.notes.append(note) }
      return nil
    }
    let time = Timestamp(seconds: cells[0])
    if let previous, time < previous || time == previous && (!sharesTimes || cells == last) {
      if time == previous { rejections.repeated += 1 } else { rejections.outOfOrder += 1 }
      return nil
    }
    return time
  }

  /// Fills `cells` from a line; false where the line was cut off.
  private mutating func read(_ line: UnsafeBufferPointer<UInt8>) throws(DriveError) -> Bool {
    guard var cursor = line.baseAddress else { return false }
    let end = cursor + line.count
    var column = 0
    while true {
      if column < slots.count, slots[column] >= 0 {
        if let value = Decimal.plain(&cursor, end: end) {
          cells[slots[column]] = value
        } else {
          let start = cursor
          while cursor < end, cursor.pointee != UInt8(ascii: ",") { cursor += 1 }
          let text = UnsafeBufferPointer(start: start, count: cursor - start)
          guard let value = Decimal.cell(text) else { return try cutOff(orAt: column, text) }
          cells[slots[column]] = value
        }
      } else {
        while cursor < end, cursor.pointee != UInt8(ascii: ",") { cursor += 1 }
      }
      column += 1
      if cursor == end { break }
      cursor += 1
    }
    if column == slots.count { return true }
    guard column < slots.count, lines.isCutOff else {
      throw .wrongCellCount(file: lines.path, line: lines.line, expected: slots.count, found: column)
    }
    rejections.truncated += 1
    return false
  }

  /// A cell that is no number ends the reading, unless it is where the file breaks off.
  private mutating func cutOff(
    orAt column: Int, _ text: UnsafeBufferPointer<UInt8>
  ) throws(DriveError) -> Bool {
    let text = Decimal.trimmed(text)
    let isFragment = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    guard lines.isCutOff, isFragment else {
      throw .notANumber(
        file: lines.path, line: lines.line, column: names[column], text: String(text.prefix(40)))
    }
    rejections.truncated += 1
    return false
  }
}
