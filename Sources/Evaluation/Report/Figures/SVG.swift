/// Elements of SVG, as figures have them.
enum SVG {
  /// A word or a number at a place, with a line end behind it.
  static func text(
    _ text: String, _ x: Double, _ y: Double, anchor: String? = nil, style: String? = nil
  ) -> String {
    let (a, b) = (FigureNumber.coordinate(x), FigureNumber.coordinate(y))
    let name = style.map { "class=\"\($0)\" " } ?? ""
    let side = anchor.map { " text-anchor=\"\($0)\"" } ?? ""
    return "<text \(name)x=\"\(a)\" y=\"\(b)\"\(side)>\(ReportText.escaped(text))</text>\n"
  }

  /// A dot: a line of no length, whose ends are round.
  static func dot(_ style: String, _ x: Double, _ y: Double) -> String {
    let at = "\(FigureNumber.coordinate(x)) \(FigureNumber.coordinate(y))"
    return "<path class=\"dots \(style)\" stroke-width=\"7\" d=\"M\(at)h0\"/>"
  }
}
