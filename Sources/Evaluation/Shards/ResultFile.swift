import CLibrary

/// Results in a file, a line each: a run that was stopped goes on where it was. A last line that was cut
/// off is dropped.
final class ResultFile: Sendable {
  private let path: String
  private let descriptor: Int32

  /// Opens or makes the file, and hands every line to `each`, which says whether it is a result.
  init(path: String, _ each: (ArraySlice<UInt8>) -> Bool) throws(EvaluationError) {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .state(path: path, reason: String(cString: strerror(errno))) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(descriptor, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
    let whole = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    if whole < bytes.count, ftruncate(descriptor, off_t(whole)) != 0 { throw unwritable }
    for (number, line) in bytes[..<whole].split(separator: UInt8(ascii: "\n")).enumerated() where !each(line)
    {
      throw .state(
        path: path, reason: "line \(number + 1) is no result; remove the line or choose another file")
    }
  }

  deinit { close(descriptor) }

  /// Adds a line, which holds no line end.
  func append(_ line: [UInt8]) throws(EvaluationError) {
    let line = line + [UInt8(ascii: "\n")]
    guard write(descriptor, line, line.count) == line.count else { throw unwritable }
  }

  private var unwritable: EvaluationError { .state(path: path, reason: String(cString: strerror(errno))) }
}
