import ArgumentParser
import Drives
import Essentials
import Evaluation
import Persistence
import Programs

/// How a long study is run: what of it, on how many threads, and what is kept for when it is stopped.
struct StudyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Keep results in a file, and skip what is there of the same files, options and build.",
      valueName: "file"))
  var state: String?
  @Option(
    help: ArgumentHelp(
      "Run one part of all only, for example 2/4; its JSON is for reckon merge.", valueName: "i/n"))
  var shard: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Drives or variants at a time: as many as there are processors, but one where times are taken.",
      valueName: "n"))
  var jobs: Int?

  func validate() throws {
    _ = try part()
    if let state { try checked { try AtomicFile.check(state) } }
    if let jobs, !(1...1024).contains(jobs) {
      throw ValidationError("--jobs: \(jobs) is not possible; it takes 1 to 1024.")
    }
  }

  /// Threads, where no times are taken.
  var threads: Int { jobs ?? ProcessInfo.processInfo.activeProcessorCount }

  /// The part that was asked for; nil for all.
  func part() throws -> Shard? {
    try shard.map { text in try checked("--shard") { try Shard(parsing: text) } }
  }

  /// The drives that the arguments stand for; says which lines of a list stand for none.
  func folders(_ arguments: [String]) -> (paths: [String], faults: [String]) {
    let found = DriveFolders(at: arguments)
    let faults = found.faults.map(\.description)
    for fault in faults { Terminal.error("error: \(fault)") }
    return (found.paths, faults)
  }

  /// What could not be used, for the file of a shard: every shard is told of the faults in a list, and
  /// the first hands them on.
  func failures(_ failures: [String], faults: [String]) throws -> [String] {
    (try part()?.number ?? 1) == 1 ? faults + failures : failures
  }

  /// The head of the file of a shard, nil where all is run; the results depend on `choices` beside the drives
  /// and the build.
  func header(
    _ kind: ShardHeader.Kind, _ choices: [String], drives: [String], failed: [String],
    _ provenance: Provenance
  ) throws -> ShardHeader? {
    let names = drives.map { String($0.split(separator: "/").last ?? "") }
    return try part().map { part in
      ShardHeader(
        kind: kind, shard: part, study: choices + [ProgramBuild.digest] + names, failed: failed,
        provenance: provenance)
    }
  }
}

/// Turns an error of a library about an argument into one of the command line, which names
/// `option` where that is given.
func checked<T>(_ option: String? = nil, _ body: () throws -> T) throws -> T {
  do { return try body() } catch {
    throw ValidationError((option.map { $0 + ": " } ?? "") + "\(error)")
  }
}

extension AtomicFile {
  /// Says before anything is worked out in vain which of the files that were asked for cannot be written.
  static func checkAll(_ paths: String?...) throws {
    for path in paths.compactMap(\.self) { try checked { try check(path) } }
  }
}
