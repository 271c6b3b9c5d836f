import JSON
import Locks

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Figures of drives in a file, a line each: an evaluation that was stopped goes on where it was.
///
/// Figures count for the same files, options and build only. A last line that was cut off is dropped.
public final class EvaluationState: Sendable {
  private let path: String
  private let study: [String]
  private let file: Int32
  private let kept = Mutex([String: EvaluationFigureText]())
  /// What figures of a drive depend on.
  private static let parts = ["drive.json", "imu.csv", "gnss.csv", "wheel.csv", "truth.csv", "receiver.csv"]

  /// Opens or makes the file; `study` is everything that figures depend on but the drive: options and build.
  public init(path: String, study: [String]) throws(EvaluationError) {
    self.path = path
    self.study = study
    file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw .state(path: path, reason: String(cString: strerror(errno))) }
    try load()
  }

  deinit { close(file) }

  /// The key of the drive in the folder `path`.
  public func key(_ path: String) -> String {
    var digest = FileDigest()
    for part in study + [path] {
      digest.add(part.utf8)
      digest.add([0])
    }
    for part in Self.parts { digest.add([digest.add(file: "\(path)/\(part)") ? 1 : 0]) }
    return digest.text
  }

  /// The figures that were kept under `key`.
  public func figures(_ key: String) -> EvaluationFigureText? { kept.withLock { $0[key] } }

  /// Keeps figures.
  public func add(_ figures: EvaluationFigureText, _ key: String) throws(EvaluationError) {
    // No line end within a line: those of strings are escaped.
    let text = JSONValue.object([("key", .string(key)), ("figures", figures.value)]).text
    let line = Array((text.split(separator: "\n").joined() + "\n").utf8)
    let isWritten = kept.withLock { kept in
      kept[key] = figures
      return write(file, line, line.count) == line.count
    }
    guard isWritten else { throw .state(path: path, reason: String(cString: strerror(errno))) }
  }

  private func load() throws(EvaluationError) {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(file, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
    let whole = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    if whole < bytes.count, ftruncate(file, off_t(whole)) != 0 {
      throw .state(path: path, reason: String(cString: strerror(errno)))
    }
    var known: [String: EvaluationFigureText] = [:]
    for (number, line) in bytes[..<whole].split(separator: UInt8(ascii: "\n")).enumerated() {
      guard let json = try? JSONParser.read(line, limits: .init(depth: 64, bytes: 1 << 28)),
        let key = json["key"]?.string, let figures = json["figures"]
      else {
        throw .state(
          path: path, reason: "line \(number + 1) is no result; remove the line or choose another file")
      }
      known[key] = EvaluationFigureText(kept: figures)
    }
    kept.withLock { [known] in $0 = known }
  }
}
