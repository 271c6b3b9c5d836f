import ArgumentParser
import Evaluation
import Fusion

/// What `evaluate` makes of the drives: studies, what is withheld, and how the engine is run.
struct EvaluationChoices: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Cut the fixes for so many seconds, again and again: for example 30,60.", valueName: "seconds"))
  var outages: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seconds from the start of one outage to that of the next.", valueName: "seconds"))
  var outageSpacing = 10.0
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("No outage before this time of the drive.", valueName: "seconds"))
  var outageFrom = 0.0
  @Option(
    help: ArgumentHelp(
      "Make the fixes worse: thin:1,white:1.0,velocity:0.1,seed:1 or canyon:8,tau:20,white:3,seed:1 (Hz, m, m/s, s).",
      valueName: "spec"))
  var degrade: String?
  @Option(
    help: ArgumentHelp(
      "Start the engine from a saved state (see reckon help replay), as far as the drive bears it out.",
      valueName: "file"))
  var warmStart: String?
  @Flag(help: "Withhold the wheel speed from the engine, in outages and outside.") var noWheel = false
  @Option(
    help: ArgumentHelp(
      "Do without a part of the engine, to see what it is worth; may be given more than once. One of: "
        + FusionModel.allCases.map(\.rawValue).joined(separator: ", ") + ".", valueName: "name"))
  var disable: [String] = []
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Let the covariance follow in steps of at least so many seconds, to see what that costs in accuracy.",
      valueName: "seconds"))
  var covarianceInterval = 0.0
  @Option(
    help: ArgumentHelp(
      "Score the engine with hindsight too: lag:SECONDS (each solution corrected by what arrives within so many seconds) or full (by all of the drive). May be given once each.",
      valueName: "choice"))
  var smoother: [String] = []

  func validate() throws { _ = try settings() }

  func settings() throws -> EvaluationSettings {
    var settings = EvaluationSettings()
    settings.outageLengths = try lengths()
    guard outageSpacing >= 0.1, outageSpacing.isFinite else {
      throw ValidationError("--outage-spacing takes at least 0.1 seconds.")
    }
    guard outageFrom.isFinite else { throw ValidationError("--outage-from takes a number of seconds.") }
    guard (0...1).contains(covarianceInterval) else {
      throw ValidationError("--covariance-interval takes 0 to 1 seconds.")
    }
    settings.covarianceInterval = covarianceInterval
    settings.outageSpacing = outageSpacing
    settings.outagesFrom = outageFrom
    settings.degradation = try degrade.map { spec in try checked { try Degradation(parsing: spec) } }
    settings.usesWheel = !noWheel
    settings.smoothers = try smootherChoices()
    settings.disabled = try models()
    return settings
  }

  /// The options as they were given, where they are not as by default.
  var words: [String] {
    var words: [String] = []
    func add(_ name: String, _ value: String?) { if let value { words += [name, value] } }
    add("--outages", outages)
    if outages != nil, outageSpacing != 10 { add("--outage-spacing", "\(outageSpacing)") }
    if outages != nil, outageFrom != 0 { add("--outage-from", "\(outageFrom)") }
    add("--degrade", degrade)
    add("--warm-start", warmStart)
    if noWheel { words.append("--no-wheel") }
    for name in disable { add("--disable", name) }
    if covarianceInterval != 0 { add("--covariance-interval", "\(covarianceInterval)") }
    for choice in smoother { add("--smoother", choice) }
    return words
  }

  private func smootherChoices() throws -> [SmootherChoice] {
    let choices = try smoother.map { choice in try checked { try SmootherChoice(parsing: choice) } }
    guard Set(choices.map(\.kind)).count == choices.count else {
      throw ValidationError(
        "--smoother takes at most one lag and full once: --smoother lag:20 --smoother full.")
    }
    return choices
  }

  private func lengths() throws -> [Double] {
    guard let outages else { return [] }
    let lengths = outages.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
    guard lengths.allSatisfy({ $0 > 0 && $0 <= 86_400 }), Set(lengths).count == lengths.count else {
      throw ValidationError("--outages takes different numbers of seconds above 0, parted by commas: 30,60.")
    }
    return lengths
  }

  private func models() throws -> FusionModelSet {
    FusionModelSet(
      try disable.map { name in
        guard let model = FusionModel(rawValue: name) else {
          let known = FusionModel.allCases.map(\.rawValue).joined(separator: ", ")
          throw ValidationError("--disable: there is no '\(name)'; it takes one of \(known).")
        }
        return model
      })
  }
}
