#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      // Not strerror, which shares a buffer among threads.
      strerror_r(number, buffer.baseAddress!, buffer.count) == 0
        ? String(cString: buffer.baseAddress!) : "error \(number)"
    }
  }
}
