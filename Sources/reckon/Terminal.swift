#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What goes to standard error.
enum Terminal {
  private static let isInteractive = isatty(STDERR_FILENO) == 1

  /// Writes a message and a line end.
  static func error(_ message: String) { put(message + "\n") }

  /// Replaces the line of progress, if a person is watching.
  static func progress(_ message: String) {
    if isInteractive { put("\r\u{1B}[K" + message) }
  }

  /// Removes the line of progress.
  static func endProgress() { progress("") }

  private static func put(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var start = 0
      while start < bytes.count {
        let written = write(STDERR_FILENO, bytes.baseAddress?.advanced(by: start), bytes.count - start)
        guard written > 0 else { return }
        start += written
      }
    }
  }
}
