/// Draws rows of a figure: a name, and below it marks on an axis that all rows share.
struct FigureRows {
  struct Row {
    var name: String
    /// A line from one value to another, where there is one.
    var from: Double?, to: Double?
    /// Dots: the value and the style of each.
    var dots: [(value: Double, style: String)]
    /// The style of the line.
    var style: String
  }

  let axis: FigureAxis
  let rows: [Row]
  /// Names and styles of the legend.
  var legend: [(name: String, style: String)] = []
  /// Where a line goes down, if it does.
  var zero: Double?

  private static let step = 26.0
  private static let top = 26.0
  private let left = 8.0
  private let right = 352.0

  init(axis: FigureAxis, rows: [Row]) {
    self.axis = axis
    self.rows = rows
  }

  /// Its height in user units.
  var height: Double { Self.top + Double(rows.count) * Self.step + 38 }

  private func across(_ value: Double) -> Double { left + axis.place(value) * (right - left) }
  private func px(_ value: Double) -> String { FigureNumber.coordinate(across(value)) }

  /// The elements inside of the `svg`.
  var content: String {
    let bottom = Self.top + Double(rows.count) * Self.step + 4
    let edge = FigureNumber.coordinate(bottom)
    var text = ""
    for tick in axis.ticks {
      text += "<path class=\"grid\" d=\"M\(px(tick.value)) \(FigureNumber.coordinate(Self.top))V\(edge)\"/>"
      text += SVG.text(tick.label, across(tick.value), bottom + 13, anchor: "middle")
    }
    if let zero {
      text += "<path class=\"axis\" d=\"M\(px(zero)) \(FigureNumber.coordinate(Self.top))V\(edge)\"/>"
    }
    text += SVG.text(axis.title, 180, bottom + 28, anchor: "middle")
    for (index, row) in rows.enumerated() { text += line(row, Self.top + Double(index) * Self.step) }
    var x = left
    for (name, style) in legend {
      text += SVG.dot(style, x + 4, 10) + SVG.text(name, x + 12, 14)
      x += 24 + 6 * Double(name.count)
    }
    return text
  }

  private func line(_ row: Row, _ y: Double) -> String {
    let (label, level) = (FigureNumber.coordinate(y + 10), FigureNumber.coordinate(y + 18))
    var text =
      "<text class=\"name\" x=\"\(FigureNumber.coordinate(left))\" y=\"\(label)\">\(ReportText.escaped(row.name))</text>"
    if let from = row.from, let to = row.to {
      text += "<path class=\"line \(row.style)\" stroke-width=\"2\" d=\"M\(px(from)) \(level)H\(px(to))\"/>"
    }
    for dot in row.dots { text += SVG.dot(dot.style, across(dot.value), y + 18) }
    return text + "\n"
  }
}
