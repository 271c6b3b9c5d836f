import Live

/// Columns of text: names to the left, numbers to the right.
package struct TextTable {
  private let header: [String]
  private let leading: Int
  private var rows: [[String]] = []

  /// A table with these column heads; the first `leading` columns are names.
  package init(_ header: [String], leading: Int) {
    self.header = header
    self.leading = leading
  }

  package mutating func add(_ row: [String]) { rows.append(row) }

  /// Whether there is nothing below the heads.
  package var isEmpty: Bool { rows.isEmpty }

  /// The lines of the table, each with its line end.
  package var text: String {
    let lines = [header] + rows
    let widths = header.indices.map { i in lines.map { $0[i].count }.max() ?? 0 }
    return lines.map { line in
      let cells = line.enumerated().map { i, cell in
        let space = String(repeating: " ", count: widths[i] - cell.count)
        return i < leading ? cell + space : space + cell
      }
      let text = cells.joined(separator: "  ")
      return text.reversed().drop { $0 == " " }.reversed() + "\n"
    }.joined()
  }

  /// A number with `digits` decimals, or a dash where there is none.
  package static func cell(_ value: Double?, digits: Int = 2) -> String {
    Figures.fixed(value, digits, below: 1e15)
  }
}
