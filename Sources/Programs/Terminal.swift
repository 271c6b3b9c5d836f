import CLibrary

/// What goes to standard output and standard error.
package enum Terminal {
  private static let isInteractive = isatty(STDERR_FILENO) == 1

  /// Writes a message and a line end.
  package static func error(_ message: String) { put(message + "\n") }

  /// Replaces the line of progress, if a person is watching.
  package static func progress(_ message: String) {
    if isInteractive { put("\r\u{1B}[K" + message) }
  }

  /// Removes the line of progress.
  package static func endProgress() { progress("") }

  /// Writes to standard output; false, with the reason on standard error, where that is closed or full.
  @discardableResult
  package static func output(_ text: String) -> Bool {
    if put(text, to: STDOUT_FILENO) { return true }
    error("error: standard output: \(String(cString: strerror(errno)))")
    return false
  }

  @discardableResult
  private static func put(_ text: String, to file: Int32 = STDERR_FILENO) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var start = 0
      while start < bytes.count {
        let written = write(file, bytes.baseAddress?.advanced(by: start), bytes.count - start)
        guard written > 0 else { return false }
        start += written
      }
      return true
    }
  }
}
