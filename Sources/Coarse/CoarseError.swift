/// Why a database of places cannot be used or made, and what to do about it.
public enum CoarseError: Error, Sendable, Equatable, CustomStringConvertible {
  /// It cannot be read or written.
  case unreadable(path: String, reason: String)
  /// It is no database of places, or one of another version.
  case notPlaces(path: String)
  /// A table that no row could be taken from.
  case noRows(path: String, reason: String)

  /// What is wrong, and what to do about it, for people.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "\(path): \(reason)"
    case .notPlaces(let path): "\(path): no database of places of this version: make one by `reckon places`"
    case .noRows(let path, let reason): "\(path): no row can be used: \(reason)"
    }
  }
}
