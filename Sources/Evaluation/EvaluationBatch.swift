import Drives
import Locks

/// Several drives, one after the other or on several threads; what is known of before is not evaluated again.
public struct EvaluationBatch: Sendable {
  /// What evaluates a drive.
  public var evaluator: DriveEvaluator
  /// Threads. More than one makes the times that the engine takes longer.
  public var jobs = 1
  /// Figures of before, and where more of them go.
  public var state: EvaluationState?

  /// A batch that knows nothing of before.
  public init(_ evaluator: DriveEvaluator) { self.evaluator = evaluator }

  /// What came of one drive.
  public enum Outcome: Sendable {
    /// Its figures, with all that they were made of unless they are of before.
    case figures(EvaluationFigureText, DriveEvaluation?, path: String)
    /// It could not be used, or its figures not be kept.
    case failed(String)
  }

  /// Evaluates the drives in these folders; `each` hears what came of them in order, one at a time.
  public func run(
    _ paths: [String], provenance: @Sendable (String) -> Provenance,
    progress: @Sendable (String, Double) -> Void, each: @Sendable (Outcome) -> Void
  ) {
    OrderedWork.run(paths.indices, jobs: jobs) { i in
      outcome(of: paths[i], provenance: provenance, progress: progress)
    } each: { _, outcome in
      each(outcome)
    }
  }

  private func outcome(
    of path: String, provenance: (String) -> Provenance, progress: (String, Double) -> Void
  ) -> Outcome {
    let key = state?.key(path)
    if let key, let old = state?.figures(key) { return .figures(old, nil, path: path) }
    do {
      var evaluation = try evaluator.evaluate(path: path) { progress(path, $0) }
      evaluation.provenance = provenance(path)
      let figures = EvaluationFigureText(evaluation)
      if let key { try state?.add(figures, key) }
      return .figures(figures, evaluation, path: path)
    } catch {
      return .failed("\(error)")
    }
  }
}
