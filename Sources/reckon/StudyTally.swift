import Programs

/// What the parts of a study have come to so far.
struct StudyTally<Result: Sendable>: Sendable {
  /// Of those that could be run.
  var results: [Result] = []
  /// Why others could not, in sentences.
  var failures: [String] = []

  /// Says that one could not be run.
  mutating func fail(_ reason: String) {
    Terminal.endProgress()
    Terminal.error("error: \(reason)")
    failures.append(reason)
  }
}
