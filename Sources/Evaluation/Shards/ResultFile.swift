import CLibrary
import Locks

/// Results in a file, a line each, by what they are of: a run that was stopped goes on where it was. A last
/// line that was cut off is dropped.
final class ResultFile<Key: Hashable & Sendable, Result: Sendable>: Sendable {
  private let path: String
  private let descriptor: Int32
  private let results = Mutex([Key: Result]())

  /// Opens or makes the file. `read` makes a result of a line: nil of one that does not count here; it
  /// throws where the line is none.
  init(path: String, _ read: (ArraySlice<UInt8>) throws -> (Key, Result)?) throws(EvaluationError) {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .state(path: path, reason: SystemError.text()) }
    let bytes = SystemFile.bytes(of: descriptor) ?? []
    let whole = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    if whole < bytes.count, ftruncate(descriptor, off_t(whole)) != 0 { throw unwritable }
    var known: [Key: Result] = [:]
    for (number, line) in bytes[..<whole].split(separator: UInt8(ascii: "\n")).enumerated() {
      do {
        if let (key, result) = try read(line) { known[key] = result }
      } catch {
        throw .state(
          path: path, reason: "line \(number + 1) is no result; remove the line or choose another file")
      }
    }
    results.withLock { [known] in $0 = known }
  }

  deinit { close(descriptor) }

  subscript(key: Key) -> Result? { results.withLock { $0[key] } }

  /// Keeps a result, whose line holds no line end, unless there is one.
  func add(_ result: Result, _ key: Key, line: [UInt8]) throws(EvaluationError) {
    let line = line + [UInt8(ascii: "\n")]
    let isWritten = results.withLock { results in
      guard results[key] == nil else { return true }
      results[key] = result
      return write(descriptor, line, line.count) == line.count
    }
    if !isWritten { throw unwritable }
  }

  private var unwritable: EvaluationError { .state(path: path, reason: SystemError.text()) }
}
