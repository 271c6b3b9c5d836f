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

    private enum Key: String, CodingKey, CaseIterable { case column, unit }

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
      try AnyKey.check(decoder, known: Key.allCases.map(\.rawValue))
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

    private enum Key: String, CodingKey, CaseIterable { case file, separator, header, columns }

    init(from decoder: any Decoder) throws {
      try AnyKey.check(decoder, known: Key.allCases.map(\.rawValue))
      let object = try decoder.container(keyedBy: Key.self)
      file = try object.decodeIfPresent(String.self, forKey: .file)
      separator = try object.decodeIfPresent(String.self, forKey: .separator)
      header = try object.decodeIfPresent(Bool.self, forKey: .header)
      columns = try object.decode([String: Column].self, forKey: .columns)
    }
  }

  var imu, gnss, wheel, truth: Table?
  /// Axes of the IMU; forward, right, down if not given.
  var imuFrame: String?

  private enum Key: String, CodingKey, CaseIterable { case imu, gnss, wheel, truth, imuFrame }

  init(from decoder: any Decoder) throws {
    try AnyKey.check(decoder, known: Key.allCases.map(\.rawValue))
    let object = try decoder.container(keyedBy: Key.self)
    imu = try object.decodeIfPresent(Table.self, forKey: .imu)
    gnss = try object.decodeIfPresent(Table.self, forKey: .gnss)
    wheel = try object.decodeIfPresent(Table.self, forKey: .wheel)
    truth = try object.decodeIfPresent(Table.self, forKey: .truth)
    imuFrame = try object.decodeIfPresent(String.self, forKey: .imuFrame)
  }

  /// Reads a map file; an unknown key is an error.
  static func read(_ path: String) throws(DriveError) -> ColumnMap {
    let text = try Folder.contents(of: path, limit: 1 << 20, acceptsPipes: true)
    do {
      _ = try JSONParser.read(text[...], limits: .file)
      return try JSONDecoder().decode(ColumnMap.self, from: Data(text))
    } catch let fault as JSONFault {
      throw .malformedFile(file: path, reason: "not valid JSON: \(fault)")
    } catch let error as DecodingError {
      throw .malformedFile(file: path, reason: DriveReader.reason(error))
    } catch {
      throw .malformedFile(file: path, reason: "\(error)")
    }
  }

  private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }

    static func check(_ decoder: any Decoder, known: [String]) throws {
      let object = try decoder.container(keyedBy: AnyKey.self)
      for key in object.allKeys where !known.contains(key.stringValue) {
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: decoder.codingPath,
            debugDescription: "unknown key \"\(key.stringValue)\"; known are \(known.joined(separator: ", "))"
          ))
      }
    }
  }
}
