import Pages
import Release
import Streets

/// The live page: it needs nothing but this service, no network, no fonts; map tiles come from a file
/// of the service, if at all.
enum LivePage {
  /// The page; only style and script that say `nonce` are the page's own.
  static func html(nonce: String, streets: PageStreets) -> String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <link rel="icon" href="data:,">
    <title>Live · Reckon</title>
    <style nonce="\(nonce)">\(PageStyle.css)\(LivePageStyle.css)</style>
    </head>
    <body>
    \(body(streets))
    <script nonce="\(nonce)">\(LivePageScript.source)</script>
    </body>
    </html>

    """
  }

  /// The browser is told to fetch nothing but the events, to run nothing but the page's own script, and to
  /// show it in no other page.
  static func policy(_ nonce: String) -> String {
    "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; connect-src 'self'; "
      + "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
      + "require-trusted-types-for 'script'; trusted-types 'none'"
  }

  private static func body(_ streets: PageStreets) -> String {
    """
    <a class="skip" href="#content">To the figures</a>
    <header class="masthead"><div class="masthead-inner">
    <p class="brand"><svg viewBox="0 0 20 20" aria-hidden="true"><path d="M10 1 17 18 10 14 3 18Z"/></svg>Reckon \
    <span>live</span></p>
    <p class="link"><span class="badge" id="link">Connecting</span></p>
    <p class="clock" id="clock"></p>
    <button id="pause" aria-pressed="false">Pause</button>
    </div></header>
    <main id="content">
    <h1 class="unseen">Where the car is</h1>
    <p class="unseen" id="said" role="status" aria-live="polite"></p>
    <noscript><p class="notice">This page moves by JavaScript, which is off.</p></noscript>
    <p class="notice" id="notice" role="alert" hidden></p>
    <div class="live">
    <section class="card facts-card" aria-label="Now"><dl class="now">
    <div class="wide"><dt>Mode</dt><dd><b id="mode">–</b><small id="mode-note"></small></dd></div>
    <div><dt>Accuracy, 68 %</dt><dd><b id="radius">–</b><small id="radius-note"></small></dd></div>
    <div><dt>Speed</dt><dd><b id="speed">–</b><small id="speed-note"></small></dd></div>
    <div><dt>Course</dt><dd><b id="course">–</b><small id="course-note"></small></dd></div>
    <div><dt>Newest fix</dt><dd><b id="fix">–</b><small id="fix-note"></small></dd></div>
    <div class="wide"><dt>Place</dt><dd><b class="place-text" id="place">–</b><small id="place-note"></small></dd></div>
    </dl></section>
    \(map(streets))
    \(learned)
    \(history)
    <section class="card sensors" aria-labelledby="sensors-title"><h2 id="sensors-title">Sensors</h2>
    <div class="scroll" tabindex="0" role="region" aria-labelledby="sensors-title"><table><thead><tr>\
    <th scope="col">Sensor</th><th scope="col">State</th><th scope="col">Rate</th><th scope="col">Lost</th>\
    <th scope="col">Gaps</th><th scope="col">Not used</th></tr></thead><tbody id="sensors"></tbody></table></div>
    <p class="none" id="sensors-none">None is read.</p></section>
    <section class="card sky" aria-labelledby="sky-title"><h2 id="sky-title">Sky</h2>
    <p class="none" id="sky-text">The receiver has not told of satellites.</p>
    <canvas class="sky-plot" id="sky" role="img" aria-label="The satellites by azimuth and elevation" hidden></canvas>
    <details id="sky-details" hidden><summary>As a table</summary>\
    <div class="scroll" tabindex="0" role="region" aria-label="Satellites"><table><thead><tr><th scope="col">Satellite</th>\
    <th scope="col">Elevation</th><th scope="col">Azimuth</th><th scope="col">Strength</th><th scope="col">Used</th></tr></thead>\
    <tbody id="satellites"></tbody></table></div></details></section>
    </div>
    <p class="foot">Reckon \(Release.version). This page is told by the service on this computer, and asks nobody else.</p>
    </main>
    """
  }

  private static func map(_ streets: PageStreets) -> String {
    """
    <section class="card view map-card" aria-labelledby="map-title">
    <div class="bar-top"><h2 id="map-title">The last 10 minutes, on the ground</h2>
    <div class="layers" role="group" aria-label="Layers">
    \(streets.button)<button data-layer="track" aria-pressed="true"><span class="swatch causal"></span>Track</button>
    <button data-layer="fixes" aria-pressed="true"><span class="swatch gnss"></span>GNSS fixes</button>
    <button data-layer="radius" aria-pressed="true"><span class="swatch circles"></span>Accuracy 68 %</button>
    </div></div>
    <div class="map-box"><canvas class="map" id="map"\(streets.attribute) tabindex="0" role="application" \
    aria-label="Map of the car's track. Arrow keys pan, plus and minus zoom, 0 shows the whole track, F follows the car."></canvas>\(streets.credit)
    <div class="map-buttons"><button data-map="in" aria-label="Zoom in">+</button>\
    <button data-map="out" aria-label="Zoom out">−</button>\
    <button data-map="fit" aria-label="Show the whole track">Fit</button>\
    <button id="follow" aria-pressed="true">Follow</button></div></div>
    <p class="hint"><span class="mouse-only">Over the map, Ctrl and the wheel zoom.</span>\
    <span class="touch-only">Two fingers move and zoom the map.</span> \
    Dashed: without fixes. \(streets.remark)</p>
    </section>
    """
  }

  private static let learned = """
    <section class="card learned" aria-labelledby="learned-title"><h2 id="learned-title">Calibration</h2>
    <div class="scroll" tabindex="0" role="region" aria-labelledby="learned-title"><table><thead><tr>\
    <th scope="col">What is learned</th><th scope="col">Known to ±</th></tr></thead><tbody id="learned"></tbody></table></div>
    <p class="none" id="learned-none">Nothing yet.</p>
    <h3>What it still needs</h3><ul id="needs"><li>–</li></ul></section>
    """

  private static let history = """
    <section class="card view history" aria-labelledby="history-title">
    <div class="bar-top"><h2 id="history-title">The last 10 minutes, in time</h2><p class="legend">\
    <span><span class="swatch aided"></span>With fixes</span><span><span class="swatch dead"></span>Without</span>\
    <span><span class="swatch standing"></span>Standing</span></p></div>
    <canvas class="chart" id="history" role="img" aria-label="Accuracy radius, mode and speed over the last 10 minutes"></canvas>
    <details class="history-table"><summary>As a table</summary><div class="scroll" tabindex="0" role="region" \
    aria-label="The last 10 minutes"><table><thead><tr><th scope="col">Ago</th><th scope="col">Mode</th>\
    <th scope="col">Accuracy</th><th scope="col">Speed</th></tr></thead><tbody id="minutes"></tbody></table></div></details>
    </section>
    """
}

extension PageStreets {
  /// The button that hides and shows them.
  fileprivate var button: String {
    guard case .file = self else { return "" }
    return
      "<button data-layer=\"streets\" aria-pressed=\"true\"><span class=\"swatch streets\"></span>Streets</button>\n"
  }

  /// What the script has to know of them.
  fileprivate var attribute: String {
    guard case .file(let reader) = self else { return "" }
    return " data-streets=\"\(reader.attribute)\""
  }

  /// Whose they are, over the map.
  fileprivate var credit: String {
    guard case .file(let reader) = self else { return "" }
    let source = reader.file.attribution
    let text = source.isEmpty ? "Streets: the file names no source" : "Streets: " + source
    return "<p class=\"credit\">\(PageText.escaped(text))</p>"
  }

  /// Below the map.
  fileprivate var remark: String {
    switch self {
    case .none: "There are no streets: nothing is fetched."
    case .unusable(let fault): "There are no streets: \(PageText.escaped("\(fault)"))."
    case .file: "The streets are from a file of this computer. <span id=\"streets-fault\"></span>"
    }
  }
}
