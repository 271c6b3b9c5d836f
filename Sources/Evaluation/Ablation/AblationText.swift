import Drives
import JSON

/// An ablation as text for a terminal and as JSON.
extension Ablation {
  /// A table of the figures without each part below those with all, one of the differences,
  /// and what changes nothing.
  public var text: String {
    var text = values.text + "\n" + differences.text
    let idle = parts.filter { !$0.changesAnything }.map(\.name)
    if !idle.isEmpty {
      text += "\nno figure of these drives is another without: \(idle.joined(separator: ", "))\n"
    }
    return text
  }

  private var values: TextTable {
    var table = TextTable(
      ["mean of \(drives.count) drive\(drives.count == 1 ? "" : "s")"] + metrics.map(Self.label), leading: 1)
    table.add(["all on"] + metrics.map { Self.cell(whole($0), $0) })
    for part in parts where part.changesAnything {
      table.add(
        ["without \(part.name)"]
          + metrics.map { metric in
            Self.cell(part.rows.first { $0.metric == metric }?.second, metric)
          })
    }
    return table
  }

  private var differences: TextTable {
    var table = TextTable(
      [
        "without", "figure", "pairs", "all on", "without it", "difference", "from", "to", "p", "p of all",
        "it is",
      ],
      leading: 2)
    for part in parts {
      for row in part.rows where row.difference != 0 {
        table.add(
          [part.name, row.metric, "\(row.count)"]
            + [row.first, row.second, row.difference, row.low, row.high].map {
              TextTable.cell($0, digits: 3)
            }
            + [row.p, row.adjusted].map { TextTable.cell($0, digits: 4) }
            + [row.isBetter.map { $0 ? "better" : "worse" } ?? "–"])
      }
    }
    return table
  }

  private static func isShare(_ metric: String) -> Bool {
    metric.contains("coverage") || metric.hasSuffix("misleading")
  }

  private static func cell(_ value: Double?, _ metric: String) -> String {
    isShare(metric) ? TextTable.cell(value.map { 100 * $0 }, digits: 1) : TextTable.cell(value)
  }

  /// A figure's name for a column or a picture: `P95 m`, `30 s cover 95 %`, `full P50 m`.
  static func label(_ metric: String) -> String {
    var words = metric.split(separator: " ").map(String.init)
    var subject = ""
    if words.first == "outage", words.count > 3 {
      let length = words[1].hasSuffix(".0") ? String(words[1].dropLast(2)) : words[1]
      subject = "\(length) s "
      words.removeFirst(3)
    } else if let first = words.first {
      subject = first == "causal" ? "" : first.replacing("_", with: " ") + " "
      words.removeFirst()
    }
    let kind =
      switch words.first {
      case "height_error_m": "height "
      case "heading_error_deg": "heading "
      case "coverage_68": "cover 68 %"
      case "coverage_95": "cover 95 %"
      case "misleading": "misleading %"
      case "lost": "lost"
      default: ""
      }
    let unit = words.first?.hasSuffix("_deg") == true ? "°" : "m"
    let percentile = words.dropFirst().first.map {
      ($0 == "each" ? "each end" : $0.uppercased()) + " \(unit)"
    }
    return subject + kind + (percentile ?? "")
  }

  /// The ablation as JSON: the drives, and for each part every figure as `reckon compare` has it, A with all
  /// parts and B without this one; of what comes from `provenance`.
  public func json(provenance: Provenance? = nil) -> String {
    JSON.members([
      "drives": .array(drives.map(JSON.string)),
      "parts": .array(
        parts.map { .members(["part": .string($0.name), "figures": .array($0.rows.map(\.json))]) }),
      "provenance": provenance?.json ?? .null,
    ]).indentedText
  }
}
