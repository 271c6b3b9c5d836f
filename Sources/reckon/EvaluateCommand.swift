import ArgumentParser
import CAllocations
import Drives
import Evaluation
import Fusion
import Locks
import Persistence
import Programs

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `reckon evaluate`
struct EvaluateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Score the engine against the truth of one or more drives.",
    discussion: """
      Drives are also found one level below a folder that is none itself. A drive with receiver.csv, another \
      system's own solution, gets one more row for that, and gaps of over 10 s that the fixes really have are \
      told apart from those that --outages makes. In the JSON latency.allocations is null with --outages, whose \
      copies of the engine allocate too.

      Errors are those of the live solution at the times of the truth, raw fixes at their own; no track is ever \
      aligned to the truth. A drive without truth gets its availability and times only.

      With --baseline, errors may grow by --tolerance percent or by what nobody would act on (2 cm, 0.05°), whichever is \
      more, and coverage may move 2 to 3 % away from 68 % and 95 %; times taken are not compared.

      Exits with 0, with 1 where a figure is worse than in the baseline, with 2 for arguments that cannot be used and with 3 if a drive could not be used; the others are \
      evaluated all the same.
      """)

  @Argument(help: "Folders of the drives, or folders in which these are.") var drives: [String]
  @OptionGroup var output: ReportOptions
  @Option(
    help: ArgumentHelp(
      "Keep figures in a file, and skip drives whose files, options and build are there; not with --report or --figures.",
      valueName: "file"))
  var state: String?
  @Option(
    help: ArgumentHelp(
      "Evaluate one part of the drives only, for example 2/4; its JSON is for reckon merge.", valueName: "i/n"
    ))
  var shard: String?
  @Option(
    help: ArgumentHelp(
      "Drives at a time: one, so that nothing disturbs the times taken, or with --no-latency as many as there are processors.",
      valueName: "n"))
  var jobs: Int?
  @Flag(help: "Leave out the times taken: then two runs give the same bytes, SOURCE_DATE_EPOCH being set.")
  var noLatency = false
  @Option(
    help: ArgumentHelp(
      "Compare with the JSON of an earlier run, say what got worse, and exit with 1 if anything did.",
      valueName: "file"))
  var baseline: String?
  @Option(help: ArgumentHelp("By how much an error may grow over the baseline.", valueName: "percent"))
  var tolerance = 5.0
  @Option(
    help: ArgumentHelp(
      "Cut the fixes for so many seconds, again and again: for example 30,60.", valueName: "seconds"))
  var outages: String?
  @Option(
    help: ArgumentHelp("Seconds from the start of one outage to that of the next.", valueName: "seconds"))
  var outageSpacing = 10.0
  @Option(help: ArgumentHelp("No outage before this time of the drive.", valueName: "seconds"))
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
    help: ArgumentHelp(
      "Let the covariance follow in steps of at least so many seconds, to see what that costs in accuracy.",
      valueName: "seconds"))
  var covarianceInterval = 0.0
  @Option(
    help: ArgumentHelp(
      "Score the engine with hindsight too: lag:SECONDS (each solution corrected by what arrives within so many seconds) or full (by all of the drive). May be given once each.",
      valueName: "choice"))
  var smoother: [String] = []
  @OptionGroup var axes: IMUFrameOption

  func validate() throws {
    _ = try settings()
    guard (0...1000).contains(tolerance) else {
      throw ValidationError("--tolerance takes 0 to 1000 percent.")
    }
    if let state { try checked { try AtomicFile.check(state) } }
    if let shard {
      _ = try checked { try Shard(parsing: shard) }
      guard output.json != nil, !output.needsTracks, baseline == nil else {
        throw ValidationError(
          "--shard takes --json, the file for reckon merge, and neither --report, --figures nor --baseline.")
      }
    }
    if let jobs, !(1...1024).contains(jobs) {
      throw ValidationError("--jobs: \(jobs) is not possible; it takes 1 to 1024.")
    }
    guard state == nil || !output.needsTracks else {
      throw ValidationError("--state keeps figures, not the tracks that --report and --figures show.")
    }
  }

  func run() async throws {
    var settings = try settings()
    let before = try readBaseline()
    settings.savedState = WarmStart.load(warmStart)
    let evaluator = DriveEvaluator(settings: settings, imuFrame: try axes.frame())
    let all = drives.flatMap(DriveReader.drives)
    let part = try shard.map(Shard.init(parsing:))
    var batch = EvaluationBatch(evaluator)
    batch.jobs = jobs ?? (noLatency ? ProcessInfo.processInfo.activeProcessorCount : 1)
    batch.state = try openState()
    let (figures, evaluations, failures) = run(batch, part.map { Array(all[$0.range(of: all.count)]) } ?? all)
    if figures.count > evaluations.count {
      let count = figures.count - evaluations.count
      Terminal.error("note: drives evaluated before, in the JSON alone: \(count)")
    }
    var failed = !failures.isEmpty
    failed = !Terminal.output(EvaluationTable.text(evaluations)) || failed
    let names = all.map { String($0.split(separator: "/").last ?? "") }
    failed = !output.write(evaluations, json: text(figures, part, of: names, failed: failures)) || failed
    let isWorse = try before.map { try !isGood(figures, against: $0) } ?? false
    if failed { throw ExitStatus.unusableData }
    if isWorse { throw ExitStatus.worse }
  }

  /// The JSON of all, or of a shard.
  private func text(
    _ figures: [EvaluationFigureText], _ part: Shard?, of names: [String], failed: [String]
  ) -> String {
    guard let part else { return EvaluationFigureText.text(figures) }
    let study = options + [ProgramBuild.digest] + names
    return ShardFile.text(ShardHeader(kind: .evaluate, shard: part, study: study, failed: failed), figures)
  }

  /// Evaluates the drives; the figures of all, all that is known of those evaluated now, and what could not be used.
  private func run(
    _ batch: EvaluationBatch, _ paths: [String]
  ) -> (figures: [EvaluationFigureText], evaluations: [DriveEvaluation], failures: [String]) {
    struct Told {
      var figures: [EvaluationFigureText] = []
      var evaluations: [DriveEvaluation] = []
      var failures: [String] = []
    }
    let told = Mutex(Told())
    batch.run(paths) { [options] in
      .now(drive: $0, options: options)
    } progress: { path, seconds in
      Terminal.progress("\(path): \(Int(seconds)) s")
    } each: { outcome in
      Terminal.endProgress()
      told.withLock { told in
        switch outcome {
        case .figures(let figures, let evaluation, let path):
          told.figures.append(figures)
          guard let evaluation else { return }
          told.evaluations.append(evaluation)
          for remark in evaluation.remarks { Terminal.error("note: \(path): \(remark)") }
        case .failed(let reason):
          Terminal.error("error: \(reason)")
          told.failures.append(reason)
        }
      }
    }
    return told.withLock { ($0.figures, $0.evaluations, $0.failures) }
  }

  /// What was evaluated before, under the same options and by the same build.
  private func openState() throws -> EvaluationState? {
    do {
      return try state.map { try EvaluationState(path: $0, study: options + [ProgramBuild.digest]) }
    } catch {
      Terminal.error("error: \(error)")
      throw ExitStatus.unusableData
    }
  }

  /// The figures to compare with, before anything is evaluated in vain.
  private func readBaseline() throws -> [EvaluationRecord]? {
    do { return try baseline.map(EvaluationRecord.read) } catch {
      Terminal.error("error: \(error)")
      throw ExitStatus.unusableData
    }
  }

  /// Says what got worse than in `before`; whether nothing did.
  private func isGood(_ figures: [EvaluationFigureText], against before: [EvaluationRecord]) throws -> Bool {
    let gate = RegressionGate(relative: tolerance / 100)
    let finding = gate.compare(baseline: before, now: try EvaluationRecord.of(figures))
    for drive in finding.unknown { Terminal.error("note: \(drive) is not in the baseline") }
    if !finding.hasSameOptions { Terminal.error("note: the baseline was made with other options") }
    return Terminal.output("\n" + finding.text) && finding.isPassed
  }

  private func settings() throws -> EvaluationSettings {
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
    settings.keepsTracks = output.needsTracks
    settings.measuresLatency = !noLatency
    if allocations_are_counted() { settings.allocationCount = { Int(allocation_count()) } }
    return settings
  }

  /// The options that the figures depend on, where they are not as by default.
  private var options: [String] {
    var options: [String] = []
    func add(_ name: String, _ value: String?) { if let value { options += [name, value] } }
    add("--outages", outages)
    if outages != nil, outageSpacing != 10 { add("--outage-spacing", "\(outageSpacing)") }
    if outages != nil, outageFrom != 0 { add("--outage-from", "\(outageFrom)") }
    add("--degrade", degrade)
    add("--warm-start", warmStart)
    if noWheel { options.append("--no-wheel") }
    for name in disable { add("--disable", name) }
    if covarianceInterval != 0 { add("--covariance-interval", "\(covarianceInterval)") }
    for choice in smoother { add("--smoother", choice) }
    add("--imu-frame", axes.imuFrame)
    if noLatency { options.append("--no-latency") }
    return options
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

  /// Turns an error of the library about an argument into one of the command line.
  private func checked<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch { throw ValidationError("\(error)") }
  }
}
