import CLibrary
import Drives

/// The sky from below, north up: the way of each satellite, and a dot where it stood last.
enum SkyPlot {
  /// What is known of one satellite.
  private struct Satellite {
    var constellation: UInt8
    var number: Int16
    var seen = 0
    var used: Int?
    var strengths: [Double] = []
    var path: [(elevation: Double, azimuth: Double)] = []

    /// As RINEX names it.
    var name: String { "\(SkyPlot.family(constellation).letter)\(number < 10 ? "0" : "")\(number)" }
    var isUsed: Bool { used ?? 1 > 0 }
    var strength: Double? {
      strengths.isEmpty ? nil : strengths.reduce(0, +) / Double(strengths.count)
    }
  }

  private static let centre = (x: 180.0, y: 158.0)
  private static let radius = 132.0
  private static let height = 326.0
  /// Points of one way at most.
  private static let most = 120

  static func figure(_ sky: [SatelliteSample]) -> ReportFigure? {
    let satellites = satellites(sky)
    let placed = satellites.filter { !$0.path.isEmpty }
    guard !placed.isEmpty else { return nil }
    let used = satellites.count { $0.used ?? 0 > 0 }
    return ReportFigure(
      "sky", "The sky",
      summary: "\(FigureData.counted(satellites.count, "satellite was", "satellites were")) seen, "
        + (satellites.contains { $0.used != nil }
          ? "\(used) used at some time." : "it is not said which were used."),
      note:
        "From below, north up, the horizon outside. A larger dot is a stronger satellite; a pale one was never used.",
      table: (
        ["", "Elevation, °", "Azimuth at last, °", "Mean C/N0, dB-Hz", "Used, %"], satellites.map(row)
      ), content: grid + placed.map(drawn).joined() + names(placed) + legend(placed), height: height)
  }

  private static func satellites(_ sky: [SatelliteSample]) -> [Satellite] {
    var all: [Int: Satellite] = [:]
    for sample in sky {
      let key = Int(sample.constellation) << 16 | Int(UInt16(bitPattern: sample.number))
      var one = all[key] ?? Satellite(constellation: sample.constellation, number: sample.number)
      one.seen += 1
      if let isUsed = sample.isUsed { one.used = (one.used ?? 0) + (isUsed ? 1 : 0) }
      if let strength = sample.strength, strength > 0 { one.strengths.append(strength) }
      if let elevation = sample.elevationDegrees, let azimuth = sample.azimuthDegrees, elevation >= 0,
        // Receivers say 0 and 0 of a satellite whose orbit they do not know yet.
        elevation > 0 || azimuth > 0
      {
        one.path.append((elevation, azimuth))
      }
      all[key] = one
    }
    return all.sorted { $0.key < $1.key }.map(\.value)
  }

  private static func row(_ one: Satellite) -> [String] {
    let elevations = one.path.map(\.elevation)
    let range = elevations.min().flatMap { low in
      elevations.max().map { ReportText.fixed(low, digits: 0) + " to " + ReportText.fixed($0, digits: 0) }
    }
    let share = one.used.map { ReportText.fixed(100 * Double($0) / Double(one.seen), digits: 0) }
    return [
      one.name, range ?? ReportText.missing,
      one.path.last.map { ReportText.fixed($0.azimuth, digits: 0) } ?? ReportText.missing,
      FigureNumber.figure(one.strength), share ?? ReportText.missing,
    ]
  }

  /// Its letter in RINEX, its name, and the style of its lines.
  private static func family(_ constellation: UInt8) -> (letter: String, name: String, style: String) {
    switch constellation {
    case 0: ("G", "GPS", "c1")
    case 1: ("S", "SBAS", "truth")
    case 2: ("E", "Galileo", "c3")
    case 3: ("C", "BeiDou", "bad")
    case 5: ("J", "QZSS", "fixedLag")
    case 6: ("R", "GLONASS", "c2")
    case 7: ("I", "NavIC", "receiver")
    default: ("X", "other", "receiver")
    }
  }

  private static func place(_ elevation: Double, _ azimuth: Double) -> (x: Double, y: Double) {
    let reach = radius * (90 - min(90, elevation)) / 90
    return (centre.x + reach * sin(azimuth * .pi / 180), centre.y - reach * cos(azimuth * .pi / 180))
  }

  private static func text(_ place: (x: Double, y: Double)) -> String {
    "\(FigureNumber.coordinate(place.x)) \(FigureNumber.coordinate(place.y))"
  }

  private static var grid: String {
    var marks = ""
    let (x, y) = (FigureNumber.coordinate(centre.x), FigureNumber.coordinate(centre.y))
    for elevation in [0.0, 30, 60] {
      let reach = radius * (90 - elevation) / 90
      let r = FigureNumber.coordinate(reach)
      // A circle as a path, which the style has a class for.
      marks +=
        "<path class=\"grid\" d=\"M\(x) \(y)m-\(r) 0a\(r) \(r) 0 1 0 \(FigureNumber.coordinate(2 * reach)) 0"
      marks += "a\(r) \(r) 0 1 0 -\(FigureNumber.coordinate(2 * reach)) 0\"/>"
      marks += SVG.text("\(Int(elevation))°", centre.x + 3, centre.y - reach + 11)
    }
    for (name, azimuth) in [("N", 0.0), ("E", 90), ("S", 180), ("W", 270)] {
      marks += "<path class=\"grid\" d=\"M\(x) \(y)L\(text(place(0, azimuth)))\"/>"
      let outside = centre.y - (radius + 10) * cos(azimuth * .pi / 180) + 3.5
      let beside = centre.x + (radius + 12) * sin(azimuth * .pi / 180)
      marks += SVG.text(name, beside, outside, anchor: "middle")
    }
    return marks
  }

  private static func drawn(_ one: Satellite) -> String {
    guard let last = one.path.last else { return "" }
    let style = family(one.constellation).style
    let step = max(1, one.path.count / most)
    let places = stride(from: 0, to: one.path.count, by: step).map { one.path[$0] } + [last]
    var before = ""
    let way = places.compactMap { point -> String? in
      let at = text(place(point.elevation, point.azimuth))
      defer { before = at }
      return before == at ? nil : at
    }
    let at = text(place(last.elevation, last.azimuth))
    let size = FigureNumber.coordinate(min(10, max(3, 3 + ((one.strength ?? 20) - 20) / 4)))
    let pale = one.isUsed ? "" : " stroke-opacity=\".4\""
    return "<path class=\"line \(style)\"\(pale) d=\"M\(way.joined(separator: "L"))\"/>"
      + "<path class=\"dots \(style)\"\(pale) stroke-width=\"\(size)\" d=\"M\(at)h0\"/>\n"
  }

  /// Names beside the dots: to the right, or where another name is, to the left, above or below.
  private static func names(_ satellites: [Satellite]) -> String {
    var taken: [(x: Double, y: Double)] = []
    let sides: [(x: Double, y: Double)] = [(20, 3.5), (-20, 3.5), (0, -7), (0, 14), (20, -7), (-20, 14)]
    return satellites.compactMap { one -> String? in
      guard let last = one.path.last else { return nil }
      let dot = place(last.elevation, last.azimuth)
      let places = sides.map { (x: dot.x + $0.x, y: dot.y + $0.y) }
      let free = places.first { place in
        !taken.contains { abs($0.x - place.x) < 27 && abs($0.y - place.y) < 10 }
      }
      let at = free ?? places[0]
      taken.append(at)
      return SVG.text(one.name, at.x, at.y, anchor: "middle", style: "name")
    }.joined()
  }

  private static func legend(_ satellites: [Satellite]) -> String {
    var x = 10.0
    var text = ""
    for constellation in Set(satellites.map(\.constellation)).sorted() {
      let family = family(constellation)
      text += SVG.dot(family.style, x + 4, height - 12) + SVG.text(family.name, x + 12, height - 8)
      x += 22 + 6 * Double(family.name.count)
    }
    return text
  }
}
