/// Why a source cannot be made.
public enum SourceError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The address cannot be read as one.
  case address(String, reason: String)
  /// The system refuses what every source needs.
  case system(call: String, reason: String)

  /// What is wrong, for people.
  public var description: String {
    switch self {
    case .address(let text, let reason): "\"\(text)\" is no address of a source: \(reason)"
    case .system(let call, let reason): "\(call) failed: \(reason)"
    }
  }
}
