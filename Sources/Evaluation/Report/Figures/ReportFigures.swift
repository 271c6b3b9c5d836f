import Drives

/// The figures of one drive.
public struct ReportFigures {
  /// What stands still of the map and the chart.
  let still: [ReportFigure]
  /// The rest, by what it is of.
  let groups: [FigureGroup]
  /// What the figures were made by and from.
  private let provenance: Provenance?

  /// The figures of `report`, as far as it has what they show.
  public init(_ report: DriveReport) {
    provenance = report.provenance
    let diagnostics = report.diagnostics ?? DriveDiagnostics()
    // One axis of time for all, so that what is one above the other happened at once.
    let times =
      report.tracks.flatMap { [$0.points.first?.time, $0.points.last?.time] }.compactMap(\.self)
      + [diagnostics.errors.first?.time, diagnostics.errors.last?.time].compactMap(\.self)
    let known = times.filter { abs($0) < 1e9 }
    let time = FigureAxis.time(known.min() ?? 0, known.max() ?? 1)
    still = TrackFigures.all(report.tracks, on: report.streets, time)
    groups = [
      FigureGroup(
        title: "Errors and stated accuracy",
        figures: AccuracyFigures.all(report.tracks) + ErrorFigures.all(diagnostics.errors, time)),
      FigureGroup(title: "Without fixes", figures: OutageFigures.all(diagnostics.outages)),
      FigureGroup(
        title: "Measurements",
        figures: InnovationFigures.all(diagnostics.fixes, time)
          + MeasurementFigures.all(diagnostics.measurements, time)),
      FigureGroup(title: "The sky", figures: SkyFigures.all(diagnostics.sky, time)),
      FigureGroup(title: "What was learned", figures: CalibrationFigures.all(diagnostics.calibration, time)),
      FigureGroup(title: "Time taken", figures: LatencyFigures.all(diagnostics.latencies)),
    ].filter { !$0.figures.isEmpty }
  }

  /// Every figure as SVG: the name of its file, and what that holds.
  public var files: [(name: String, text: String)] {
    (still + groups.flatMap(\.figures)).map { ("\($0.id).svg", $0.file(provenance)) }
  }

  /// The groups within the page of a drive.
  func html(drive: Int) -> String {
    groups.map { group in
      """
      <section class="fig-group" aria-label="\(group.title)"><h2>\(group.title)</h2><div class="figs">
      \(group.figures.map { $0.html(drive: drive) }.joined(separator: "\n"))
      </div></section>
      """
    }.joined(separator: "\n")
  }

  /// What stands for map and chart on paper.
  func stillHTML(drive: Int) -> String {
    guard !still.isEmpty else { return "" }
    return "<div class=\"figs still\">\(still.map { $0.html(drive: drive) }.joined(separator: "\n"))</div>"
  }
}
