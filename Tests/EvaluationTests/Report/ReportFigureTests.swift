import Drives
import Evaluation
import Foundation
import Fusion
import Simulation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct ReportFigureTests {
  /// A simulated drive with everything that figures show.
  static let report: DriveReport = {
    var settings = EvaluationSettings()
    settings.keepsTracks = true
    settings.outageLengths = [10]
    let drive = Simulator(scenario: .ideal, seed: 1).run()
    var description = drive.description
    description.name = "straight & narrow"
    return DriveReport(
      DriveEvaluator(settings: settings).evaluate(
        description: description, samples: drive.samples, truth: drive.truth))
  }()

  /// Twelve satellites once a second, of two constellations; the last is never used.
  static let sky = (0..<60).flatMap { second in
    (1...12).map { (number: Int) -> SatelliteSample in
      var sample = SatelliteSample(
        time: Timestamp(seconds: Double(second)), constellation: number > 6 ? 2 : 0, number: Int16(number))
      sample.elevationDegrees = Double(7 * number)
      sample.azimuthDegrees = Double(30 * number) + Double(second) / 60
      sample.strength = number == 12 ? nil : 30 + Double(number)
      sample.isUsed = number < 12
      return sample
    }
  }

  @Test func theSkyIsShownWhereItIsKnown() throws {
    var report = Self.report
    #expect(!ReportFigures(report).files.contains { $0.name.hasPrefix("sky") })
    report.diagnostics?.sky = Self.sky
    let files = ReportFigures(report).files
    for name in ["sky", "sky-strength", "sky-count"] {
      let file = try #require(files.first { $0.name == "\(name).svg" })
      #expect(XMLParser(data: Data(file.text.utf8)).parse(), "\(name)")
    }
    let plot = try #require(files.first { $0.name == "sky.svg" }).text
    for name in ["G01", "E12", "GPS", "Galileo", "12 satellites were seen, 11 used"] {
      #expect(plot.contains(name))
    }
    #expect(plot.ranges(of: "stroke-opacity=\".4\"").count == 2, "the way and the dot of the one never used")
    let page = HTMLReport.render([report])
    #expect(page.contains("the median is 36.0 dB-Hz") && page.contains("On average 12.0 in view, 11.0 used"))
  }

  private final class Reader: NSObject, XMLParserDelegate {
    var names: [String: Int] = [:]
    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) { names[name, default: 0] += 1 }
  }

  @Test func everyFileIsWellFormedAndSaysWhatItShows() throws {
    let files = ReportFigures(Self.report).files
    #expect(Set(files.map(\.name)).count == files.count)
    for name in [
      "map", "error", "distribution", "reliability", "stanford", "error-along", "error-across",
      "error-height",
      "error-speed", "error-heading", "nees", "innovation-gnss-position", "fix-north", "latency", "outages",
      "gyro-bias",
      "mounting",
    ] { #expect(files.contains { $0.name == "\(name).svg" }, "\(name)") }
    for file in files {
      let parser = XMLParser(data: Data(file.text.utf8))
      let reader = Reader()
      parser.delegate = reader
      #expect(parser.parse(), "\(file.name): \(String(describing: parser.parserError))")
      #expect(reader.names["title"] == 1 && reader.names["desc"] == 1 && reader.names["style"] == 1)
      for word in ["nan", "inf", "e+"] { #expect(!file.text.contains(word), "\(file.name) \(word)") }
    }
  }

  @Test func figuresOfThePageHaveWordsAndNumbersBesideThem() {
    let page = HTMLReport.render([Self.report])
    let figures = page.ranges(of: "<figure ").count
    #expect(figures == ReportFigures(Self.report).files.count)
    #expect(page.ranges(of: "role=\"img\" aria-label=\"").count == figures)
    #expect(page.ranges(of: "<summary>Numbers").count == figures)
  }

  @Test func aFigureWithNothingToShowIsLeftOut() {
    var report = Self.report
    report.diagnostics = nil
    let names = ReportFigures(report).files.map(\.name)
    #expect(names.contains("distribution.svg") && !names.contains { $0.hasPrefix("innovation") })
    report.tracks = []
    #expect(ReportFigures(report).files.isEmpty)
  }

  @Test func drivesOfOneNameGetFoldersOfTheirOwn() {
    var other = Self.report
    other.name = "../.."
    let paths = FigureFolder.files([Self.report, Self.report, other]).map(\.path)
    #expect(Set(paths).count == paths.count)
    #expect(paths.contains("straight---narrow/map.svg") && paths.contains("straight---narrow-2/map.svg"))
    #expect(paths.contains("..-../map.svg") && !paths.contains { $0.hasPrefix("../") })
    #expect(FigureFolder.files([Self.report]).map(\.path).contains("map.svg"))
  }

  /// The zigzag of ±1 m of the fixes of a car that drives north is across its track.
  @Test func errorsAreTakenApartAlongTheTrueDirection() throws {
    let truth = Made.truth(5, yaw: 0)
    var solution = Made.solution(5, at: truth.position.moved(byNED: Vector3(2, -3, 4)), yaw: 0.1)
    solution.positionCovariance = Matrix3(diagonal: Vector3(9, 16, 25))
    let moment = ErrorMoment(solution, truth: truth)
    let (along, across, height) = (
      try #require(moment.along), try #require(moment.across), try #require(moment.height)
    )
    let heading = try #require(moment.heading).error
    let nees = try #require(moment.nees)
    let found: [Double] = [
      along.error, along.sigma, across.error, across.sigma, height.error, height.sigma, heading, nees,
    ]
    let expected: [Double] = [2, 3, -3, 4, -4, 5, 18 / Double.pi, (4.0 / 9 + 9.0 / 16) / 2]
    for (value, other) in zip(found, expected) { #expect(abs(value - other) < 1e-5, "\(value) \(other)") }
  }

  /// The fixes of the drive on rails are off by white noise alone: what is left is theirs and the engine's.
  @Test func fixesAreHeldAgainstWhatWasPredicted() throws {
    let fixes = try #require(Self.report.diagnostics).fixes.dropFirst(100)
    #expect(fixes.count > 100 && fixes.allSatisfy { $0.fate != .rejected })
    let squares = fixes.map { $0.north * $0.north / ($0.sigma.x * $0.sigma.x) }
    let mean = squares.reduce(0, +) / Double(squares.count)
    #expect(mean > 0.1 && mean < 2, "\(mean)")
  }

  @Test func outageTracesEndWhereTheStudyScores() throws {
    let outages = try #require(Self.report.diagnostics).outages
    #expect(outages.count == Self.report.outages[0].count)
    let ends = outages.map { $0.errors[$0.errors.count - 1] }
    #expect(abs((ends.max() ?? 0) - (Self.report.outages[0].max ?? -1)) < 1e-9)
    #expect(outages.allSatisfy { $0.errors.count == 21 && $0.radii95.count == 21 })
  }
}
