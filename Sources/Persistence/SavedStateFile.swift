import CLibrary
import Essentials
import Fusion

/// Saved states as JSON files.
///
/// A file is written whole or not at all. One that cannot be used is an error that says why; the
/// caller then starts cold.
public enum SavedStateFile {
  /// Version of the format; a file of another is not guessed at.
  public static let version = 1
  /// What the file says it is.
  static let format = "reckon-saved-state"
  /// No saved state is longer than this, bytes.
  private static let limit = 1 << 20

  /// Writes `state`. `unixTime` is the time since 1970-01-01 00:00:00 UTC in seconds, where a clock is there
  /// to tell it; a state that has an age by now held so long before.
  public static func write(_ state: SavedState, to path: String, unixTime: Double? = nil) throws(FileError) {
    let text = try Self.text(of: state, path: path, unixTime: unixTime)
    try AtomicFile.write(text + "\n", to: path)
  }

  /// The text of a file of `state`; `path` is for the message of an error.
  package static func text(
    of state: SavedState, path: String, unixTime: Double? = nil
  ) throws(FileError) -> String {
    if let fault = state.fault { throw .malformed(path: path, reason: fault.text) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let text: String
    do {
      let document = SavedStateDocument(
        format: format, version: version, savedAtUnixSeconds: unixTime.map { $0 - (state.age ?? 0) },
        state: .init(state))
      text = String(decoding: try encoder.encode(document), as: UTF8.self)
    } catch {
      throw .malformed(path: path, reason: "a value cannot be written")
    }
    return text
  }

  /// Reads a state. `unixTime`, the time now, gives it its age where the file says when it was saved.
  public static func read(_ path: String, unixTime: Double? = nil) throws(FileError) -> SavedState {
    try parse(Array(contents(of: path)), path: path, unixTime: unixTime)
  }

  /// The state in a file's bytes; `path` is for the message of an error.
  package static func parse(_ bytes: [UInt8], path: String, unixTime: Double? = nil) throws(FileError)
    -> SavedState
  {
    if bytes.isEmpty { throw .malformed(path: path, reason: "the file is empty") }
    let decoder = JSONDecoder()
    let data = Data(bytes)
    // The head first: another version may have another body.
    let document: SavedStateDocument
    do {
      let head = try decoder.decode(SavedStateHead.self, from: data)
      guard head.format == format else {
        throw FileError.malformed(path: path, reason: "\"format\" is not \"\(format)\"")
      }
      guard head.version == version else {
        throw FileError.unknownVersion(path: path, found: head.version, known: version)
      }
      document = try decoder.decode(SavedStateDocument.self, from: data)
    } catch let error as FileError {
      throw error
    } catch let error as DecodingError {
      throw .malformed(path: path, reason: error.text)
    } catch {
      throw .malformed(path: path, reason: "it is not JSON")
    }
    guard var state = document.state.value else {
      throw .malformed(path: path, reason: "a vector or matrix has not as many numbers as it needs")
    }
    if let saved = document.savedAtUnixSeconds, let unixTime, unixTime >= saved {
      state.age = unixTime - saved
    }
    if let fault = state.fault { throw .malformed(path: path, reason: fault.text) }
    return state
  }

  private static func contents(of path: String) throws(FileError) -> Data {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .unreadable(path: path, reason: "no such file") }
    guard status.st_size <= limit else { throw .malformed(path: path, reason: "the file is too long") }
    guard status.st_mode & S_IFMT == S_IFREG, let data = try? Data(contentsOf: URL(filePath: path)) else {
      throw .unreadable(path: path, reason: "is it a file, and yours to read?")
    }
    return data
  }
}

extension SavedState.Fault {
  /// The fault in words.
  public var text: String {
    switch self {
    case .nonFinite: "a value is not a finite number"
    case .outOfRange(let quantity): "the \(quantity.rawValue) is out of the range that can be learned"
    }
  }
}

extension DecodingError {
  fileprivate var text: String {
    switch self {
    case .keyNotFound(let key, _): return "\"\(key.stringValue)\" is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      return "\"\(context.codingPath.map(\.stringValue).joined(separator: "."))\" is not what it should be"
    case .dataCorrupted: return "it is not JSON, or cut off"
    @unknown default: return "it cannot be decoded"
    }
  }
}
