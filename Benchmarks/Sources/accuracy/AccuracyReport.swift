import Foundation

/// All that was found: printed as tables, written as JSON.
struct AccuracyReport: Encodable {
  let targets: [Target]
  let scenarios: [ScenarioSpread]

  var text: String {
    var lines: [String] = []
    if !targets.isEmpty {
      let rows = targets.map { target in
        [
          target.study, target.figure, Self.cell(target.value), Self.bound(target),
          target.isMet.map { $0 ? "met" : "SHORT" } ?? "–",
        ]
      }
      lines.append(Self.table(["study", "figure", "measured", "target", ""], rows))
    }
    if !scenarios.isEmpty {
      let rows = scenarios.map { s in
        [
          s.scenario, "\(s.seeds.count)", Self.cell(s.p50), Self.cell(s.p95), Self.cell(s.p50OverRaw),
          Self.cell(s.p95OverRaw), Self.cell(s.coverage68), Self.cell(s.coverage95),
          Self.cell(s.coverage68OfSeeds),
          Self.cell(s.nees), Self.cell(s.courseDelay),
        ]
      }
      lines.append(
        Self.table(
          [
            "scenario", "seeds", "P50 m", "P95 m", "P50 / raw", "P95 / raw", "in 68 %", "in 95 %",
            "in 68 %, seeds",
            "NEES", "course lag s",
          ], rows))
      lines.append("Spread: median (least to largest) over seeds that nothing was tuned on.")
    }
    return lines.joined(separator: "\n")
  }

  private static func cell(_ value: Double?) -> String { value.map { String(format: "%.2f", $0) } ?? "–" }

  private static func cell(_ spread: Spread?) -> String {
    spread.map { "\(cell($0.median)) (\(cell($0.least)) to \(cell($0.most)))" } ?? "–"
  }

  private static func bound(_ target: Target) -> String {
    switch (target.least, target.most) {
    case (let least?, let most?): "\(cell(least)) to \(cell(most))"
    case (let least?, nil): "≥ \(cell(least))"
    case (nil, let most?): "≤ \(cell(most))"
    case (nil, nil): "–"
    }
  }

  private static func table(_ header: [String], _ rows: [[String]]) -> String {
    let all = [header] + rows
    let widths = header.indices.map { i in all.map { $0[i].count }.max() ?? 0 }
    return all.map { row in
      row.indices.map { i in
        let space = String(repeating: " ", count: widths[i] - row[i].count)
        return i < 1 ? row[i] + space : space + row[i]
      }.joined(separator: "  ")
    }.joined(separator: "\n") + "\n"
  }

  /// Writes the report to the file at `path`, all or nothing.
  func writeJSON(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}
