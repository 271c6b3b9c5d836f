/// Why a database of places cannot be used or made, and what to do about it.
public enum CoarseError: Error, Sendable, Equatable, CustomStringConvertible {
  /// It cannot be read or written.
  case unreadable(path: String, reason: String)
  /// It is no database of places, or one of another version.
  case notPlaces(path: String)
  /// What would be written over is no database of places.
  case inTheWay(path: String)
  /// What would be written over is a table that is to be read.
  case isTable(path: String)
  /// A table that no row could be taken from.
  case noRows(path: String, reason: String)

  /// What is wrong, and what to do about it, for people.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "\(path): \(reason)"
    case .notPlaces(let path): "\(path): no database of places of this version: make one by `reckon places`"
    case .inTheWay(let path): "\(path): not replaced: it is no database of places"
    case .isTable(let path): "\(path): not replaced: it is one of the tables"
    case .noRows(let path, let reason): "\(path): no row can be used: \(reason)"
    }
  }
}
