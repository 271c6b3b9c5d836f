/// Where wheel speeds come from.
public enum WheelAddress: Sendable, Hashable, CustomStringConvertible {
  /// A Unix socket that the source makes at this path and listens on.
  case socket(path: String)
  /// The standard input of the process.
  case standardInput

  /// `-` for the standard input, else the path of a socket; nil where it is empty or longer
  /// than a socket's path may be.
  public init?(_ text: String) {
    if text == "-" {
      self = .standardInput
    } else if (1...107).contains(text.utf8.count), !text.utf8.contains(0) {
      self = .socket(path: text)
    } else {
      return nil
    }
  }

  /// As people write it.
  public var description: String {
    switch self {
    case .socket(let path): path
    case .standardInput: "standard input"
    }
  }
}
