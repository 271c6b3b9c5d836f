import ArgumentParser
import Evaluation
import Locks
import Persistence
import Programs

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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

  @Argument(help: "Folders of drives with truth, or folders with such folders in them.") var drives:
    [String] = []
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
  @Option(
    help: ArgumentHelp(
      "Keep results in a file, and skip what is there for the same drive, seed, changes and build.",
      valueName: "file"))
  var state: String?
  @Option(
    help: ArgumentHelp("Variants at a time; as many as there are processors if not given.", valueName: "n"))
  var jobs: Int?

  func validate() throws {
    if list { return }
    guard !drives.isEmpty else {
      throw ValidationError("Give the folder of a drive with truth, or see --list.")
    }
    _ = try seedRange()
    _ = try changes()
    if let jobs, !(1...1024).contains(jobs) {
      throw ValidationError("--jobs: \(jobs) is not possible; it takes 1 to 1024.")
    }
    for path in [json, state].compactMap(\.self) {
      do { try AtomicFile.check(path) } catch { throw ValidationError("\(error)") }
    }
  }

  func run() async throws {
    if list {
      for change in StressChange.allCases {
        let space = String(repeating: " ", count: max(0, 16 - change.rawValue.count))
        print("\(change.rawValue)\(space)\(change.summary)")
      }
      return
    }
    var failed = false
    var folders: [String] = []
    for path in drives {
      do { folders += try StressFolders.drives(in: path) } catch {
        Terminal.error("error: \(error)")
        failed = true
      }
    }
    var study = StressStudy(drives: folders, seeds: try seedRange())
    study.only = try changes()
    study.jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
    study.keep = keep
    do { study.state = try state.map { try StressState(path: $0, build: Self.build) } } catch {
      Terminal.error("error: \(error)")
      throw ExitStatus.unusableData
    }
    let (results, isWhole) = run(study)
    failed = failed || !isWhole
    if !results.isEmpty { failed = !Terminal.output("\n" + StressText.tables(results)) || failed }
    if let json {
      do { try AtomicFile.write(StressJSON.text(results), to: json) } catch {
        Terminal.error("error: \(error)")
        failed = true
      }
    }
    if failed { throw ExitStatus.unusableData }
  }

  /// Runs the study; a line a bad case as soon as its turn comes. Whether every drive could be used comes beside the results.
  private func run(_ study: StressStudy) -> (results: [StressResult], isWhole: Bool) {
    struct Told {
      var results: [StressResult] = []
      var count = 0
      var isWhole = true
    }
    let told = Mutex(Told())
    let total = study.drives.count * study.seeds.count
    study.run { outcome in
      told.withLock { told in
        told.count += 1
        Terminal.endProgress()
        switch outcome {
        case .result(let result, let path):
          told.results.append(result)
          if let line = StressText.line(result, path: path, only: study.only) {
            told.isWhole = Terminal.output(line + "\n") && told.isWhole
          }
        case .unchanged(let path): Terminal.error("note: \(path): none of the changes applies; left out")
        case .failed(let reason):
          Terminal.error("error: \(reason)")
          told.isWhole = false
        }
        Terminal.progress("\(told.count) of \(total) variants")
      }
    }
    Terminal.endProgress()
    return told.withLock { ($0.results, $0.isWhole) }
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

  /// Tells this program from one that was built of other sources.
  private static var build: String {
    var digest = FileDigest()
    if !digest.add(file: "/proc/self/exe") { digest.add(file: CommandLine.arguments[0]) }
    return digest.text
  }
}
