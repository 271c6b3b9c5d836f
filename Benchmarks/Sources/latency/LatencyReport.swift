import Foundation

/// All that one run found: printed as a table, written as JSON.
struct LatencyReport: Encodable {
  let machine: Machine
  /// Cost of reading the clock in nanoseconds, already taken off every reading.
  let clockOverhead: Int
  /// Length of the made-up drive in seconds.
  let driveLength: Int
  /// Runs over the drive that were counted.
  let repeats: Int
  let rows: [LatencyRow]
  /// What the measured calls computed, in no unit: it changes when they compute something else.
  let checksum: Double

  private enum CodingKeys: String, CodingKey {
    case machine
    case clockOverhead = "clock_overhead_ns"
    case driveLength = "drive_length_s"
    case repeats, rows, checksum
  }

  /// The table, with what one must know to read it.
  var table: String {
    let width = rows.map(\.name.count).max() ?? 0
    func line(_ name: String, _ cells: [String]) -> String {
      name.padding(toLength: width, withPad: " ", startingAt: 0)
        + cells.map { String(repeating: " ", count: max(1, 11 - $0.count)) + $0 }.joined()
    }
    func cell(_ nanoseconds: Double?) -> String {
      nanoseconds.map { String(format: $0 < 1000 ? "%.1f" : "%.0f", $0) } ?? "-"
    }
    let load = machine.load.map { "\($0)" } ?? "unknown"
    let body = rows.map { row in
      let figures = [row.mean, row.p50, row.p99, row.p999, row.max, row.quietestMax]
      return line(row.name, figures.map(cell) + ["\(row.count)", "\(row.callsPerReading)"])
    }
    return """
      \(machine.processor), \(machine.cores) cores, load \(load)
      clock: \(clockOverhead) ns a reading, taken off; drive: \(driveLength) s, \(repeats) times after a warm-up

      \(line("ns a call", ["mean", "p50", "p99", "p99.9", "max", "quiet max", "readings", "calls each"]))
      \(body.joined(separator: "\n"))

      max holds what the system did meanwhile; quiet max is the slowest call when each took the least of its repeats.
      Where a reading times several calls, the percentiles are of their mean. checksum \(checksum)
      """
  }

  /// Writes the report to the file at `path`, all or nothing.
  func writeJSON(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}
