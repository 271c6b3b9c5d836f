import ArgumentParser
import Evaluation
import Persistence
import Programs

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What `evaluate` and `score` write beside their table.
struct ReportOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Write the figures as JSON.", valueName: "file")) var json: String?
  @Option(
    help: ArgumentHelp(
      "Write a page with tracks, errors, innovations, what was learned, and tables.", valueName: "file.html"))
  var report: String?
  @Option(
    help: ArgumentHelp(
      "Write the figures of the page as SVG files, into a folder a drive where there are several.",
      valueName: "folder"))
  var figures: String?

  /// Whether tracks and all that figures show are wanted.
  var needsTracks: Bool { report != nil || figures != nil }

  func validate() throws {
    try AtomicFile.checkAll(json, report)
  }

  /// Writes what was asked for; says what could not be written, so that the others still are. Whether all
  /// was.
  func write(_ evaluations: [DriveEvaluation], json text: @autoclosure () -> String) -> Bool {
    var isWhole = true
    if let json { isWhole = write(text(), to: json) }
    let reports = needsTracks ? evaluations.map(DriveReport.init) : []
    if let report { isWhole = write(HTMLReport.render(reports), to: report) && isWhole }
    if let figures {
      for file in FigureFolder.files(reports) {
        isWhole = write(file.text, to: "\(figures)/\(file.path)", makingFolder: true) && isWhole
      }
    }
    return isWhole
  }

  private func write(_ text: String, to path: String, makingFolder: Bool = false) -> Bool {
    do {
      if makingFolder {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
          separator: "/")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      }
      try AtomicFile.write(text, to: path)
      return true
    } catch {
      Terminal.error("error: \(error)")
      return false
    }
  }
}
