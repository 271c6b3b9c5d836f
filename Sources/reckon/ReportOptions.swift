import ArgumentParser
import Drives
import Evaluation
import Persistence
import Programs
import Streets

/// What `evaluate` and `score` write beside their table.
struct ReportOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Write the figures as JSON.", valueName: "file")) var json: String?
  @Option(
    help: ArgumentHelp(
      "Write a page with tracks, errors, innovations, what was learned, and tables.", valueName: "file.html"))
  var report: String?
  @Option(
    help: ArgumentHelp(
      "Draw streets under the tracks of the page and the figures, from this PMTiles file of vector tiles.",
      valueName: "file.pmtiles"))
  var streets: String?
  @Option(
    help: ArgumentHelp(
      "Write the figures of the page as SVG files, into a folder a drive where there are several.",
      valueName: "folder"))
  var figures: String?

  /// What is written, by option.
  var files: [(option: String, path: String?)] {
    [("--json", json), ("--report", report), ("--figures", figures)]
  }

  /// Whether tracks and all that figures show are wanted.
  var needsTracks: Bool { report != nil || figures != nil }

  func validate() throws {
    try AtomicFile.checkAll(json, report)
    guard streets == nil || needsTracks else {
      throw ValidationError("--streets is for the page and the figures: name it with --report or --figures.")
    }
    // Known to be good before hours are spent on drives.
    do { _ = try streets.map { try StreetFile(path: $0) } } catch {
      throw ValidationError("--streets: \(error)")
    }
  }

  /// Writes what was asked for; says what could not be written, so that the others still are. Whether all
  /// was.
  func write(_ evaluations: [DriveEvaluation], json text: @autoclosure () -> String) -> Bool {
    var isWhole = true
    if let json { isWhole = write(text(), to: json) }
    var reports = needsTracks ? evaluations.map(DriveReport.init) : []
    isWhole = addStreets(to: &reports) && isWhole
    if let report { isWhole = write(HTMLReport.render(reports), to: report) && isWhole }
    if let figures {
      for file in FigureFolder.files(reports) {
        isWhole = write(file.text, to: "\(figures)/\(file.path)", makingFolder: true) && isWhole
      }
    }
    return isWhole
  }

  /// Bytes of streets of all drives of one page. *[chosen: what a browser opens without a thought]*
  private static let mostStreets = 32 << 20

  /// Puts streets under the tracks; says why there are none where there should be.
  private func addStreets(to reports: inout [DriveReport]) -> Bool {
    guard let streets, !reports.isEmpty else { return true }
    do {
      let file = try StreetFile(path: streets)
      let most = min(ReportStreets.most, Self.mostStreets / reports.count)
      for index in reports.indices {
        let (name, found) = (
          reports[index].name, try ReportStreets(file, along: reports[index].tracks, most: most)
        )
        switch found {
        case nil: Terminal.error("note: \(streets) has no streets where \(name) was driven")
        case let found? where found.isTooMuch:
          Terminal.error(
            "note: \(streets) has too much where \(name) was driven: the tiles of zoom \(found.zooms.lowerBound) alone are "
              + "more than the \(most >> 10) KB that its map may have, and none are drawn")
        default: reports[index].streets = found
        }
      }
      return true
    } catch {
      Terminal.error("error: \(error)")
      return false
    }
  }

  private func write(_ text: String, to path: String, makingFolder: Bool = false) -> Bool {
    do {
      if makingFolder {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
          separator: "/")
        try Folder.create(folder)
      }
      try AtomicFile.write(text, to: path)
      return true
    } catch {
      Terminal.error("error: \(error)")
      return false
    }
  }
}
