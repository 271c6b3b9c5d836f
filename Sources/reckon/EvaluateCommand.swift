import ArgumentParser
import CAllocations
import Drives
import Evaluation
import Locks
import Programs

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

  @Argument(help: "Folders of the drives, folders in which these are, or files that list them, one a line.")
  var drives: [String]
  @OptionGroup var output: ReportOptions
  @OptionGroup var study: StudyOptions
  @Flag(help: "Leave out the times taken: then two runs give the same bytes, SOURCE_DATE_EPOCH being set.")
  var noLatency = false
  @Option(
    help: ArgumentHelp(
      "Compare with the JSON of an earlier run, say what got worse, and exit with 1 if anything did.",
      valueName: "file"))
  var baseline: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("By how much an error may grow over the baseline.", valueName: "percent"))
  var tolerance = 5.0
  @OptionGroup var choices: EvaluationChoices
  @OptionGroup var axes: IMUFrameOption

  func validate() throws {
    _ = try settings()
    guard (0...1000).contains(tolerance) else {
      throw ValidationError("--tolerance takes 0 to 1000 percent.")
    }
    if study.shard != nil {
      guard output.json != nil, !output.needsTracks, baseline == nil else {
        throw ValidationError(
          "--shard takes --json, the file for reckon merge, and neither --report, --figures nor --baseline.")
      }
    }
    guard study.state == nil || !output.needsTracks else {
      throw ValidationError("--state keeps figures, not the tracks that --report and --figures show.")
    }
    try checkOutputs(
      output.files + [("--state", study.state)], reading: .drives("<drives>", drives),
      .file("--baseline", baseline), .file("--streets", output.streets),
      .file("--warm-start", choices.warmStart))
  }

  func run() async throws {
    var settings = try settings()
    // Before anything is evaluated in vain.
    let before = try baseline.map(EvaluationRecord.read)
    settings.savedState = WarmStart.load(choices.warmStart)
    let evaluator = DriveEvaluator(settings: settings, imuFrame: try axes.frame())
    let part = try study.part()
    let (all, faults) = study.folders(drives)
    var batch = EvaluationBatch(evaluator)
    batch.jobs = noLatency ? study.threads : study.jobs ?? 1
    // What was evaluated before, under the same options and by the same build.
    batch.state = try study.state.map {
      try EvaluationState(path: $0, study: options + [ProgramBuild.digest])
    }
    let tally = run(batch, part.map { Array(all[$0.range(of: all.count)]) } ?? all)
    let figures = tally.results.map(\.figures)
    let evaluations = tally.results.compactMap(\.evaluation)
    if figures.count > evaluations.count {
      let count = figures.count - evaluations.count
      Terminal.error("note: drives evaluated before, in the JSON alone: \(count)")
    }
    var failed = !faults.isEmpty || !tally.failures.isEmpty
    failed = !Terminal.output(EvaluationTable.text(evaluations)) || failed
    let header = try study.header(
      .evaluate, options, drives: all, failed: try study.failures(tally.failures, faults: faults),
      .now(drive: Provenance.names(of: all), options: options))
    let json = header.map { ShardFile.text($0, figures) } ?? EvaluationFigureText.text(figures)
    failed = !output.write(evaluations, json: json) || failed
    let isWorse = try before.map { try !isGood(figures, against: $0) } ?? false
    if failed { throw ExitStatus.unusableData }
    if isWorse { throw ExitStatus.worse }
  }

  /// The figures of a drive, and all that is known of one that was evaluated now.
  private struct Evaluated {
    var figures: EvaluationFigureText
    var evaluation: DriveEvaluation?
  }

  private func run(_ batch: EvaluationBatch, _ paths: [String]) -> StudyTally<Evaluated> {
    let tally = Mutex(StudyTally<Evaluated>())
    batch.run(paths) { [options] in
      .now(drive: $0, options: options)
    } progress: { path, seconds in
      Terminal.progress("\(path): \(Int(seconds)) s")
    } each: { outcome in
      Terminal.endProgress()
      tally.withLock { tally in
        switch outcome {
        case .figures(let figures, let evaluation, let path):
          tally.results.append(.init(figures: figures, evaluation: evaluation))
          for remark in evaluation?.remarks ?? [] { Terminal.error("note: \(path): \(remark)") }
        case .failed(let reason): tally.fail(reason)
        }
      }
    }
    return tally.withLock { $0 }
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
    var settings = try choices.settings()
    settings.keepsTracks = output.needsTracks
    settings.measuresLatency = !noLatency
    if allocations_are_counted() { settings.allocationCount = { Int(allocation_count()) } }
    return settings
  }

  /// The options that the figures depend on, where they are not as by default.
  private var options: [String] {
    var options = choices.words
    if let frame = axes.imuFrame { options += ["--imu-frame", frame] }
    if noLatency { options.append("--no-latency") }
    return options
  }
}
