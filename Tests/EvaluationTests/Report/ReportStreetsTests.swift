import Evaluation
import Foundation
import Navigation
import Streets
import TestParts
import Testing

/// Streets under the tracks of a report.
@Suite(.serialized) struct ReportStreetsTests {
  private static let town = MadeStreets(latitude: 48.004, longitude: 11)

  /// 900 m to the north-east through the town.
  private static let report: DriveReport = {
    var report = DriveReport(name: "town", kind: "simulated", place: "a town", duration: 90, distance: 900)
    let points = (0..<900).map { i in
      var point = ReportPoint(
        time: Double(i) / 10, latitudeDegrees: 48 + Double(i) * 8e-6, longitudeDegrees: 11 + Double(i) * 1e-6)
      (point.radius68, point.radius95, point.courseDegrees, point.speed) = (3, 5, 5, 10)
      return point
    }
    report.tracks = [.gnss, .causal].map { ReportTrack(role: $0, points: points) }
    return report
  }()

  private func file(_ bytes: [UInt8]) throws -> StreetFile {
    let scratch = ScratchFolder()
    try scratch.put("town.pmtiles", bytes)
    return try StreetFile(path: scratch("town.pmtiles"))
  }

  private func report(_ bytes: [UInt8], most: Int = ReportStreets.most) throws -> DriveReport {
    var report = Self.report
    report.streets = try ReportStreets(file(bytes), along: report.tracks, most: most)
    return report
  }

  @Test func aPageCarriesTheTilesAlongItsTracksAndSaysWhoseTheyAre() throws {
    let page = HTMLReport.render([try report(Self.town.file(8...15))])
    #expect(page.contains("<p class=\"credit\">Streets: © OpenStreetMap</p>"))
    #expect(page.contains("class=\"streets\">{\"from\":") && page.contains("\"isPacked\":true"))
    let tiles = page.matches(of: /"15\/\d+\/\d+":"/).count
    #expect(tiles > 3 && tiles < 30, "\(tiles)")
    for word in ["https://", "src=", "url("] { #expect(!page.contains(word), "\(word)") }
    // Where a page has no streets it does not say where on the globe its tracks are either.
    let bare = HTMLReport.render([Self.report])
    #expect(
      !bare.contains("class=\"streets\"") && !bare.contains("\"origin\"")
        && !bare.contains("class=\"credit\""))
  }

  @Test func whatWouldBeTooMuchIsLeftOutFromTheFinestOn() throws {
    let whole = HTMLReport.render([try report(Self.town.file(8...15))])
    // One byte less than all, four digits for three of them.
    let all = whole.matches(of: /"\d+\/\d+\/\d+":"([^"]+)"/).reduce(0) { sum, match in
      sum + match.1.utf8.count / 4 * 3 - match.1.suffix(2).count { $0 == "=" }
    }
    let coarse = HTMLReport.render([try report(Self.town.file(8...15), most: all - 1)])
    #expect(coarse.utf8.count < whole.utf8.count && !coarse.contains("\"15/"))
    #expect(coarse.contains("finer ones would make the page too large"))
    #expect(try report(Self.town.file(8...15), most: 10).streets?.isTooMuch == true)
    #expect(try report(MadeStreets(latitude: -40, longitude: 3).file(8...15)).streets == nil)
    #expect(try report(Self.town.file(15...15)).streets != nil)
  }

  /// The map on paper and in files, which needs no script.
  @Test func theMapThatStandsStillHasStreetsToo() throws {
    let report = try report(Self.town.file(8...15))
    let map = try #require(ReportFigures(report).files.first { $0.name == "map.svg" }?.text)
    for kind in ["green", "minor", "medium", "major", "major tunnel", "path"] {
      #expect(map.contains("<path class=\"ground \(kind)\" d=\"M"), "\(kind)")
    }
    #expect(map.contains(">Streets: © OpenStreetMap</text>"))
    #expect(map.contains("left out: houses, names.</desc>"))
    // Beneath the tracks, and no more than the map is wide.
    let ground = try #require(map.range(of: "class=\"grounds\""))
    let track = try #require(map.range(of: "class=\"line causal"))
    #expect(
      ground.lowerBound < track.lowerBound
        && map.contains("<svg class=\"grounds\" width=\"360\" height=\"300\">"))
    // What is beyond the edges is not in the file.
    #expect(!map.contains("ground water") && !map.contains("ground motorway"))
    #expect(HTMLReport.render([report]).contains("class=\"ground medium\""))
    let bare = try #require(ReportFigures(Self.report).files.first { $0.name == "map.svg" }?.text)
    #expect(!bare.contains("<path class=\"ground") && !bare.contains("Streets:"))
  }

  /// Where the road of the track lies is where the street of the map is drawn: both by
  /// their places on the globe.
  @Test func streetsLieWhereTheTracksAre() throws {
    var report = Self.report
    // Along the column of the town that leads through its middle.
    report.tracks = [
      ReportTrack(
        role: .causal,
        points: (-800...800).map {
          .init(time: Double($0) / 10, latitudeDegrees: 48.004 + Double($0) * 1e-5, longitudeDegrees: 11)
        })
    ]
    report.streets = try ReportStreets(file(Self.town.file(8...15)), along: report.tracks)
    let map = try #require(ReportFigures(report).files.first { $0.name == "map.svg" }?.text)
    let track = try #require(map.firstMatch(of: /line causal" d="M([\d.]+) ([\d.]+)L/))
    let x = try #require(Double(track.1))
    // Its blocks are drawn as medium streets, from north to south.
    let ground = try #require(map.firstMatch(of: /ground medium" d="([^"]+)"/)).1
    let near = ground.matches(of: /M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)/).filter { line in
      [line.1, line.3].allSatisfy { abs((Double($0) ?? -99) - x) < 0.25 }
    }
    #expect(near.count >= 6, "\(near.count) of \(ground.prefix(300))")
  }

  @Test func whatIsTooMuchForTheStillMapIsLeftOutAndSaid() throws {
    let streets = try #require(try report(Self.town.file(8...15)).streets)
    let origin = GeodeticPosition(latitudeDegrees: 48.004, longitudeDegrees: 11, height: 0)
    func drawing(_ most: Int) -> StreetDrawing {
      StreetDrawing(
        streets,
        in: .init(
          width: 360, height: 300, origin: origin, scale: 0.2,
          place: { north, east in (180 + east * 0.2, 150 - north * 0.2) }), most: most)
    }
    let whole = drawing(1 << 20)
    #expect(whole.summary.hasSuffix("left out: houses, names."))
    let size = whole.content.matches(of: /d="(M[^"]+)"/).reduce(0) { $0 + $1.1.utf8.count }
    let less = drawing(size - 1)
    #expect(
      less.summary.hasSuffix("left out: houses, names, paths.") && !less.content.contains("ground path"))
    #expect(less.content.contains("Streets: © OpenStreetMap, without paths</text>"))
    #expect(less.content.contains("ground minor"))
    for most in [0, 10, 1000, 5000] {
      let content = drawing(most).content
      #expect(content.matches(of: /d="(M[^"]+)"/).reduce(0) { $0 + $1.1.utf8.count } <= most)
    }
  }

  @Test func tracksWithoutPlacesOrAroundTheGlobeAreNoTrouble() throws {
    let file = try file(Self.town.file(8...15))
    for (latitude, longitude) in [(Double.nan, 11.0), (89.9, 0), (48, .infinity), (48, 400)] {
      let track = ReportTrack(
        role: .causal, points: [.init(time: 0, latitudeDegrees: latitude, longitudeDegrees: longitude)])
      #expect(try ReportStreets(file, along: [track]) == nil)
    }
    let places = [(48.0, -179.9), (48.0, 179.9), (-48.0, 0)]
    let wide = ReportTrack(
      role: .causal, points: places.map { .init(time: 0, latitudeDegrees: $0.0, longitudeDegrees: $0.1) })
    #expect(try ReportStreets(file, along: [wide]) == nil)
    #expect(try ReportStreets(file, along: []) == nil)
  }

  @Test(
    .enabled(if: Browser.isThere, "there is no headless Chromium"), arguments: [390, 768, 1280],
    [true, false])
  func streetsAreDrawnUnderTheTrack(width: Int, isPacked: Bool) throws {
    let page = HTMLReport.render([try report(Self.town.file(8...15, isPacked: isPacked))])
    let answer = try Browser.ask(
      page,
      """
      const map = document.querySelector('.map'), style = getComputedStyle(document.documentElement);
      const share = name => { const pixels = map.getContext('2d').getImageData(0, 0, map.width, map.height).data;
        const [r, g, b] = style.getPropertyValue('--' + name).trim().match(/[0-9a-f]{2}/g).map(h => parseInt(h, 16));
        let count = 0; for (let i = 0; i < pixels.length; i += 4) if (pixels[i] === r && pixels[i + 1] === g && pixels[i + 2] === b) count++;
        return count / (pixels.length / 4); };
      const drawn = { house: share('house'), green: share('green'), road: share('road') + share('main'), track: share('causal') };
      const button = [...document.querySelectorAll('.layers button')].find(b => b.textContent === 'Streets');
      button.click();
      return { ...drawn, without: share('house'), pressed: button.getAttribute('aria-pressed'), credit: document.querySelector('.credit').title,
        wide: document.documentElement.scrollWidth };
      """, width: width, drawsAtOnce: true)
    #expect((answer["mishaps"] as? [String]) == [] && answer["failed"] == nil, "\(answer)")
    for name in ["house", "green", "road"] {
      #expect(answer[name] as? Double ?? 0 > 0.002, "\(name): \(answer)")
    }
    #expect(answer["track"] as? Double ?? 0 > 0.001 && answer["credit"] as? String == "", "\(answer)")
    #expect(answer["without"] as? Double == 0 && answer["pressed"] as? String == "false", "\(answer)")
    #expect(answer["wide"] as? Int ?? .max <= width)
  }

  @Test(.enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"))
  func theCommandPutsThemIntoItsPage() throws {
    let made = TrackMade()
    let drive = made("drive")
    #expect(try Tool.run(["simulate", "ideal", "--output", drive]).status == 0)
    let truth = try String(contentsOfFile: drive + "/truth.csv", encoding: .utf8)
    let cells = try #require(truth.split(separator: "\n").dropFirst().first).split(separator: ",").compactMap
    { Double($0) }
    let (town, bad) = (made("town.pmtiles"), made("bad.pmtiles"))
    try Data(MadeStreets(latitude: cells[1], longitude: cells[2]).file(10...15)).write(
      to: URL(filePath: town))
    try Data("PMTiles".utf8).write(to: URL(filePath: bad))
    let run = try Tool.run(["evaluate", drive, "--report", made("page.html"), "--streets", town])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try String(contentsOfFile: made("page.html"), encoding: .utf8).contains("class=\"streets\""))
    let drawn = try Tool.run(["evaluate", drive, "--figures", made("figures"), "--streets", town])
    #expect(drawn.status == 0, "\(drawn.errors)")
    #expect(try String(contentsOfFile: made("figures/map.svg"), encoding: .utf8).contains("ground minor"))
    for (arguments, words) in [
      (["--streets", town], "--report"),
      (["--report", made("b.html"), "--streets", bad], "cut off within its header"),
      (["--report", made("b.html"), "--streets", "/nowhere"], "cannot be opened"),
    ] {
      let run = try Tool.run(["evaluate", drive] + arguments)
      #expect(run.status == 2 && run.errors.contains(words), "\(run.errors)")
    }
  }
}
