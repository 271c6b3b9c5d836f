import ArgumentParser
import Coarse
import Programs

/// `reckon places`
struct PlacesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "places",
    abstract: "Make the database by which the service knows where cells and Wi-Fi access points are.",
    discussion: """
      Tables of cells have the columns that OpenCelliD and the Mozilla Location Services give out: \
      radio,mcc,net,area,cell,unit,lon,lat,range and more, with or without the line that names them. Tables of access points have \
      bssid,lat,lon and perhaps range, in metres. Of two rows of one thing the later holds; rows that say nothing are counted.

      A database that is there is replaced, a file of another kind is not.

      The service reads it where [coarse] of its configuration names it. Exits with 3 for data that cannot be used.
      """)

  @Argument(help: ArgumentHelp("Tables of cells or access points.", valueName: "csv")) var tables: [String]
  @Option(name: [.customShort("o"), .long], help: ArgumentHelp("The database to make.", valueName: "file"))
  var output: String

  func run() throws {
    let summary = try CoarseImport.make(output, from: tables)
    if let first = summary.firstRefusal {
      Terminal.error("warning: \(summary.refused) rows say nothing; the first: \(first)")
    }
    let counts = try CoarseDatabase(path: output).counts()
    Terminal.output(
      "\(output): \(counts.cells) cells in \(counts.areas) groups, \(counts.accessPoints) access points\n")
  }
}
