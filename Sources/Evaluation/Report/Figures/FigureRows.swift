/// Draws rows of a figure: a name, and below it marks on an axis that all rows share.
struct FigureRows {
  /// One row.
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

  private func px(_ value: Double) -> String {
    FigureNumber.coordinate(left + axis.place(value) * (right - left))
  }

  /// The elements inside of the `svg`.
  var content: String {
    let bottom = Self.top + Double(rows.count) * Self.step + 4
    let edge = FigureNumber.coordinate(bottom)
    var text = ""
    for tick in axis.ticks {
      text += "<path class=\"grid\" d=\"M\(px(tick.value)) \(FigureNumber.coordinate(Self.top))V\(edge)\"/>"
      text +=
        "<text x=\"\(px(tick.value))\" y=\"\(FigureNumber.coordinate(bottom + 13))\" text-anchor=\"middle\">\(tick.label)</text>\n"
    }
    if let zero {
      text += "<path class=\"axis\" d=\"M\(px(zero)) \(FigureNumber.coordinate(Self.top))V\(edge)\"/>"
    }
    text +=
      "<text x=\"180\" y=\"\(FigureNumber.coordinate(bottom + 28))\" text-anchor=\"middle\">\(ReportText.escaped(axis.title))</text>\n"
    for (index, row) in rows.enumerated() { text += line(row, Self.top + Double(index) * Self.step) }
    var x = left
    for (name, style) in legend {
      text +=
        "<path class=\"dots \(style)\" stroke-width=\"7\" d=\"M\(FigureNumber.coordinate(x + 4)) 10h0\"/>"
      text += "<text x=\"\(FigureNumber.coordinate(x + 12))\" y=\"14\">\(ReportText.escaped(name))</text>\n"
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
    for dot in row.dots {
      text += "<path class=\"dots \(dot.style)\" stroke-width=\"7\" d=\"M\(px(dot.value)) \(level)h0\"/>"
    }
    return text + "\n"
  }
}
