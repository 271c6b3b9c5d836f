import Navigation

extension DriveImport {
  typealias RowReader = (borrowing TextRows, inout DriveImport) throws(DriveError) -> Void

  /// Reads a table by commas: `header` finds its columns and gives what reads a row. A row that has not a
  /// cell for each column is refused, but where `isRagged`.
  mutating func readTable(
    _ path: String, skippingComments: Bool = true, isRagged: Bool = false,
    _ header: (ColumnIndex) throws(DriveError) -> RowReader
  ) throws(DriveError) {
    var rows = try TextRows(path: path, separator: .comma)
    guard try rows.next(skippingComments: skippingComments) else { throw .emptyFile(file: path) }
    let body = try header(ColumnIndex(rows))
    try readRows(&rows, cells: isRagged ? 0 ... .max : rows.count...rows.count, body)
  }

  /// Hands each row that is left to `body`, and counts those that it refuses or that have
  /// too few or too many cells.
  mutating func readRows(
    _ rows: inout TextRows, cells: ClosedRange<Int>, _ body: RowReader
  ) throws(DriveError) {
    var rejections = ImportRejections(file: rows.path)
    while try rows.next() {
      do throws(DriveError) {
        guard cells.contains(rows.count) else { throw rows.wrongCount(cells.lowerBound) }
        try body(rows, &self)
        rejections.accepted += 1
      } catch { rejections.reject(error) }
    }
    self.rejections.append(rejections)
    try rejections.check()
  }
}

extension DriveImport {
  /// The rows of `preferred` where it has some, else of the source with the most; notes what that leaves out.
  mutating func most<Row>(
    _ sources: [String: [Row]], _ name: String, of kind: String, preferring preferred: String = ""
  ) -> (name: String?, rows: [Row]) {
    let most = sources.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.key
    let chosen = sources[preferred] == nil ? most : preferred
    for (source, rows) in sources.sorted(by: { $0.key < $1.key }) where source != chosen {
      notes.append("\(rows.count) \(name) of another \(kind), \(source), were left out")
    }
    return (chosen, chosen.flatMap { sources[$0] } ?? [])
  }
}

/// Three columns of a table, with their names for messages.
struct TriadColumns {
  private let places: [Int], names: [String]

  init(_ places: [Int], _ names: [String]) { (self.places, self.names) = (places, names) }

  /// Three columns that must be there.
  init(_ columns: ColumnIndex, _ names: String...) throws(DriveError) {
    var places: [Int] = []
    for name in names { places.append(try columns.require(name)) }
    self.init(places, names)
  }

  /// The three numbers of a row, which must be finite.
  func finite(_ rows: borrowing TextRows) throws(DriveError) -> Vector3 {
    Vector3(
      try rows.finite(places[0], names[0]), try rows.finite(places[1], names[1]),
      try rows.finite(places[2], names[2]))
  }

  /// The same where a value may be missing.
  func numbers(_ rows: borrowing TextRows) throws(DriveError) -> Vector3 {
    Vector3(
      try rows.number(places[0], names[0]), try rows.number(places[1], names[1]),
      try rows.number(places[2], names[2]))
  }
}
