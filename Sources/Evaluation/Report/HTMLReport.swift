/// The evaluation of drives as one HTML page that needs nothing but itself: no network, no fonts, no map tiles.
public enum HTMLReport {
  /// The page for `reports`, a tab a drive and, where there are several, one that compares them.
  public static func render(_ reports: [DriveReport]) -> String {
    let title = reports.count == 1 ? reports[0].name : "\(reports.count) drives"
    let panels = reports.enumerated().map { ReportPanel(index: $0.offset, report: $0.element).html }
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <link rel="icon" href="data:,">
      <title>\(ReportText.escaped(title)) · Reckon</title>
      <style>\(ReportStyle.css)</style>
      </head>
      <body>
      <header class="masthead"><div class="masthead-inner">
      <p class="brand"><svg viewBox="0 0 20 20" aria-hidden="true"><path d="M10 1 17 18 10 14 3 18Z"/></svg>Reckon \
      <span>drive report</span></p>
      \(ReportOverview.tabs(reports))
      </div></header>
      <main>
      <noscript><p class="notice">The map and the chart need JavaScript; the figures and tables do not.</p></noscript>
      \(reports.isEmpty ? "<p class=\"notice\">No drive was evaluated.</p>" : "")
      \(ReportOverview.panel(reports))
      \(panels.joined(separator: "\n"))
      </main>
      <script>\(ReportScript.source)</script>
      </body>
      </html>

      """
  }

  /// The browser is told to fetch nothing, whatever the page should say.
  private static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
}
