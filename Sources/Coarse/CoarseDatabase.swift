import CLibrary
import CSQLite
import Location
import SQLite

/// Where access points and cells are: an SQLite database on the device, which is only read.
///
/// Its schema, version 1, with `application_id` 0x5243_4B43 ("RCKC") and `user_version` 1. Degrees of
/// WGS-84; `radius` is metres about the place that hold those who hear it with 68 %; `radio` is 1
/// gsm, 2 umts, 3 lte, 4 nr.
///
///     accessPoint (address INTEGER PRIMARY KEY, latitudeDegrees, longitudeDegrees, radius)
///     cell        (radio, country, network, area, cell, latitudeDegrees, longitudeDegrees, radius;
///                  key: the first five)
///     area        (radio, country, network, area, latitudeDegrees, longitudeDegrees, radius;
///                  key: the first four)
public final class CoarseDatabase: Sendable {
  static let mark = 0x5243_4B43, version = 1

  private let file: SQLiteFile

  /// Opens the database at `path`.
  public init(path: String) throws(CoarseError) {
    do {
      file = try SQLiteFile(path: path, isReadOnly: true)
      let (mark, version): (Int?, Int?) = try file.read {
        (try $0.value("PRAGMA application_id"), try $0.value("PRAGMA user_version"))
      }
      guard mark == Self.mark, version == Self.version else { throw CoarseError.notPlaces(path: path) }
    } catch let error as CoarseError {
      throw error
    } catch let error as SQLiteError where error.code == SQLITE_NOTADB {
      throw .notPlaces(path: path)
    } catch { throw .unreadable(path: path, reason: Self.reason(error)) }
  }

  /// Whether the file at `path` is a database of places, of whichever version: by the head
  /// that SQLite's format has.
  static func isPlaces(_ path: String) -> Bool {
    guard let head = SystemFile.bytes(of: path, atMost: 72), head.count == 72,
      head.starts(with: "SQLite format 3\0".utf8)
    else { return false }
    return head[68...].reduce(0) { $0 << 8 | Int($1) } == mark
  }

  static func reason(_ error: any Error) -> String { (error as? SQLiteError)?.message ?? "\(error)" }

  /// How many access points, cells and groups of cells it knows.
  public func counts() throws(CoarseError) -> (accessPoints: Int, cells: Int, areas: Int) {
    do {
      return try file.read { database in
        func count(_ table: String) throws -> Int {
          try database.value("SELECT COUNT(*) FROM \(table)") ?? 0
        }
        return (try count("accessPoint"), try count("cell"), try count("area"))
      }
    } catch { throw .unreadable(path: file.path, reason: Self.reason(error)) }
  }

  /// What is known of what was heard; of a cell that is not known, its group.
  public func anchors(for scan: CoarseScan) throws -> [CoarseAnchor] {
    try file.read { database in
      var anchors: [CoarseAnchor] = []
      // In an order of their own, so that the same scan gives the same place to the bit.
      for (address, strength) in scan.accessPoints.sorted(by: { $0.key.value < $1.key.value }) {
        let sql = "SELECT latitudeDegrees, longitudeDegrees, radius FROM accessPoint WHERE address = ?"
        if let row = try database.first(sql, [Int64(address.value)]),
          let anchor = CoarseAnchor(row, .accessPoint, strength)
        {
          anchors.append(anchor)
        }
      }
      let cells = scan.cells.sorted {
        ($0.key.country, $0.key.network, $0.key.area, $0.key.cell) < (
          $1.key.country, $1.key.network, $1.key.area, $1.key.cell
        )
      }
      for (cell, strength) in cells {
        let numbers = [cell.radio.code, cell.country, cell.network, cell.area, cell.cell]
        let key = "radio = ? AND country = ? AND network = ? AND area = ?"
        if let row = try database.first("SELECT * FROM cell WHERE \(key) AND cell = ?", numbers),
          let anchor = CoarseAnchor(row, .cell, strength)
        {
          anchors.append(anchor)
        } else if let row = try database.first(
          "SELECT * FROM area WHERE \(key)", Array(numbers.dropLast())),
          // Of a group nobody knows how far the cell is.
          let anchor = CoarseAnchor(row, .area, nil)
        {
          anchors.append(anchor)
        }
      }
      return anchors
    }
  }
}

extension CoarseAnchor {
  fileprivate init?(_ row: SQLiteRow, _ kind: Kind, _ strength: Double?) {
    guard let latitude: Double = row.value("latitudeDegrees"),
      let longitude: Double = row.value("longitudeDegrees"), let radius: Double = row.value("radius")
    else { return nil }
    self.init(
      kind: kind, place: Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude), radius: radius,
      strength: strength)
  }
}
