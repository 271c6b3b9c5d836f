import JSON
import Locks

/// Figures of drives in a ``ResultFile``: an evaluation that was stopped goes on where it was.
///
/// Figures count for the same files, options and build only.
public final class EvaluationState: Sendable {
  private let study: [String]
  private let file: ResultFile
  private let kept = Mutex([String: EvaluationFigureText]())

  /// Opens or makes the file; `study` is everything that figures depend on but the drive: options and build.
  public init(path: String, study: [String]) throws(EvaluationError) {
    self.study = study
    var known: [String: EvaluationFigureText] = [:]
    file = try ResultFile(path: path) { line in
      guard let json = try? JSONParser.read(line, limits: .init(depth: 64, bytes: 1 << 28)),
        let key = json["key"]?.string, let figures = json["figures"]
      else { return false }
      known[key] = EvaluationFigureText(kept: figures)
      return true
    }
    kept.withLock { [known] in $0 = known }
  }

  /// The key of the drive in the folder `path`.
  public func key(_ path: String) -> String { FileDigest.ofDrive(path, study: study) }

  /// The figures that were kept under `key`.
  public func figures(_ key: String) -> EvaluationFigureText? { kept.withLock { $0[key] } }

  /// Keeps figures.
  public func add(_ figures: EvaluationFigureText, _ key: String) throws(EvaluationError) {
    // No line end within a line: those of strings are escaped.
    let text = JSONValue.object([("key", .string(key)), ("figures", figures.value)]).text
    let line = Array(text.split(separator: "\n").joined().utf8)
    let failure = kept.withLock { kept -> EvaluationError? in
      kept[key] = figures
      do throws(EvaluationError) { try file.append(line) } catch { return error }
      return nil
    }
    if let failure { throw failure }
  }
}
