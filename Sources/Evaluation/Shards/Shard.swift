import Drives
import JSON

/// One of several parts of a study, each run by a process of its own.
public struct Shard: Sendable, Equatable, Codable {
  /// Which, from 1, and of how many.
  public var number: Int, count: Int

  /// The part that `2/4` names.
  public init(parsing text: String) throws(EvaluationError) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1], (1...100_000).contains(count),
      (1...count).contains(number)
    else { throw .shard("'\(text)' is no part of a study; write number/count, for example 2/4") }
    (self.number, self.count) = (number, count)
  }

  /// Its part of `total` things: a stretch of them, whose length differs by one at most from that of the
  /// others.
  public func range(of total: Int) -> Range<Int> {
    total * (number - 1) / count..<total * number / count
  }
}

/// What stands in the file of a shard beside its results.
public struct ShardHeader: Sendable, Equatable {
  /// What can be run in parts.
  public enum Kind: String, Sendable, Codable { case evaluate, stress, ablate }
  /// What was run.
  public var kind: Kind
  /// Which part of it.
  public var shard: Shard
  /// Tells one study from another: what was to be run, how, and by which build.
  public var study: String
  /// What could not be run, in sentences.
  public var failed: [String]
  /// What the results come from; nil where each has its own.
  public var provenance: Provenance?

  /// A header; `study` is everything that the results depend on but the shard.
  public init(
    kind: Kind, shard: Shard, study: [String], failed: [String], provenance: Provenance? = nil
  ) {
    var digest = FileDigest()
    for part in study {
      digest.add(part.utf8)
      digest.add([0])
    }
    (self.kind, self.shard, self.study, self.failed) = (kind, shard, digest.text, failed)
    self.provenance = provenance
  }

  var json: JSON {
    .members([
      "kind": .string(kind.rawValue), "number": .integer(shard.number), "of": .integer(shard.count),
      "study": .string(study), "failed": .array(failed.map(JSON.string)),
      "provenance": provenance?.json ?? .null,
    ])
  }
}
