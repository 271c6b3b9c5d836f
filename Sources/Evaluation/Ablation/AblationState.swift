import Essentials

/// Results of an ablation in a ``ResultFile``: one that was stopped goes on where it was.
///
/// A result counts for the same files, options and build only.
public struct AblationState: Sendable {
  private struct Line: Codable {
    var key: String
    var result: AblationResult
  }

  private let study: [String]
  private let file: ResultFile<String, AblationResult>

  /// Opens or makes the file; `study` is everything that results depend on but drive and
  /// part: options and build.
  public init(path: String, study: [String]) throws(EvaluationError) {
    self.study = study
    file = try ResultFile(path: path) { line in
      let line = try JSONDecoder().decode(Line.self, from: Data(line))
      return (line.key, line.result)
    }
  }

  func key(_ path: String, part: String?) -> String {
    FileDigest.ofDrive(path, study: study + [part ?? ""])
  }

  func result(_ key: String) -> AblationResult? { file[key] }

  func add(_ result: AblationResult, _ key: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    try file.add(result, key, line: Array(try encoder.encode(Line(key: key, result: result))))
  }
}
