import CLibrary

/// What goes to standard output and standard error.
package enum Terminal {
  private static let isInteractive = isatty(STDERR_FILENO) == 1

  /// Writes a message and a line end. What a file says is quoted in it: a terminal is not to obey that.
  package static func error(_ message: String) { put(readable(message) + "\n") }

  /// `text` with a sign in the place of each control character but tabs and line ends.
  package static func readable(_ text: String) -> String {
    let isControl = { (scalar: Unicode.Scalar) in
      scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t"
    }
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 }))
  }

  /// Replaces the line of progress, if a person is watching.
  package static func progress(_ message: String) {
    if isInteractive { put("\r\u{1B}[K" + message) }
  }

  /// Removes the line of progress.
  package static func endProgress() { progress("") }

  /// Writes to standard output, what a terminal would obey excepted; false, with the reason on standard
  /// error, where that is closed or full.
  @discardableResult
  package static func output(_ text: String) -> Bool { picture(readable(text)) }

  /// The same with what a terminal is to obey.
  package static func picture(_ text: String) -> Bool {
    if put(text, to: STDOUT_FILENO) { return true }
    error("error: standard output: \(SystemError.text())")
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
