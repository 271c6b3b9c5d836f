import JSON

/// Figures of drives in a ``ResultFile``: an evaluation that was stopped goes on where it was.
///
/// Figures count for the same files, options and build only.
public struct EvaluationState: Sendable {
  private let study: [String]
  private let file: ResultFile<String, EvaluationFigureText>

  /// Opens or makes the file; `study` is everything that figures depend on but the drive: options and build.
  public init(path: String, study: [String]) throws(EvaluationError) {
    self.study = study
    file = try ResultFile(path: path) { line in
      let json = try JSONParser.read(line, limits: .init(depth: 64, bytes: 1 << 28))
      guard let key = json["key"]?.string, let figures = json["figures"] else { throw NoResult() }
      return (key, EvaluationFigureText(value: figures))
    }
  }

  private struct NoResult: Error {}

  /// The key of the drive in the folder `path`.
  public func key(_ path: String) -> String { FileDigest.ofDrive(path, study: study) }

  /// The figures that were kept under `key`.
  public func figures(_ key: String) -> EvaluationFigureText? { file[key] }

  /// Keeps figures.
  public func add(_ figures: EvaluationFigureText, _ key: String) throws(EvaluationError) {
    // No line end within a line: those of strings are escaped.
    let line = JSON.members(["key": .string(key), "figures": figures.value]).text
    try file.add(figures, key, line: Array(line.utf8))
  }
}
