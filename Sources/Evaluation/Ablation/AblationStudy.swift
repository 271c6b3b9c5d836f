import Fusion
import Locks

/// Evaluates drives with all parts of the engine, and again without each of some.
public struct AblationStudy: Sendable {
  /// What one run came to.
  public enum Outcome: Sendable {
    case result(AblationResult)
    /// The drive could not be used; said once a drive.
    case failed(String)
  }

  private let evaluator: DriveEvaluator
  private let models: [FusionModel]
  /// Threads.
  public var jobs = 1
  /// Results of before, and where more of them go.
  public var state: AblationState?

  /// A study of these parts; those that `evaluator` does without are off throughout.
  public init(_ evaluator: DriveEvaluator, models: [FusionModel] = FusionModel.allCases) {
    var evaluator = evaluator
    evaluator.settings.measuresLatency = false
    evaluator.settings.keepsTracks = false
    evaluator.settings.pairsOutages = true
    self.evaluator = evaluator
    self.models = models.filter { !evaluator.settings.disabled.contains($0) }
  }

  /// Runs over as many drives as `drives` is long.
  public func count(of drives: [String]) -> Int { drives.count * (models.count + 1) }

  /// Runs the study; `each` hears what came of it drive by drive, all parts first, one at a time.
  public func run(_ drives: [String], each: @Sendable (Outcome) -> Void) {
    let parts: [FusionModel?] = [nil] + models
    let failed = Mutex(-1)
    OrderedWork.run(0..<count(of: drives), jobs: jobs) { i in
      outcome(of: drives[i / parts.count], without: parts[i % parts.count])
    } each: { i, outcome in
      if case .failed = outcome {
        // Once is enough for a drive that cannot be evaluated.
        let drive = i / parts.count
        if i % parts.count == 0 {
          failed.withLock { $0 = drive }
        } else if failed.withLock({ $0 == drive }) {
          return
        }
      }
      each(outcome)
    }
  }

  private func outcome(of drive: String, without model: FusionModel?) -> Outcome {
    do {
      let key = state?.key(drive, part: model?.rawValue)
      if let key, let old = state?.result(key) { return .result(old) }
      var evaluator = evaluator
      if let model { evaluator.settings.disabled.formUnion(FusionModelSet([model])) }
      let evaluation = try evaluator.evaluate(path: drive)
      guard evaluation.figures.causal.horizontal != nil else {
        return .failed("\(drive): no truth to compare with; ablation needs truth.csv")
      }
      let result = try AblationResult(evaluation, part: model?.rawValue)
      if let key { try state?.add(result, key) }
      return .result(result)
    } catch {
      return .failed("\(error)")
    }
  }
}
