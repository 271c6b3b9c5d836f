import Essentials
import Locks

/// Results of variants in a ``ResultFile``: a run that was stopped goes on where it was.
///
/// A result counts for the same drive, files, seed, changes and build only.
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

  private let build: String
  private let file: ResultFile
  private let results = Mutex([Key: StressResult]())

  /// Opens or makes the file; `build` tells one engine from another.
  public init(path: String, build: String) throws(EvaluationError) {
    self.build = build
    let decoder = JSONDecoder()
    var known: [Key: StressResult] = [:]
    file = try ResultFile(path: path) { line in
      let data = Data(line)
      if let origin = try? decoder.decode(Origin.self, from: data), origin.build != build { return true }
      guard let line = try? decoder.decode(Line.self, from: data) else { return false }
      known[line.key] = line.result
      return true
    }
    results.withLock { [known] in $0 = known }
  }

  func result(_ key: Key) -> StressResult? { results.withLock { $0[key] } }

  func add(_ result: StressResult, _ key: Key) throws {
    try results.withLock { results in
      guard results[key] == nil else { return }
      results[key] = result
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      try file.append(Array(try encoder.encode(Line(build: build, key: key, result: result))))
    }
  }
}
