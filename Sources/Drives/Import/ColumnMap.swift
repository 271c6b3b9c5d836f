import Essentials
import JSON

/// What a map of columns says: where each column of a drive folder comes from.
struct ColumnMap: Decodable {
  /// One column of the source.
  struct Column: Decodable {
    /// Its name in the header, or its place from 1 where there is no header.
    var column: String
    /// Its unit; that of the drive folder if not given.
    var unit: String?

    private enum Key: String, CodingKey { case column, unit }

    /// Text, or a number as text.
    private struct Name: Decodable {
      var text: String

      init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        text =
          if let place = try? value.decode(Int.self) { String(place) } else { try value.decode(String.self) }
      }
    }

    init(from decoder: any Decoder) throws {
      if let name = try? decoder.singleValueContainer().decode(Name.self) {
        column = name.text
        return
      }
      let object = try decoder.container(keyedBy: Key.self)
      column = try object.decode(Name.self, forKey: .column).text
      unit = try object.decodeIfPresent(String.self, forKey: .unit)
    }
  }

  /// One table of the drive.
  struct Table: Decodable {
    /// The source's file; the path that is imported if not given.
    var file: String?
    /// What stands between cells: a character, or `blanks`; a comma if not given.
    var separator: String?
    /// Whether the first line names the columns; true if not given.
    var header: Bool?
    /// Names of the drive folder's columns and where they come from.
    var columns: [String: Column]
  }

  var imu, gnss, wheel, truth: Table?
  /// Axes of the IMU; forward, right, down if not given.
  var imuFrame: String?

  /// Reads a map file; an unknown key is an error.
  static func read(_ path: String) throws(DriveError) -> ColumnMap {
    let text = try Folder.contents(of: path, limit: 1 << 20, acceptsPipes: true)
    do {
      try checkKeys(try JSONParser.read(text[...], limits: .file))
      return try JSONDecoder().decode(ColumnMap.self, from: Data(text))
    } catch let fault as JSONFault {
      throw .malformedFile(file: path, reason: "not valid JSON: \(fault)")
    } catch let error as DecodingError {
      throw .malformedFile(file: path, reason: DriveReader.reason(error))
    } catch {
      throw .malformedFile(file: path, reason: "\(error)")
    }
  }

  /// A key that a map has no use for.
  private struct UnknownKey: Error, CustomStringConvertible {
    let description: String
  }

  private static func checkKeys(_ map: JSON) throws(UnknownKey) {
    let tables = ["imu", "gnss", "wheel", "truth"]
    try check(map, at: "", known: tables + ["imuFrame"])
    for name in tables {
      guard let table = map[name] else { continue }
      try check(table, at: name, known: ["file", "separator", "header", "columns"])
      guard case .object(let columns)? = table["columns"] else { continue }
      for column in columns {
        try check(column.value, at: "\(name).columns.\(column.key)", known: ["column", "unit"])
      }
    }
  }

  private static func check(_ json: JSON, at place: String, known: [String]) throws(UnknownKey) {
    guard case .object(let members) = json, let key = members.first(where: { !known.contains($0.key) })?.key
    else { return }
    throw UnknownKey(
      description: (place.isEmpty ? "" : "\"\(place)\": ")
        + "unknown key \"\(key)\"; known are \(known.joined(separator: ", "))")
  }
}
