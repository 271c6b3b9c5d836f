import ArgumentParser
import Drives
import Evaluation
import Fusion
import Locks
import Persistence
import Programs

/// `reckon ablate`
struct AblateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ablate",
    abstract: "Switch the parts of the engine off one by one, to see what each is worth.",
    discussion: """
      Every drive is evaluated with all parts, and again without each. Prints the figures without each part below those with \
      all; then each difference with its 95 % confidence interval (Student's paired t test over the drives), the probability of \
      such a difference by chance, alone and with all parts in view (Holm), and whether the engine is worse or \
      better without the part, where the latter is below 5 %. The ends of outages that do not overlap are paired one by one as \
      well (each): that has an interval on a single drive too, which holds for that drive alone. Outages are of 30 s \
      unless --outages says otherwise.

      Exits with 0, with 2 for arguments that cannot be used and with 3 if a drive could not be used; the others are \
      evaluated all the same.
      """)

  @Argument(
    help: "Folders of drives with truth, folders in which these are, or files that list them, one a line.")
  var drives: [String]
  @Option(
    help: ArgumentHelp(
      "Switch off these only; parted by commas (names as in --disable).", valueName: "name,…"))
  var parts: String?
  @Option(help: ArgumentHelp("Write the differences as JSON.", valueName: "file")) var json: String?
  @Option(help: ArgumentHelp("Write a page with the differences.", valueName: "file.html")) var report:
    String?
  @OptionGroup var study: StudyOptions
  @OptionGroup var choices: EvaluationChoices
  @OptionGroup var axes: IMUFrameOption

  func validate() throws {
    _ = try models()
    guard study.shard == nil || json != nil && report == nil else {
      throw ValidationError("--shard takes --json, the file for reckon merge, and no --report.")
    }
    try AtomicFile.checkAll(json, report)
    try checkOutputs(
      [("--json", json), ("--report", report), ("--state", study.state)],
      reading: .drives("<drives>", drives), .file("--warm-start", choices.warmStart))
  }

  func run() async throws {
    var settings = try choices.settings()
    if choices.outages == nil { settings.outageLengths = [30] }
    settings.savedState = WarmStart.load(choices.warmStart)
    let evaluator = DriveEvaluator(settings: settings, imuFrame: try axes.frame())
    var ablation = AblationStudy(evaluator, models: try models())
    ablation.jobs = study.threads
    ablation.state = try study.state.map {
      try AblationState(path: $0, study: options + [ProgramBuild.digest])
    }
    let part = try study.part()
    let (all, faults) = study.folders(drives)
    let tally = run(ablation, part.map { Array(all[$0.range(of: all.count)]) } ?? all)
    var failed = !faults.isEmpty || !tally.failures.isEmpty
    let header = try study.header(
      .ablate, options + [parts ?? ""], drives: all,
      failed: try study.failures(tally.failures, faults: faults), provenance(all))
    do {
      if let header, let json {
        try AtomicFile.write(try ShardFile.text(header, tally.results), to: json)
      } else {
        failed = try !show(Ablation(tally.results), provenance(all)) || failed
      }
    } catch {
      Terminal.error("error: \(error)")
      failed = true
    }
    if failed { throw ExitStatus.unusableData }
  }

  /// Prints and writes what was asked for; whether it could be printed.
  private func show(_ ablation: Ablation, _ provenance: Provenance) throws -> Bool {
    let isPrinted = ablation.drives.isEmpty || Terminal.output(ablation.text)
    if let json { try AtomicFile.write(ablation.json(provenance: provenance), to: json) }
    if let report {
      try AtomicFile.write(AblationReport.render(ablation, provenance: provenance), to: report)
    }
    return isPrinted
  }

  private func provenance(_ drives: [String]) -> Provenance {
    .now(
      drive: Provenance.names(of: drives), options: options + (parts.map { ["--parts", $0] } ?? []))
  }

  private func run(_ study: AblationStudy, _ drives: [String]) -> StudyTally<AblationResult> {
    let tally = Mutex(StudyTally<AblationResult>())
    let total = study.count(of: drives)
    study.run(drives) { outcome in
      tally.withLock { tally in
        switch outcome {
        case .result(let result): tally.results.append(result)
        case .failed(let reason): tally.fail(reason)
        }
        Terminal.progress("\(tally.results.count) of \(total) runs")
      }
    }
    Terminal.endProgress()
    return tally.withLock { $0 }
  }

  /// The options that the figures depend on, where they are not as by default.
  private var options: [String] { choices.words + (axes.imuFrame.map { ["--imu-frame", $0] } ?? []) }

  private func models() throws -> [FusionModel] {
    let off = try choices.settings().disabled
    guard let parts else { return FusionModel.allCases.filter { !off.contains($0) } }
    let asked = try parts.split(separator: ",", omittingEmptySubsequences: false).map { name in
      guard let model = FusionModel(rawValue: String(name)) else {
        let known = FusionModel.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("--parts: there is no '\(name)'; it takes some of \(known).")
      }
      guard !off.contains(model) else {
        throw ValidationError("--parts: '\(name)' is off throughout by --disable; name it once.")
      }
      return model
    }
    return FusionModel.allCases.filter(asked.contains)
  }
}
