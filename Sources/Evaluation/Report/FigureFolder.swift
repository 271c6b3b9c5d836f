/// The figures of drives as SVG files, a folder a drive.
public enum FigureFolder {
  /// Names and contents of the files of `reports`; those of several drives lie in a folder each, named by
  /// the drive.
  public static func files(_ reports: [DriveReport]) -> [(path: String, text: String)] {
    var seen: [String: Int] = [:]
    return reports.flatMap { report -> [(path: String, text: String)] in
      let name = report.name.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? String($0) : "-" }
        .joined()
      let plain = name.allSatisfy { $0 == "." } ? "drive" : name
      seen[plain, default: 0] += 1
      let count = seen[plain] ?? 1
      let folder = reports.count == 1 ? "" : count == 1 ? "\(plain)/" : "\(plain)-\(count)/"
      return ReportFigures(report).files.map { (folder + $0.name, $0.text) }
    }
  }
}
