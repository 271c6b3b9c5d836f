/// The evaluation of drives as one HTML page that needs nothing but itself: no
/// network, no fonts, no map tiles.
public enum HTMLReport {
  /// The page for `reports`, a tab a drive and, where there are several, one that compares them.
  public static func render(_ reports: [DriveReport]) -> String {
    let title = reports.count == 1 ? reports[0].name : "\(reports.count) drives"
    let panels = reports.enumerated().map { ReportPanel(index: $0.offset, report: $0.element).html }
    return page(
      title: title, kind: "drive report", tabs: ReportOverview.tabs(reports),
      body: """
        \(reports.isEmpty ? "<p class=\"notice\">No drive was evaluated.</p>" : "")
        \(ReportOverview.panel(reports))
        \(panels.joined(separator: "\n"))
        """)
  }

  static func page(title: String, kind: String, tabs: String, body: String) -> String {
    """
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
    <style id="figure-style">\(FigureStyle.css)</style>
    </head>
    <body>
    <a class="skip" href="#content">To the figures</a>
    <header class="masthead"><div class="masthead-inner">
    <p class="brand"><svg viewBox="0 0 20 20" aria-hidden="true"><path d="M10 1 17 18 10 14 3 18Z"/></svg>Reckon \
    <span>\(kind)</span></p>
    \(tabs)
    </div></header>
    <main id="content">
    <noscript><p class="notice">Without JavaScript map and chart stand still; all else is here.</p></noscript>
    \(body)
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
