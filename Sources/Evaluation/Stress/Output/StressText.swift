/// The tables of a stress study, and a line a bad case.
public enum StressText {
  /// What is wrong with a variant, and the command that runs it again; nil where nothing is.
  public static func line(_ result: StressResult, path: String, only: [StressChange]) -> String? {
    let figures = result.figures
    guard figures.isBad else { return nil }
    var parts: [String] = []
    if figures.impossible > 0 {
      parts.append("impossible \(figures.impossible) times from \(cell(figures.impossibleFrom)) s")
    }
    if let first = figures.lostFirst {
      let (from, all) = (cell(first.start), cell(figures.lost))
      parts.append("lost from \(from) s, \(all) s in all, to \(metres(figures.lostWorst)) m")
    }
    if figures.isMisleading, let piece = figures.misleadingLongest {
      let (error, radius) = (metres(piece.error), metres(piece.radius))
      parts.append(
        "misleading from \(cell(piece.start)) s for \(cell(piece.length)) s, to \(error) m at ±\(radius) m")
    }
    if figures.isHeadingFalse {
      let (from, all) = (cell(figures.headingFalseFrom), cell(figures.headingFalse))
      parts.append("heading over 5 σ off from \(from) s, \(all) s in all")
    }
    return "\(result.drive) \(result.seed): \(parts.joined(separator: "; "))"
      + " [\(result.details.joined(separator: ", "))]: \(command(result, path: path, only: only))"
  }

  /// The command that runs the variant again.
  static func command(_ result: StressResult, path: String, only: [StressChange]) -> String {
    let changes = only.isEmpty ? "" : " --only \(only.map(\.rawValue).joined(separator: ","))"
    return "reckon stress \(quoted(path)) --seeds \(result.seed):\(result.seed)\(changes)"
  }

  /// By change, by drive, and of all.
  public static func tables(_ results: [StressResult]) -> String {
    var byChange = TextTable(["change"] + heads, leading: 1)
    for change in StressChange.allCases {
      let own = results.filter { $0.changes.contains(change) }
      if !own.isEmpty { byChange.add([change.rawValue] + cells(StressSummary(own))) }
    }
    var byDrive = TextTable(["drive"] + heads, leading: 1)
    for (name, own) in results.byDrive { byDrive.add([name] + cells(StressSummary(own))) }
    let all = StressSummary(results)
    byDrive.add(["all"] + cells(all))
    return byChange.text + "\n" + byDrive.text + "\n" + pooled(all)
  }

  private static let heads = [
    "variants", "lost", "% time", "misleading", "% time", "in 68 %", "in 95 %", "false heading %",
    "impossible", "worst m", "resets",
  ]

  private static func cells(_ summary: StressSummary) -> [String] {
    [
      "\(summary.variants)", "\(summary.lost)", percent(summary.share(summary.lostTime)),
      "\(summary.misleading)", percent(summary.share(summary.misleadingTime)),
      percent(summary.position.share68, 1), percent(summary.position.share95, 1),
      percent(summary.headingFalseShare), "\(summary.impossible)", metres(summary.worst),
      "\(summary.resets)",
    ]
  }

  /// A number with `digits` decimals.
  static func cell(_ value: Double?, _ digits: Int = 1) -> String { TextTable.cell(value, digits: digits) }

  static func percent(_ share: Double?, _ digits: Int = 2) -> String {
    cell(share.map { 100 * $0 }, digits)
  }

  /// Metres; beyond the earth as a power of ten.
  static func metres(_ value: Double?) -> String {
    guard let value, value >= 1e7, value.isFinite else { return cell(value) }
    return "\(Float(value))"
  }

  /// A path as a shell takes it.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20) || "0123456789/._-+".utf8.contains(byte)
    }
    if isPlain, !path.isEmpty { return path }
    return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}

extension [StressResult] {
  /// The results of each drive, in the order of the drives' first ones.
  var byDrive: [(name: String, results: [StressResult])] {
    var groups: [(name: String, results: [StressResult])] = []
    for result in self {
      if let i = groups.firstIndex(where: { $0.name == result.drive }) {
        groups[i].results.append(result)
      } else {
        groups.append((result.drive, [result]))
      }
    }
    return groups
  }
}
