import Essentials
import JSON
import Locks

/// Results of an ablation in a ``ResultFile``: one that was stopped goes on where it was.
///
/// A result counts for the same files, options and build only.
public final class AblationState: Sendable {
  private struct Line: Codable {
    var key: String
    var result: AblationResult
  }

  private let study: [String]
  private let file: ResultFile
  private let kept = Mutex([String: AblationResult]())

  /// Opens or makes the file; `study` is everything that results depend on but drive and part: options and build.
  public init(path: String, study: [String]) throws(EvaluationError) {
    self.study = study
    let decoder = JSONDecoder()
    var known: [String: AblationResult] = [:]
    file = try ResultFile(path: path) { line in
      guard let line = try? decoder.decode(Line.self, from: Data(line)) else { return false }
      known[line.key] = line.result
      return true
    }
    kept.withLock { [known] in $0 = known }
  }

  func key(_ path: String, part: String?) -> String {
    FileDigest.ofDrive(path, study: study + [part ?? ""])
  }

  func result(_ key: String) -> AblationResult? { kept.withLock { $0[key] } }

  func add(_ result: AblationResult, _ key: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let line = Array(try encoder.encode(Line(key: key, result: result)))
    try kept.withLock { kept in
      kept[key] = result
      try file.append(line)
    }
  }
}
