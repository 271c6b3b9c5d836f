import CLibrary
import Drives
import Essentials
import JSON

/// The files of shards, and all of them put together.
public enum ShardFile {
  /// What a whole study came to.
  public struct Merged: Sendable {
    /// The text of the JSON that one process would have written.
    public var json: String
    /// The results of a stress study, for its tables.
    public var stress: [StressResult] = []
    /// What each part of the engine is worth, of an ablation.
    public var ablation: Ablation?
    /// Drives or variants.
    public var count: Int
    /// What could not be run, in sentences.
    public var failed: [String]
  }

  private static let limits = JSONParser.Limits(depth: 64, bytes: 1 << 30)

  /// The file of a shard of an evaluation.
  public static func text(_ header: ShardHeader, _ figures: [EvaluationFigureText]) -> String {
    JSON.members(["shard": header.json, "drives": .array(figures.map(\.value))]).indentedText
  }

  /// The file of a shard of a stress study or an ablation: results with all their digits.
  public static func text(_ header: ShardHeader, _ results: [some Encodable]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    var text = "{\"shard\": \(header.json.indentedText)"
    for (i, result) in results.enumerated() {
      text +=
        (i == 0 ? ", \"results\": [\n" : ",\n") + String(decoding: try encoder.encode(result), as: UTF8.self)
    }
    return text + (results.isEmpty ? ", \"results\": []}\n" : "\n]}\n")
  }

  /// Puts the shards of one study together, in whatever order their files are named.
  public static func merge(_ paths: [String]) throws -> Merged {
    var parts: [(header: ShardHeader, path: String, json: JSON)] = []
    for path in paths {
      let (header, json) = try read(path)
      if let first = parts.first {
        guard first.header.kind == header.kind, first.header.study == header.study,
          first.header.shard.count == header.shard.count
        else {
          throw EvaluationError.shard(
            "\(path) is of another study, other options or another build than \(first.path); "
              + "run every shard with the same arguments but --shard")
        }
        if let twin = parts.first(where: { $0.header.shard == header.shard }) {
          throw EvaluationError.shard(
            "\(path) and \(twin.path) are both shard \(header.shard.number); give each once")
        }
      }
      parts.append((header, path, json))
    }
    guard let first = parts.first else { throw EvaluationError.shard("no file was given") }
    let missing = Set(1...first.header.shard.count).subtracting(parts.map(\.header.shard.number)).sorted()
    guard missing.isEmpty else {
      let names = missing.prefix(20).map { "\($0)/\(first.header.shard.count)" }.joined(separator: ", ")
      throw EvaluationError.shard("these shards are missing: \(names); run them and give their files too")
    }
    parts.sort { $0.header.shard.number < $1.header.shard.number }
    let failed = parts.flatMap(\.header.failed)
    // One study at several times: it was whole with the last.
    let provenance = parts.compactMap(\.header.provenance).max { $0.date < $1.date }
    switch first.header.kind {
    case .evaluate:
      let drives = parts.flatMap { $0.json["drives"]?.array ?? [] }
      return Merged(json: JSON.array(drives).indentedText, count: drives.count, failed: failed)
    case .stress:
      let results: [StressResult] = try parts.flatMap { try self.results($0.json, path: $0.path) }
      return Merged(
        json: StressJSON.text(results, provenance: provenance), stress: results, count: results.count,
        failed: failed)
    case .ablate:
      let results: [AblationResult] = try parts.flatMap { try self.results($0.json, path: $0.path) }
      let ablation = Ablation(results)
      return Merged(
        json: ablation.json(provenance: provenance), ablation: ablation, count: results.count, failed: failed)
    }
  }

  private static func results<Result: Decodable>(_ json: JSON, path: String) throws -> [Result] {
    try (json["results"]?.array ?? []).map { result in
      do { return try JSONDecoder().decode(Result.self, from: Data(result.text.utf8)) } catch {
        throw EvaluationError.shard("\(path): a result cannot be read; run the shard again")
      }
    }
  }

  private static func read(_ path: String) throws(EvaluationError) -> (ShardHeader, JSON) {
    guard let bytes = SystemFile.bytes(of: path, atMost: limits.bytes + 1) else {
      throw .shard("\(path) cannot be read: \(SystemError.text())")
    }
    let json: JSON
    do { json = try JSONParser.read(bytes[...], limits: limits) } catch {
      throw .shard("\(path) is not whole: \(error); run the shard again")
    }
    let header = json["shard"]
    guard let kind = header?["kind"]?.string.flatMap(ShardHeader.Kind.init),
      let number = header?["number"]?.integer,
      let count = header?["of"]?.integer, let study = header?["study"]?.string,
      let shard = try? Shard(parsing: "\(number)/\(count)"), json["drives"] != nil || json["results"] != nil
    else {
      throw .shard(
        "\(path) is no shard; give what reckon evaluate, ablate or stress wrote with --shard and --json")
    }
    var whole = ShardHeader(
      kind: kind, shard: shard, study: [], failed: header?["failed"]?.array?.compactMap(\.string) ?? [])
    whole.study = study
    whole.provenance = header?["provenance"].flatMap { Provenance($0) }
    return (whole, json)
  }
}
