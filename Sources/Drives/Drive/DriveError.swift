import CLibrary

/// Why a drive or a track could not be read or written, and what to do about it.
public enum DriveError: Error, Equatable, CustomStringConvertible {
  /// There is no such folder.
  case folderNotFound(path: String)
  /// There is no such file or folder to import.
  case notFound(path: String)
  /// The folder has no drive.json.
  case missingDescription(path: String)
  /// A line of a list of drives names no folder.
  case noFolder(file: String, line: Int, text: String)
  /// A list of drives names none.
  case emptyList(file: String)
  /// drive.json is not what the format says.
  case malformedDescription(file: String, reason: String)
  /// The folder has none of imu.csv, gnss.csv and wheel.csv.
  case noSensorFiles(path: String)
  /// A table has no header line.
  case emptyFile(file: String)
  /// The header lacks a column that is needed; `found` is what it has.
  case missingColumn(file: String, line: Int, column: String, found: [String])
  /// The header names a column twice.
  case repeatedColumn(file: String, line: Int, column: String)
  /// A cell is not a number.
  case notANumber(file: String, line: Int, column: String, text: String)
  /// A row has more or fewer cells than the header.
  case wrongCellCount(file: String, line: Int, expected: Int, found: Int)
  /// A line is longer than `limit` bytes.
  case lineTooLong(file: String, line: Int, limit: Int)
  /// The folder to be written already holds a drive.
  case alreadyExists(path: String)
  /// A folder or file that was to be imported lacks what it needs.
  case missingPart(path: String, part: String)
  /// A file that was to be imported is not what its format says.
  case malformedFile(file: String, reason: String)
  /// What was to be imported holds no measurement.
  case nothingToImport(path: String)
  /// A track was asked for in a format that is not known.
  case unknownTrackFormat(file: String, known: [String])
  /// The operating system refused.
  case system(file: String, operation: String, reason: String)

  /// One line: file, line and column where there are any, what is wrong, and what to do.
  public var description: String {
    switch self {
    case .folderNotFound(let path):
      "\(path): there is no folder of that name; give the folder of a drive, with drive.json in it"
    case .notFound(let path):
      "\(path): there is no such file or folder; name what is to be imported"
    case .missingDescription(let path):
      "\(path)/drive.json: no such file; a drive folder needs one with at least {\"name\": \"...\"}"
    case .noFolder(let file, let line, let text):
      "\(file):\(line): there is no folder \"\(text)\"; correct the line or take it out (a list has the folder of a drive on "
        + "each line, as seen from the working directory)"
    case .emptyList(let file):
      "\(file): names no drive; write the folder of a drive on each line, or give the folder itself"
    case .malformedDescription(let file, let reason):
      "\(file): \(reason); correct the JSON"
    case .noSensorFiles(let path):
      "\(path): none of imu.csv, gnss.csv and wheel.csv is there; a drive needs at least one"
    case .emptyFile(let file):
      "\(file):1: the file is empty; write a header line, or remove the file if the drive has no such sensor"
    case .missingColumn(let file, let line, let column, let found):
      "\(file):\(line): no column \(column) among \(Self.list(found)); "
        + "name it in the header line, separated by commas and without quotes"
    case .repeatedColumn(let file, let line, let column):
      "\(file):\(line): two columns are called \(column); remove or rename one"
    case .notANumber(let file, let line, let column, let text):
      "\(file):\(line): column \(column): \"\(text)\" is not a number; "
        + "write a decimal number, or nothing where the value is not known"
    case .wrongCellCount(let file, let line, let expected, let found):
      "\(file):\(line): \(found) cells where the header has \(expected); write one cell a column, empty if not "
        + "known, and numbers with a point"
    case .lineTooLong(let file, let line, let limit):
      "\(file):\(line): the line is longer than \(limit) bytes; is this a comma-separated text file?"
    case .alreadyExists(let path):
      "\(path): already holds a drive; choose another folder or ask for overwriting"
    case .missingPart(let path, let part):
      "\(path): \(part) is missing"
    case .malformedFile(let file, let reason):
      "\(file): \(reason)"
    case .nothingToImport(let path):
      "\(path): no usable measurement was found; is this the format it was said to be?"
    case .unknownTrackFormat(let file, let known):
      "\(file): not a known track format; end the name in one of \(known.map { "." + $0 }.joined(separator: ", "))"
    case .system(let file, let operation, let reason):
      "\(file): cannot \(operation): \(reason)" + (SystemError.advice(on: reason).map { "; \($0)" } ?? "")
    }
  }

  /// Names as a terminal can show them: of a file that is no table they are anything.
  static func list(_ names: [String]) -> String {
    let shown = names.prefix(20).map { name in
      String(name.prefix(40).map { $0.unicodeScalars.allSatisfy(isPrintable) ? $0 : "?" })
    }
    return shown.joined(separator: ", ") + (names.count > 20 ? " and \(names.count - 20) more" : "")
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value) && scalar.value != 0xFFFD
  }
}

extension DriveError {
  /// The same of what bears the name `path` once it is whole, and `partial` until then.
  package func named(_ path: String, insteadOf partial: String) -> DriveError {
    guard case .system(let file, let operation, let reason) = self, file.hasPrefix(partial) else {
      return self
    }
    return .system(file: path + file.dropFirst(partial.count), operation: operation, reason: reason)
  }
}
