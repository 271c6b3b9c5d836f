import CLibrary

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

/// The system's words for its error numbers.
enum SystemError {
  /// The text of `number`, by default the calling thread's `errno`.
  static func text(_ number: Int32 = errno) -> String {
    // Not strerror, which shares a buffer among threads.
    var text = [CChar](repeating: 0, count: 256)
    guard strerror_r(number, &text, text.count) == 0 else { return "error \(number)" }
    return string(text)
  }

  /// The text in `characters` up to the NUL.
  static func string(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
