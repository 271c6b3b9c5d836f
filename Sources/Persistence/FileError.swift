import CLibrary

/// Why a file could not be written or used, and what to do about it.
public enum FileError: Error, Equatable, CustomStringConvertible {
  /// A file that could not be written.
  case unwritable(path: String, reason: String)
  /// A file that could not be read.
  case unreadable(path: String, reason: String)
  /// A file that is not what its name says.
  case malformed(path: String, reason: String)
  /// A saved state of a version that this one does not know.
  case unknownVersion(path: String, found: Int, known: Int)

  /// The error in a sentence.
  public var description: String {
    switch self {
    case .unwritable(let path, let reason):
      "\(path): cannot be written (\(reason)); "
        + (SystemError.advice(on: reason) ?? "choose a folder that exists and may be written to") + "."
    case .unreadable(let path, let reason):
      "\(path): cannot be read (\(reason))."
    case .malformed(let path, let reason):
      "\(path): no saved state: \(reason)."
    case .unknownVersion(let path, let found, let known):
      "\(path): a saved state of version \(found); this program knows version \(known)."
    }
  }
}
