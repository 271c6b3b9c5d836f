import ArgumentParser
import Drives
import Evaluation
import Persistence
import Programs

/// `reckon compare`
struct CompareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare two runs of reckon evaluate over the same drives.",
    discussion: """
      For each figure: the mean of both, the mean of the differences B − A drive by drive with its 95 % confidence interval, and \
      the probability of such a difference by chance (Student's paired t test), alone and with all figures in view (Holm). B is \
      called better or worse where the latter is below 5 %. A coverage is compared by its distance from 68 % or 95 %: below 0 is \
      nearer. Few drives tell little: a single one has no interval.

      Exits with 0, with 2 for arguments that cannot be used and with 3 for files that cannot be used.
      """)

  @Argument(help: "JSON of the first run, A.") var first: String
  @Argument(help: "JSON of the second run, B.") var second: String
  @Option(help: ArgumentHelp("Write the comparison as JSON.", valueName: "file")) var json: String?
  @Option(help: ArgumentHelp("Write a page with the differences.", valueName: "file.html")) var report:
    String?

  func validate() throws {
    try AtomicFile.checkAll(json, report)
    try checkOutputs(
      [("--json", json), ("--report", report)], reading: .file("<first>", first), .file("<second>", second))
  }

  func run() async throws {
    let comparison = PairedComparison(try EvaluationRecord.read(first), try EvaluationRecord.read(second))
    for drive in comparison.unpaired {
      Terminal.error("note: \(drive) is in one of the two only; left out")
    }
    guard comparison.pairs > 0 else {
      Terminal.error(
        "error: \(first) and \(second) have no drive in common; compare runs over the same drives")
      throw ExitStatus.unusableData
    }
    if !Terminal.output(comparison.text) { throw ExitStatus.unusableData }
    let provenance = Provenance.now(drive: "\(first), \(second)", options: [])
    if let json { try AtomicFile.write(comparison.json(provenance: provenance), to: json) }
    if let report {
      let page = ComparisonReport.render(comparison, first: first, second: second, provenance: provenance)
      try AtomicFile.write(page, to: report)
    }
  }
}
