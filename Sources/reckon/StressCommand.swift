import ArgumentParser
import Drives
import Evaluation
import Locks
import Persistence
import Programs

/// `reckon stress`
struct StressCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stress",
    abstract: "Run the engine over variants of drives with truth: worse sensors, missing and wrong fixes.",
    discussion: """
      Each seed makes one variant of each drive: it chooses 1 to 3 changes and their parameters (see --list), and \
      leaves the truth as it is. The same seed makes the same variant anywhere.

      Prints a line for each variant in which the engine was lost (over 30 m off although the last three fixes, all \
      within 5 s, lay within 10 m of the truth), misleading (an error above twice the stated 95 % radius and above 5 m \
      for over 2 s), sure of a wrong heading (over 5 standard deviations off for over 1 % of the time) or impossible \
      (not a number, above 120 m/s, beyond a pole), with the command that runs it again; then tables by change and by \
      drive, and a line of all.

      Exits with 0, with 2 for arguments that cannot be used and with 3 if a drive could not be used; the others are \
      run all the same.
      """)

  @Argument(
    help: "Folders of drives with truth, folders in which these are, or files that list them, one a line.")
  var drives: [String] = []
  @Option(help: ArgumentHelp("First and last seed, a variant of each drive each.", valueName: "a:b"))
  var seeds = "1:10"
  @Option(
    help: ArgumentHelp(
      "Make these changes, all of them, instead of those that the seed chooses; parted by commas.",
      valueName: "change,…"))
  var only: String?
  @Flag(help: "List the changes.") var list = false
  @Option(help: ArgumentHelp("Write all figures as JSON.", valueName: "file")) var json: String?
  @Option(help: ArgumentHelp("Write each variant as a drive folder in this one.", valueName: "folder"))
  var keep: String?
  @OptionGroup var study: StudyOptions

  func validate() throws {
    if list { return }
    guard !drives.isEmpty else {
      throw ValidationError("Give the folder of a drive with truth, or see --list.")
    }
    _ = try seedRange()
    _ = try changes()
    guard study.shard == nil || json != nil else {
      throw ValidationError("--shard takes --json, the file for reckon merge.")
    }
    try AtomicFile.checkAll(json)
    try checkOutputs([("--json", json), ("--state", study.state)], reading: .drives("<drives>", drives))
  }

  func run() async throws {
    if list {
      for change in StressChange.allCases {
        let space = String(repeating: " ", count: max(0, 16 - change.rawValue.count))
        print("\(change.rawValue)\(space)\(change.summary)")
      }
      return
    }
    var (folders, faults): ([String], [String]) = ([], [])
    for path in drives {
      do {
        let found = try StressFolders.drives(in: path)
        folders += found.drives
        faults += found.faults
      } catch { faults.append("\(error)") }
    }
    for fault in faults { Terminal.error("error: \(fault)") }
    var all = StressStudy(drives: folders, seeds: try seedRange())
    all.only = try changes()
    all.jobs = study.threads
    all.keep = keep
    all.shard = try study.part()
    all.state = try study.state.map { try StressState(path: $0, build: ProgramBuild.digest) }
    let tally = run(all)
    let reasons = try study.failures(tally.failures, faults: faults)
    var failed = !faults.isEmpty || !tally.failures.isEmpty
    if !tally.results.isEmpty { failed = !Terminal.output("\n" + StressText.tables(tally.results)) || failed }
    if let json {
      do { try AtomicFile.write(try text(tally.results, of: all.drives, failed: reasons), to: json) } catch {
        Terminal.error("error: \(error)")
        failed = true
      }
    }
    if failed { throw ExitStatus.unusableData }
  }

  /// The JSON of all, or of a shard.
  private func text(_ results: [StressResult], of drives: [String], failed: [String]) throws -> String {
    let options = ["--seeds", seeds] + (only.map { ["--only", $0] } ?? [])
    let provenance = Provenance.now(drive: Provenance.names(of: drives), options: options)
    let header = try study.header(.stress, [seeds, only ?? ""], drives: drives, failed: failed, provenance)
    guard let header else { return StressJSON.text(results, provenance: provenance) }
    return try ShardFile.text(header, results)
  }

  /// Runs the study; a line a bad case as soon as its turn comes.
  private func run(_ study: StressStudy) -> StudyTally<StressResult> {
    let tally = Mutex(StudyTally<StressResult>())
    let count = Atomic(0)
    let total = study.variants.count
    study.run { outcome in
      tally.withLock { tally in
        Terminal.endProgress()
        switch outcome {
        case .result(let result, let path):
          tally.results.append(result)
          if let line = StressText.line(result, path: path, only: study.only) {
            if !Terminal.output(line + "\n") { tally.failures.append("standard output is closed or full") }
          }
        case .unchanged(let path): Terminal.error("note: \(path): none of the changes applies; left out")
        case .failed(let reason): tally.fail(reason)
        }
        Terminal.progress("\(count.add(1, ordering: .relaxed).newValue) of \(total) variants")
      }
    }
    Terminal.endProgress()
    return tally.withLock { $0 }
  }

  private func seedRange() throws -> ClosedRange<UInt64> {
    let parts = seeds.split(separator: ":", omittingEmptySubsequences: false).map { UInt64($0) }
    guard parts.count == 2, let first = parts[0], let last = parts[1], first <= last, last - first < 1_000_000
    else {
      throw ValidationError(
        "--seeds: '\(seeds)' is no range of at most a million seeds; write first and last, for example 1:20.")
    }
    return first...last
  }

  private func changes() throws -> [StressChange] {
    guard let only else { return [] }
    let asked = try only.split(separator: ",", omittingEmptySubsequences: false).map { name in
      guard let change = StressChange(rawValue: String(name)) else {
        let known = StressChange.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("--only: there is no change '\(name)'; it takes some of \(known).")
      }
      return change
    }
    return StressChange.allCases.filter(asked.contains)
  }
}
