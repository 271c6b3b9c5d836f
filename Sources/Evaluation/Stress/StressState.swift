import Essentials

/// Results of variants in a ``ResultFile``: a run that was stopped goes on where it was.
///
/// A result counts for the same drive, files, seed, changes and build only.
public struct StressState: Sendable {
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
  private let file: ResultFile<Key, StressResult>

  /// Opens or makes the file; `build` tells one engine from another.
  public init(path: String, build: String) throws(EvaluationError) {
    self.build = build
    file = try ResultFile(path: path) { line in
      let (decoder, data) = (JSONDecoder(), Data(line))
      if let origin = try? decoder.decode(Origin.self, from: data), origin.build != build { return nil }
      let line = try decoder.decode(Line.self, from: data)
      return (line.key, line.result)
    }
  }

  func result(_ key: Key) -> StressResult? { file[key] }

  func add(_ result: StressResult, _ key: Key) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    try file.add(result, key, line: Array(try encoder.encode(Line(build: build, key: key, result: result))))
  }
}
