import Locks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Results in a file, a line each: a run that was stopped goes on where it was.
///
/// A result counts for the same drive, files, seed, changes and build only. A last line that was cut off is dropped.
public final class StressState: Sendable {
  /// What a result is of.
  struct Key: Hashable, Codable {
    var drive: String, digest: String, seed: UInt64, changes: [StressChange]
  }

  /// What every line has, whatever the build that wrote it.
  private struct Origin: Decodable {
    var build: String
  }

  private struct Line: Codable {
    var build: String
    var key: Key
    var result: StressResult
  }

  private struct Contents {
    var results: [Key: StressResult] = [:]
  }

  private let path: String
  private let build: String
  private let file: Int32
  private let contents = Mutex(Contents())

  /// Opens or makes the file; `build` tells one engine from another.
  public init(path: String, build: String) throws(EvaluationError) {
    self.path = path
    self.build = build
    file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw .state(path: path, reason: String(cString: strerror(errno))) }
    try load()
  }

  deinit { close(file) }

  func result(_ key: Key) -> StressResult? { contents.withLock { $0.results[key] } }

  func add(_ result: StressResult, _ key: Key) throws {
    try contents.withLock { contents in
      guard contents.results[key] == nil else { return }
      contents.results[key] = result
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      var line = Array(try encoder.encode(Line(build: build, key: key, result: result)))
      line.append(UInt8(ascii: "\n"))
      guard write(file, line, line.count) == line.count else {
        throw EvaluationError.state(path: path, reason: String(cString: strerror(errno)))
      }
    }
  }

  private func load() throws(EvaluationError) {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(file, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
    let whole = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    if whole < bytes.count, ftruncate(file, off_t(whole)) != 0 {
      throw .state(path: path, reason: String(cString: strerror(errno)))
    }
    let decoder = JSONDecoder()
    var results: [Key: StressResult] = [:]
    for (number, line) in bytes[..<whole].split(separator: UInt8(ascii: "\n")).enumerated() {
      let data = Data(line)
      if let origin = try? decoder.decode(Origin.self, from: data), origin.build != build { continue }
      guard let line = try? decoder.decode(Line.self, from: data) else {
        throw .state(
          path: path, reason: "line \(number + 1) is no result; remove the line or choose another file")
      }
      results[line.key] = line.result
    }
    contents.withLock { [results] in $0.results = results }
  }
}
