import ArgumentParser
import Evaluation
import Persistence
import Programs

/// `reckon merge`
struct MergeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Put the shards of an evaluation, an ablation or a stress study together.",
    discussion: """
      Takes the JSON of every shard of reckon evaluate, ablate or stress with --shard, in any order, and writes the JSON that one \
      process would have written, to the byte where SOURCE_DATE_EPOCH is set, because dates differ from run to run; of an \
      evaluation with --no-latency too, because times taken do. A shard that is missing, there twice, or of another study is an error.

      Exits with 0, with 2 for arguments that cannot be used and with 3 for files that cannot be used, or where a shard says that \
      a drive could not be used.
      """)

  @Argument(help: "JSON of each shard.") var shards: [String]
  @Option(help: ArgumentHelp("The JSON of all.", valueName: "file")) var json: String

  func validate() throws {
    try AtomicFile.checkAll(json)
    for shard in shards { try checkOutputs([("--json", json)], reading: .file("<shards>", shard)) }
  }

  func run() async throws {
    let merged = try ShardFile.merge(shards)
    try AtomicFile.write(merged.json, to: json)
    for reason in merged.failed { Terminal.error("error: \(reason)") }
    let stress = merged.stress.isEmpty ? "" : StressText.tables(merged.stress) + "\n"
    let tables = stress + (merged.ablation.map { $0.text + "\n" } ?? "")
    let said = Terminal.output(tables + "\(json): \(merged.count) results of \(shards.count) shards\n")
    if !said || !merged.failed.isEmpty { throw ExitStatus.unusableData }
  }
}
