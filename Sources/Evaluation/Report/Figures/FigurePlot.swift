/// Draws one figure as SVG, in user units of about a CSS pixel, with classes for its colours.
struct FigurePlot {
  /// How a line is drawn; the style sheet has a colour for each.
  struct Line {
    /// Its class: a role of a track, or `c1` to `c3` for the components of a vector.
    var style: String
    /// What the legend calls it; nil for none.
    var name: String?
    /// Whether it is broken.
    var isDashed = false
    /// What the legend shows of it.
    fileprivate var sign = Sign.line
    fileprivate enum Sign { case line, dot, cross, area }

    init(_ style: String, _ name: String? = nil, isDashed: Bool = false) {
      self.style = style
      self.name = name
      self.isDashed = isDashed
    }
  }

  static let width = 360.0
  static let height = 242.0
  /// Twice what the figure has room for, so that there is something to see in a stretch of it.
  private static let columns = 520
  let left = 46.0
  let top = 36.0
  let right = 350.0
  let bottom = 208.0

  let x: FigureAxis
  let y: FigureAxis
  private var body = ""
  private var legend: [Line] = []

  init(x: FigureAxis, y: FigureAxis) {
    self.x = x
    self.y = y
  }

  /// Where a value of either axis lies, in user units.
  private func across(_ value: Double) -> Double { left + x.place(value) * (right - left) }
  private func down(_ value: Double) -> Double { bottom - y.place(value) * (bottom - top) }
  private func px(_ value: Double) -> String { FigureNumber.coordinate(across(value)) }
  private func py(_ value: Double) -> String { FigureNumber.coordinate(down(value)) }

  mutating func add(_ curve: FigureCurve, _ line: Line) {
    let path = curve.stretches(x, columns: Self.columns).map { stretch in
      var last = ""
      return "M"
        + stretch.compactMap { point in
          let place = "\(px(point.x)) \(py(point.y))"
          defer { last = place }
          return place == last ? nil : place
        }.joined(separator: "L")
    }.joined()
    guard !path.isEmpty else { return }
    body += "<path class=\"line \(line.style)\(line.isDashed ? " dashed" : "")\" d=\"\(path)\"/>\n"
    mark(line)
  }

  /// The area between two curves over the same places.
  mutating func addBand(low: FigureCurve, high: FigureCurve, _ line: Line) {
    let (below, above) = (
      low.stretches(x, columns: Self.columns / 2), high.stretches(x, columns: Self.columns / 2)
    )
    guard below.count == above.count, !below.isEmpty else { return }
    let path = zip(below, above).map { below, above in
      let points = above + below.reversed()
      return "M" + points.map { "\(px($0.x)) \(py($0.y))" }.joined(separator: "L") + "Z"
    }.joined()
    body += "<path class=\"band \(line.style)\" d=\"\(path)\"/>\n"
    mark(line, .area)
  }

  /// Dots, no two at the same place.
  mutating func addDots(_ points: [(x: Double, y: Double)], _ line: Line, radius: Double = 1.3) {
    var seen: Set<String> = []
    // A line of no length with round ends is a dot, in a third of the bytes of a circle.
    let path = points.compactMap { point -> String? in
      guard point.x.isFinite, point.y.isFinite, point.x >= x.low, point.x <= x.high else { return nil }
      let place = "\(coarse(across(point.x))) \(py(point.y))"
      return seen.insert(place).inserted ? "M\(place)h0" : nil
    }.joined()
    guard !path.isEmpty else { return }
    body +=
      "<path class=\"dots \(line.style)\" stroke-width=\"\(FigureNumber.coordinate(2 * radius))\" d=\"\(path)\"/>\n"
    mark(line, .dot)
  }

  /// Crosses, no two at the same place.
  mutating func addCrosses(_ points: [(x: Double, y: Double)], _ line: Line) {
    var seen: Set<String> = []
    let path = points.compactMap { point -> String? in
      guard point.x.isFinite, point.y.isFinite, point.x >= x.low, point.x <= x.high else { return nil }
      let (a, b) = (coarse(across(point.x)), coarse(down(point.y)))
      return seen.insert("\(a) \(b)").inserted ? "M\(a) \(b)m-2.5-2.5l5 5m0-5l-5 5" : nil
    }.joined()
    guard !path.isEmpty else { return }
    body += "<path class=\"line \(line.style)\" d=\"\(path)\"/>\n"
    mark(line, .cross)
  }

  /// A line across the figure at `value`.
  mutating func addLevel(_ value: Double, _ line: Line) {
    guard value >= y.low, value <= y.high else { return }
    body +=
      "<path class=\"line \(line.style)\(line.isDashed ? " dashed" : "")\" d=\"M\(px(x.low)) \(py(value))H\(px(x.high))\"/>\n"
    mark(line)
  }

  /// A rectangle of the plane, in the values of the axes.
  mutating func addCell(
    x low: Double, _ high: Double, y from: Double, _ to: Double, opacity: Double, _ style: String
  ) {
    let (a, b, c, d) = (across(low), across(high), down(from), down(to))
    let text = [a, d, b - a, c - d].map(FigureNumber.coordinate)
    body += """
      <rect class="cell \(style)" x="\(text[0])" y="\(text[1])" width="\(text[2])" height="\(text[3])" \
      fill-opacity="\(ReportText.fixed(opacity, digits: 2))"/>

      """
  }

  /// Words at a place from 0 to 1 of either axis.
  mutating func addText(_ text: String, x: Double, y: Double, anchor: String = "start") {
    let (a, b) = (left + x * (right - left), bottom - y * (bottom - top))
    body += SVG.text(text, a, b, anchor: anchor, style: "said")
  }

  private func coarse(_ value: Double) -> String { FigureNumber.coordinate((value * 2).rounded() / 2) }

  private mutating func mark(_ line: Line, _ sign: Line.Sign = .line) {
    guard let name = line.name, !legend.contains(where: { $0.name == name }) else { return }
    var line = line
    line.sign = sign
    legend.append(line)
  }

  /// The elements inside of the `svg`.
  var content: String { grid + "<g class=\"plot\">\n" + body + "</g>\n" + key }

  private var grid: String {
    var text = ""
    for tick in y.ticks {
      text += "<path class=\"grid\" d=\"M\(px(x.low)) \(py(tick.value))H\(px(x.high))\"/>"
      text += SVG.text(tick.label, left - 5, down(tick.value) + 3.5, anchor: "end")
    }
    text += "<g class=\"marks\">"
    for tick in x.ticks {
      text += "<path class=\"tick\" d=\"M\(px(tick.value)) \(FigureNumber.coordinate(bottom))v3\"/>"
      text += SVG.text(tick.label, across(tick.value), bottom + 14, anchor: "middle")
    }
    text += "</g>"
    text += "<path class=\"axis\" d=\"M\(px(x.low)) \(FigureNumber.coordinate(bottom))H\(px(x.high))\"/>\n"
    text += SVG.text(x.title, (left + right) / 2, bottom + 28, anchor: "middle")
    return text + SVG.text(y.title, 4, 12)
  }

  /// The legend, below the title of the axis, from the right.
  private var key: String {
    var text = ""
    var end = right
    for line in legend.reversed() {
      let name = line.name ?? ""
      let start = end - 5.9 * Double(name.count) - 18
      let dash = line.isDashed ? " dashed" : ""
      let at = FigureNumber.coordinate(start)
      let sign =
        switch line.sign {
        case .line: "<path class=\"line key \(line.style)\(dash)\" d=\"M\(at) 21h13\"/>"
        case .dot: "<path class=\"dots \(line.style)\" stroke-width=\"5\" d=\"M\(at) 21m9 0h0\"/>"
        case .cross: "<path class=\"line \(line.style)\" d=\"M\(at) 21m6-2.5l5 5m0-5l-5 5\"/>"
        case .area: "<rect class=\"band \(line.style)\" x=\"\(at)\" y=\"17\" width=\"13\" height=\"8\"/>"
        }
      text += sign + SVG.text(name, start + 16, 25)
      end = start - 8
    }
    return text
  }
}
