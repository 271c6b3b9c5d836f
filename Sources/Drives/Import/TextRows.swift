import Navigation

/// Rows of cells in a text file of any making: by commas, another character, or blanks. Empty lines
/// and comments are skipped.
struct TextRows: ~Copyable {
  /// What stands between cells.
  enum Separator: Equatable {
    case character(UInt8)
    /// Any number of blanks and tabs.
    case blanks

    static let comma = Separator.character(UInt8(ascii: ","))
  }

  private var lines: LineReader
  private let separator: Separator
  private var cells: [UnsafeBufferPointer<UInt8>] = []
  /// A line that begins with one of these is no row.
  private let comments: [UInt8] = Array("#%".utf8)

  init(path: String, separator: Separator) throws(DriveError) {
    lines = try LineReader(path: path)
    self.separator = separator
  }

  var path: String { lines.path }
  var line: Int { lines.line }
  /// Whether this row is the last and lacks its line end: it may have been cut off.
  var isCutOff: Bool { lines.isCutOff }
  var count: Int { cells.count }

  /// Goes to the next row; false at the end. `skippingComments` is false where a header
  /// begins with a comment sign.
  mutating func next(skippingComments: Bool = true) throws(DriveError) -> Bool {
    while let line = try lines.next() {
      if skippingComments, comments.contains(line[0]) { continue }
      split(line)
      if !cells.isEmpty { return true }
    }
    return false
  }

  private mutating func split(_ line: UnsafeBufferPointer<UInt8>) {
    cells.removeAll(keepingCapacity: true)
    var start = 0
    while start <= line.count {
      if separator == .blanks {
        while start < line.count, Self.isBlank(line[start]) { start += 1 }
        if start == line.count { return }
      }
      var end = start
      while end < line.count, !isSeparator(line[end]) { end += 1 }
      cells.append(Self.trimmed(UnsafeBufferPointer(rebasing: line[start..<end])))
      start = end + 1
    }
  }

  private func isSeparator(_ byte: UInt8) -> Bool {
    switch separator {
    case .character(let character): byte == character
    case .blanks: Self.isBlank(byte)
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func trimmed(_ cell: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var (start, end) = (0, cell.count)
    while start < end, isBlank(cell[start]) { start += 1 }
    while end > start, isBlank(cell[end - 1]) { end -= 1 }
    // Quotation marks around a cell.
    if end - start >= 2, cell[start] == 0x22, cell[end - 1] == 0x22 { (start, end) = (start + 1, end - 1) }
    return UnsafeBufferPointer(rebasing: cell[start..<end])
  }

  /// The text of a cell; empty where the row is too short.
  func text(_ index: Int) -> String {
    index < cells.count ? String(decoding: cells[index], as: UTF8.self) : ""
  }

  /// All cells as text.
  var texts: [String] { cells.map { String(decoding: $0, as: UTF8.self) } }

  /// The number in a cell; not-a-number where it is empty or the row is too short.
  func number(_ index: Int, _ column: String) throws(DriveError) -> Double {
    guard index < cells.count else { return .nan }
    let cell = cells[index]
    if var cursor = cell.baseAddress, !cell.isEmpty {
      let end = cursor + cell.count
      // A comma ends a plain number too, where it does not end a cell.
      if let value = Decimal.plain(&cursor, end: end), cursor == end { return value }
    }
    guard let value = Decimal.cell(cell) else { throw notANumber(index, column) }
    return value
  }

  /// The number in a cell that must be finite.
  func finite(_ index: Int, _ column: String) throws(DriveError) -> Double {
    let value = try number(index, column)
    guard value.isFinite else { throw notANumber(index, column) }
    return value
  }

  /// The decimal number in a cell times 10^`exponent` as whole nanoseconds, without rounding to a `Double` on
  /// the way: seconds since 1970 as a `Double` are right to 0.2 µs only.
  func time(_ index: Int, _ column: String, exponent: Int = 9) throws(DriveError) -> Timestamp {
    guard index < cells.count else { throw notANumber(index, column) }
    if let time = Self.nanoseconds(cells[index], exponent: exponent) { return Timestamp(nanoseconds: time) }
    var value = try finite(index, column)
    for _ in 0..<exponent { value *= 10 }
    guard let whole = Int64(exactly: value.rounded()) else { throw notANumber(index, column) }
    return Timestamp(nanoseconds: whole)
  }

  private static func nanoseconds(_ cell: UnsafeBufferPointer<UInt8>, exponent: Int) -> Int64? {
    var value: Int64 = 0
    var left: Int?
    var isNegative = false
    for (i, byte) in cell.enumerated() {
      if byte == UInt8(ascii: "-"), i == 0 {
        isNegative = true
      } else if byte == UInt8(ascii: "."), left == nil {
        left = exponent
      } else if case let digit = byte &- 48, digit < 10 {
        if left == 0 { continue }
        let (ten, overflow) = value.multipliedReportingOverflow(by: 10)
        let (sum, carry) = ten.addingReportingOverflow(Int64(digit))
        if overflow || carry { return nil }
        value = sum
        left = left.map { $0 - 1 }
      } else {
        return nil
      }
    }
    guard !cell.isEmpty else { return nil }
    for _ in 0..<(left ?? exponent) {
      let (ten, overflow) = value.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      value = ten
    }
    return isNegative ? -value : value
  }

  private func notANumber(_ index: Int, _ column: String) -> DriveError {
    .notANumber(file: path, line: line, column: column, text: String(text(index).prefix(40)))
  }

  /// The row has another number of cells than it needs.
  func wrongCount(_ expected: Int) -> DriveError {
    .wrongCellCount(file: path, line: line, expected: expected, found: count)
  }
}

/// Where columns of a header are.
struct ColumnIndex {
  private let names: [String]
  private let file: String
  private let line: Int

  /// Reads the row that `rows` stands at as names.
  init(_ rows: borrowing TextRows) {
    names = rows.texts
    file = rows.path
    line = rows.line
  }

  /// Small letters and digits only: headers of one format differ in blanks and signs.
  static func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

  /// Place of the first of these names; nil where there is none.
  func find(_ wanted: String...) -> Int? { find(any: wanted) }

  private func find(any wanted: [String]) -> Int? {
    for name in wanted {
      if let index = names.firstIndex(where: { Self.plain($0) == Self.plain(name) }) { return index }
    }
    return nil
  }

  /// Place of the name, or of one that is as good; one must be there.
  func require(_ name: String, _ others: String...) throws(DriveError) -> Int {
    if let index = find(any: [name] + others) { return index }
    throw .missingColumn(file: file, line: line, column: name, found: names)
  }
}
