/// What each part of the engine is worth: the figures of drives with all parts (A)
/// against those without one (B).
public struct Ablation: Sendable {
  /// One part.
  public struct Part: Sendable {
    /// Its name.
    public let name: String
    /// All parts against all but this one: paired drive by drive, and of outages that
    /// do not overlap end by end.
    public fileprivate(set) var rows: [PairedComparison.Row]

    /// Whether any figure is another without it.
    public var changesAnything: Bool { rows.contains { $0.difference != 0 } }
  }

  /// Names of the drives; the second of a name has #2 behind it, and so on.
  public let drives: [String]
  /// The parts in the order in which they were switched off.
  public private(set) var parts: [Part]

  /// Puts results together, which stand drive by drive with that of all parts first. The probabilities of a
  /// figure are adjusted with all parts in view.
  public init(_ results: [AblationResult]) {
    var seen: [String: Int] = [:]
    var names: [String] = []
    var all: [PairedComparison.Sample] = []
    var outages: [PairedComparison.Sample] = []
    var order: [String] = []
    var without: [String: (drives: [PairedComparison.Sample], outages: [PairedComparison.Sample])] = [:]
    var current: String?
    for result in results {
      if result.part == nil {
        current = result.drive
        seen[result.drive, default: 0] += 1
        let count = seen[result.drive] ?? 1
        names.append(count == 1 ? result.drive : "\(result.drive)#\(count)")
      }
      // Without all parts of its own drive there is nothing to compare with.
      guard let name = names.last, result.drive == current else { continue }
      guard let part = result.part else {
        all.append(result.sample(named: name))
        outages += result.outageSamples(named: name, apart: true)
        continue
      }
      if without[part] == nil { order.append(part) }
      without[part, default: ([], [])].drives.append(result.sample(named: name))
      without[part]?.outages += result.outageSamples(named: name, apart: false)
    }
    drives = names
    parts = order.map { part in
      let b = without[part] ?? ([], [])
      return Part(
        name: part,
        rows: PairedComparison(all, b.drives).rows + PairedComparison(outages, b.outages).rows)
    }
    adjust()
  }

  private mutating func adjust() {
    for metric in metrics {
      let places = parts.indices.flatMap { part in
        parts[part].rows.indices.filter { parts[part].rows[$0].metric == metric }.map { (part, $0) }
      }
      var rows = places.map { parts[$0].rows[$1] }
      PairedComparison.adjust(&rows)
      for ((part, row), adjusted) in zip(places, rows) { parts[part].rows[row] = adjusted }
    }
  }

  /// Names of the figures, in order.
  var metrics: [String] {
    var names: [String] = []
    for row in parts.flatMap(\.rows) where !names.contains(row.metric) { names.append(row.metric) }
    return names
  }

  /// The mean of a figure with all parts.
  func whole(_ metric: String) -> Double? {
    parts.lazy.flatMap(\.rows).first { $0.metric == metric }?.first
  }
}
