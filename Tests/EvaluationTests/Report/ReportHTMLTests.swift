import Evaluation
import Testing

@Suite struct ReportHTMLTests {
  /// A drive with all that a report can hold, straight north at 10 m/s.
  private func drive(_ name: String = "loop", points count: Int = 50) -> DriveReport {
    var report = DriveReport(
      name: name, kind: "simulated", place: "a straight road", duration: 42, distance: 420)
    let points = (0..<count).map { i in
      var point = ReportPoint(
        time: Double(i) / 10, latitudeDegrees: 48 + Double(i) * 1e-5, longitudeDegrees: 11)
      (point.radius68, point.radius95) = (1.5, 2.5)
      (point.courseDegrees, point.speed, point.horizontalError) = (0, 10, 0.75)
      return point
    }
    report.tracks = [.gnss, .causal, .truth].map { ReportTrack(role: $0, points: points) }
    var gnss = ReportScore(role: .gnss)
    (gnss.p50, gnss.p95, gnss.max) = (2.4, 6, 9)
    var causal = ReportScore(role: .causal)
    (causal.p50, causal.p95, causal.max, causal.coverage95) = (1, 3, 10, 0.951)
    report.scores = [gnss, causal]
    var outage = ReportOutage(length: 30, count: 7)
    outage.p50 = 4.25
    report.outages = [outage]
    report.notes = ["2 fixes were refused."]
    return report
  }

  /// The numbers of one column of the first track in the page.
  private func column(_ name: String, in page: String) -> [Substring]? {
    guard let key = page.firstRange(of: "\"\(name)\":[") else { return nil }
    let rest = page[key.upperBound...]
    guard let end = rest.firstIndex(of: "]") else { return nil }
    return rest[..<end].split(separator: ",")
  }

  private func occurrences(of text: String, in page: String) -> Int { page.ranges(of: text).count }

  @Test func textCannotBecomeMarkup() {
    let attack = "</script><script>alert(1)</script><img src=x onerror=\"a()\">'&"
    var report = drive(attack)
    report.kind = attack
    report.place = attack
    report.notes = [attack]
    let page = HTMLReport.render([report, report])
    #expect(!page.contains("<script>alert"))
    #expect(!page.contains("<img"))
    #expect(!page.contains("\"a()\""))
    #expect(
      page.contains(
        "&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=&quot;a()&quot;&gt;&#39;&amp;"))
  }

  @Test func pageRefersToNothingOutside() {
    let page = HTMLReport.render([drive(), drive("other")])
    for reference in ["http:", "https:", "//cdn", "@import", "url(", " src=", "fetch(", "XMLHttpRequest"] {
      #expect(!page.contains(reference), "\(reference)")
    }
    #expect(page.contains("default-src 'none'"))
  }

  @Test func elementsAreBalanced() {
    let pages = [[], [drive()], [drive(), drive("other"), drive("third")]].map(HTMLReport.render)
    let names = [
      "html", "head", "body", "style", "main", "section", "div", "table", "tr", "td", "th", "h2", "p", "dl",
      "i",
    ]
    for page in pages {
      for name in names {
        let opened = occurrences(of: "<\(name)>", in: page) + occurrences(of: "<\(name) ", in: page)
        #expect(opened == occurrences(of: "</\(name)>", in: page), "\(name)")
      }
      #expect(occurrences(of: "<script", in: page) == occurrences(of: "</script>", in: page))
      #expect(page.hasPrefix("<!doctype html>"))
    }
  }

  @Test func tracksAreDifferencesInMillisecondsAndCentimetres() throws {
    let page = HTMLReport.render([drive(points: 3)])
    #expect(try #require(column("t", in: page)) == ["0", "100", "100"])
    // 1e-5° of latitude at 48° N is 1.1119 m (meridian radius 6,370.7 km): 111 cm, then 222 − 111.
    #expect(try #require(column("y", in: page)) == ["0", "111", "111"])
    #expect(try #require(column("x", in: page)) == ["0", "0", "0"])
    #expect(try #require(column("a", in: page)) == ["150", "0", "0"])
    #expect(try #require(column("e", in: page)) == ["75", "0", "0"])
  }

  @Test func unknownValuesAreNullAndUnknownColumnsAreLeftOut() throws {
    var report = drive(points: 3)
    report.tracks = [report.tracks[1]]
    report.tracks[0].points[1].horizontalError = nil
    for i in 0..<3 { report.tracks[0].points[i].radius68 = nil }
    let page = HTMLReport.render([report])
    #expect(try #require(column("e", in: page)) == ["75", "null", "0"])
    #expect(column("a", in: page) == nil)
  }

  @Test func nonFiniteNumbersNeverReachThePage() throws {
    var report = drive(points: 5)
    report.duration = .nan
    report.distance = .infinity
    for t in report.tracks.indices {
      report.tracks[t].points[1].latitudeDegrees = .nan
      report.tracks[t].points[2].time = .infinity
      report.tracks[t].points[3].horizontalError = .nan
      report.tracks[t].points[3].radius68 = -.infinity
    }
    (report.scores[1].p50, report.scores[1].coverage68, report.scores[0].max) = (.nan, .infinity, 1e300)
    report.outages[0].p95 = .infinity
    report.outages[0].length = .nan
    let page = HTMLReport.render([report, drive("other")])
    let shown = page.replacing(/<script>[\s\S]*?<\/script>/, with: "").replacing(
      /<style>[\s\S]*?<\/style>/, with: "")
    for text in ["nan", "NaN", "inf", "Inf", "e+"] { #expect(!shown.contains(text), "\(text)") }
    #expect(try #require(column("t", in: page)) == ["0", "300", "100"])
    #expect(try #require(column("e", in: page)) == ["75", "null", "0"])
    #expect(page.contains("6 points without a finite time or position are not drawn."))
  }

  @Test func headlineSaysHowMuchCloser() {
    let page = HTMLReport.render([drive()])
    #expect(page.contains("2.4× closer"))
    #expect(page.contains("2.0× closer"))
    #expect(page.contains("1.1× further off"))
    #expect(page.contains("95.1 %"))
  }

  /// Being closer to a truth that was made of the fixes is no merit, nor farther from it a fault.
  @Test func aTruthOfTheFixesGivesNoGain() {
    var report = drive()
    report.isTruthOfTheFixes = true
    let page = HTMLReport.render([report])
    #expect(!page.contains("class=\"badge") && page.contains("was made of the same fixes"))
    let several = HTMLReport.render([report, drive("two")])
    #expect(
      occurrences(of: "class=\"badge", in: several) == 2
        * occurrences(of: "class=\"badge", in: HTMLReport.render([drive()])) - 1)
    #expect(!HTMLReport.render([drive()]).contains("was made of the same fixes"))
  }

  @Test func missingFiguresAreDashes() {
    var report = drive()
    report.scores = [ReportScore(role: .causal)]
    report.outages = [ReportOutage(length: 12.5, count: 0)]
    let page = HTMLReport.render([report])
    #expect(!page.contains("class=\"badge"))
    #expect(
      page.contains("<tr><th scope=\"row\">12.5 s</th><td>0</td>" + String(repeating: "<td>–</td>", count: 5))
    )
    #expect(page.contains("Fused</th>" + String(repeating: "<td>–</td>", count: 12)))
  }

  @Test func emptyDriveStillMakesAPage() {
    let page = HTMLReport.render([
      DriveReport(name: "empty", kind: "real", place: "", duration: 0, distance: 0)
    ])
    #expect(!page.contains("<canvas"))
    #expect(!page.contains("<table>"))
    #expect(page.contains("{\"tracks\":[]}"))
    #expect(HTMLReport.render([]).contains("No drive was evaluated."))
  }

  @Test func severalDrivesGetATabEachAndAComparison() {
    let page = HTMLReport.render([drive("one"), drive("two"), drive("three")])
    #expect(occurrences(of: "role=\"tab\"", in: page) == 4)
    #expect(occurrences(of: "role=\"tabpanel\"", in: page) == 4)
    // In the table of errors, and in that of outages.
    #expect(occurrences(of: "href=\"#drive=", in: page) == 6)
    #expect(occurrences(of: "class=\"data\"", in: page) == 3)
    #expect(occurrences(of: "role=\"tab\"", in: HTMLReport.render([drive()])) == 0)
  }

  @Test func twentyMinutesAtAHundredHertzStayUnderThreeMegabytes() {
    var report = drive(points: 0)
    report.duration = 1200
    let points = (0..<120_000).map { i in
      let wobble = Double((i * 7919) % 1009) / 1009
      var point = ReportPoint(
        time: Double(i) / 100, latitudeDegrees: 48 + Double(i) * 1e-6 + wobble * 1e-5,
        longitudeDegrees: 11 - wobble * 1e-5)
      (point.radius68, point.radius95) = (1 + wobble, 2 + wobble)
      (point.courseDegrees, point.speed, point.horizontalError) = (wobble * 360, 10 + wobble, wobble)
      return point
    }
    report.tracks = [.gnss, .causal, .fixedLag, .full, .truth].map { ReportTrack(role: $0, points: points) }
    #expect(HTMLReport.render([report]).utf8.count < 3_000_000)
  }

  @Test func sameReportGivesSamePage() {
    #expect(HTMLReport.render([drive(), drive("two")]) == HTMLReport.render([drive(), drive("two")]))
  }
}
