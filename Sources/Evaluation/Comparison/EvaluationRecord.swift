import CLibrary
import JSON

/// The figures of one drive as `reckon evaluate --json` writes them.
public struct EvaluationRecord: Sendable {
  /// Name of the drive; the second of a name has #2 behind it, and so on.
  public let drive: String
  /// The options that the figures depend on; nil where the file does not say.
  public let options: [String]?
  private let figures: JSON

  /// A file of some thousand drives.
  private static let limits = JSONParser.Limits(depth: 64, bytes: 1 << 30)

  /// The drives of a file.
  public static func read(_ path: String) throws(EvaluationError) -> [EvaluationRecord] {
    guard let bytes = SystemFile.bytes(of: path, atMost: limits.bytes + 1) else {
      throw .figures(path: path, reason: SystemError.text())
    }
    return try records(bytes, path: path)
  }

  /// The drives of figures that stand in no file.
  public static func of(_ figures: [EvaluationFigureText]) throws(EvaluationError) -> [EvaluationRecord] {
    try records(Array(EvaluationFigureText.text(figures).utf8), path: "the figures")
  }

  private static func records(_ bytes: [UInt8], path: String) throws(EvaluationError) -> [EvaluationRecord] {
    let json: JSON
    do { json = try JSONParser.read(bytes[...], limits: limits) } catch {
      throw .figures(path: path, reason: "\(error)")
    }
    guard let drives = json.array else {
      let isShard = json["shard"] != nil
      throw .figures(
        path: path,
        reason: isShard ? "a shard; put all of them together by reckon merge" : "no array of drives")
    }
    var seen: [String: Int] = [:]
    var records: [EvaluationRecord] = []
    for (i, figures) in drives.enumerated() {
      guard let name = figures["drive"]?.string, figures["estimators"] != nil else {
        throw .figures(path: path, reason: "entry \(i + 1) has no \"drive\" and \"estimators\"")
      }
      seen[name, default: 0] += 1
      let count = seen[name] ?? 1
      records.append(
        EvaluationRecord(
          drive: count == 1 ? name : "\(name)#\(count)",
          options: figures["provenance"]?["options"]?.array?.compactMap(\.string), figures: figures))
    }
    return records
  }

  /// Every figure that can be better or worse, in a fixed order; nil where it could not be had.
  var values: [(metric: EvaluationMetric, value: Double?)] {
    var values: [(EvaluationMetric, Double?)] = []
    for estimator in ["causal", "fixed_lag", "full", "track"] {
      guard let score = figures["estimators"]?[estimator], score != .null else { continue }
      for metric in EvaluationMetric.ofEstimators {
        values.append((metric.of(estimator), metric.value(in: score)))
      }
    }
    for outage in figures["outages"]?.array ?? [] {
      guard let length = outage["length_s"]?.double else { continue }
      for metric in EvaluationMetric.ofOutages {
        values.append((metric.of("outage \(length) s"), metric.value(in: outage)))
      }
    }
    values.append((.nonFinite, EvaluationMetric.nonFinite.value(in: figures)))
    return values
  }
}
