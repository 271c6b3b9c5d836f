import CLibrary
import Location
import Persistence
import SQLite

/// Makes a database of places from tables. It is there whole or not at all.
public enum CoarseImport {
  /// What became of the tables.
  public struct Summary: Sendable, Equatable {
    /// Rows taken.
    public var taken = 0
    /// Rows that said nothing.
    public var refused = 0
    /// The first of them: file, line and reason.
    public var firstRefusal: String?
  }

  /// Makes the database at `output`, in place of one that is there, from the tables at `paths`; of two rows
  /// of one thing the later holds. A file of another kind is not replaced.
  public static func make(_ output: String, from paths: [String]) throws(CoarseError) -> Summary {
    let draft = output + ".new"
    let tables = paths.map { FileIdentity($0) }
    for written in [output, draft] where tables.contains(FileIdentity(written)) {
      throw .isTable(path: written)
    }
    guard FileNumber(output) == nil || CoarseDatabase.isPlaces(output) else { throw .inTheWay(path: output) }
    do {
      for end in ["", "-wal", "-shm", "-journal"] { unlink(draft + end) }
      let database = try SQLiteFile(path: draft) {
        try $0.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
      }
      let summary = try database.write { database in
        try database.execute(schema)
        var summary = Summary()
        for path in paths { try read(path, database, &summary) }
        try fillAreas(database)
        return summary
      }
      try database.close()
      let file = open(draft, O_RDONLY)
      guard fsync(file) == 0, close(file) == 0, rename(draft, output) == 0 else {
        throw CoarseError.unreadable(path: output, reason: SystemError.text())
      }
      return summary
    } catch {
      unlink(draft)
      throw error as? CoarseError ?? .unreadable(path: output, reason: CoarseDatabase.reason(error))
    }
  }

  private static let schema = """
    PRAGMA application_id = \(CoarseDatabase.mark);
    PRAGMA user_version = \(CoarseDatabase.version);
    CREATE TABLE accessPoint (
      address INTEGER PRIMARY KEY, latitudeDegrees REAL NOT NULL, longitudeDegrees REAL NOT NULL, radius REAL NOT NULL);
    CREATE TABLE cell (
      radio INTEGER NOT NULL, country INTEGER NOT NULL, network INTEGER NOT NULL, area INTEGER NOT NULL,
      cell INTEGER NOT NULL, latitudeDegrees REAL NOT NULL, longitudeDegrees REAL NOT NULL, radius REAL NOT NULL,
      PRIMARY KEY (radio, country, network, area, cell)) WITHOUT ROWID;
    CREATE TABLE area (
      radio INTEGER NOT NULL, country INTEGER NOT NULL, network INTEGER NOT NULL, area INTEGER NOT NULL,
      latitudeDegrees REAL NOT NULL, longitudeDegrees REAL NOT NULL, radius REAL NOT NULL,
      PRIMARY KEY (radio, country, network, area)) WITHOUT ROWID;
    """

  private static func read(_ path: String, _ database: SQLiteConnection, _ summary: inout Summary) throws {
    if let kind = SystemFile.kind(of: path), [S_IFCHR, S_IFBLK, S_IFDIR].contains(kind) {
      throw CoarseError.unreadable(path: path, reason: "it is a folder or a device, and a file is needed")
    }
    guard let file = fopen(path, "r") else {
      throw CoarseError.unreadable(path: path, reason: SystemError.text())
    }
    // The first byte of gzip begins no line of a table.
    let first = getc(file)
    guard first != 0x1F else {
      fclose(file)
      throw CoarseError.unreadable(path: path, reason: "it is packed by gzip; unpack it: gunzip < IN > OUT")
    }
    ungetc(first, file)
    var (text, room) = (UnsafeMutablePointer<CChar>?.none, 0)
    defer {
      fclose(file)
      free(text)
    }
    let accessPoint = try database.statement(
      "INSERT OR REPLACE INTO accessPoint VALUES (?, ?, ?, ?)")
    let cell = try database.statement("INSERT OR REPLACE INTO cell VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
    var table: CoarseTable?
    var (number, taken, reason) = (0, 0, "it is empty")
    while let length = try nextLine(&text, &room, file, path), let start = text {
      number += 1
      guard length <= longestLine else {
        throw CoarseError.unreadable(
          path: path, reason: "line \(number) is longer than \(longestLine) bytes: is this a table of text?")
      }
      let line = content(of: start, isFirst: number == 1)
      if line.allSatisfy(\.isWhitespace) || line.hasPrefix("#") { continue }
      let entry: CoarseTable.Entry
      do throws(CoarseTable.Refusal) {
        let known: CoarseTable
        if let table {
          known = table
        } else {
          known = try CoarseTable(firstLine: line)
          table = known
          if !known.hasNoHeader { continue }
        }
        entry = try known.entry(line)
      } catch {
        reason = "line \(number): \(error.reason)"
        summary.refused += 1
        summary.firstRefusal = summary.firstRefusal ?? "\(path): \(reason)"
        if table == nil { break }
        continue
      }
      try insert(entry, accessPoint, cell)
      taken += 1
    }
    guard taken > 0 else { throw CoarseError.noRows(path: path, reason: reason) }
    summary.taken += taken
  }

  /// A line without the mark that some editors begin a text with.
  private static func content(of line: UnsafePointer<CChar>, isFirst: Bool) -> String {
    let text = String(cString: line)
    return isFirst && text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
  }

  /// No row of a table comes near it, in bytes.
  private static let longestLine = 4096

  /// Reads a line, or as much as shows that it is too long; its length, nil at the end. A file without line
  /// ends, a pipe that never has one, would else be held in memory whole.
  private static func nextLine(
    _ text: inout UnsafeMutablePointer<CChar>?, _ room: inout Int, _ file: UnsafeMutablePointer<FILE>,
    _ path: String
  ) throws -> Int? {
    if text == nil {
      room = longestLine + 2
      text = UnsafeMutableRawPointer(malloc(room))?.assumingMemoryBound(to: CChar.self)
    }
    guard let text else { throw CoarseError.unreadable(path: path, reason: "no memory is left") }
    var length = 0
    while length <= longestLine, case let byte = getc_unlocked(file), byte != EOF {
      text[length] = CChar(truncatingIfNeeded: byte)
      length += 1
      if byte == 10 { break }
    }
    text[length] = 0
    return length > 0 ? length : nil
  }

  private static func insert(
    _ entry: CoarseTable.Entry, _ accessPoint: SQLiteStatement, _ cell: SQLiteStatement
  ) throws {
    switch entry {
    case .accessPoint(let address, let place, let radius):
      try accessPoint.execute([
        Int64(address.value), place.latitudeDegrees, place.longitudeDegrees, radius,
      ])
    case .cell(let id, let place, let radius):
      try cell.execute([
        id.radio.code, id.country, id.network, id.area, id.cell, place.latitudeDegrees,
        place.longitudeDegrees, radius,
      ])
    }
  }

  /// A group lies about the middle of its cells, and reaches as far as 68 % of them and a cell more.
  private static func fillAreas(_ database: SQLiteConnection) throws {
    let insert = try database.statement("INSERT INTO area VALUES (?, ?, ?, ?, ?, ?, ?)")
    var (key, cells) = ([Int](), [(place: Coordinate, radius: Double)]())
    func finish() throws {
      guard let group = CellGroup(cells) else { return }
      let place: [any SQLiteArgument] = [
        group.place.latitudeDegrees, group.place.longitudeDegrees, group.radius,
      ]
      try insert.execute(key + place)
    }
    let rows = try database.statement(
      "SELECT * FROM cell ORDER BY radio, country, network, area, cell")
    while let row = try rows.next() {
      let next: [Int] = ["radio", "country", "network", "area"].compactMap { row.value($0) }
      if next != key {
        try finish()
        (key, cells) = (next, [])
      }
      guard let latitude: Double = row.value("latitudeDegrees"),
        let longitude: Double = row.value("longitudeDegrees"), let radius: Double = row.value("radius")
      else { continue }
      cells.append((Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude), radius))
    }
    try finish()
  }
}
