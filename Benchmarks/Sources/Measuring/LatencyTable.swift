import Foundation

extension LatencyReport {
  /// The tables, with what one must know to read them.
  package var table: String {
    let load = machine.load.map { "\($0)" } ?? "unknown"
    var parts = [
      """
      \(machine.processor), \(machine.cores) cores, \(machine.architecture), \(machine.compiler), load \(load)
      clock: \(clockOverhead) ns a reading, taken off; pinned to core \(core.map { "\($0)" } ?? "none"); \
      \(repeats) repeats after a warm-up
      """
    ]
    parts.append(Self.table("Steps of the engine, ns", steps))
    parts.append(Self.table("Any call on the engine, ns", calls))
    parts.append(peerCountTable)
    parts.append(Self.table("Kernels, ns", kernels))
    parts.append(peerTable)
    parts.append(formTable)
    parts.append(lengthTable)
    parts.append(Self.table("Live: from a sample's due time to the solution, ns", live))
    if let engineBytes {
      parts.append(String(format: "engine with its buffers: %.2f MB", Double(engineBytes) / 1e6))
    }
    parts.append(
      """
      p50 to max hold what the system did meanwhile; the quiet columns are of each call's least over the repeats.
      Where a reading times several calls, the percentiles are of their mean. checksum \(checksum)
      """)
    parts += remarks.map { "not measured: \($0)" }
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private static func table(_ title: String, _ rows: [LatencyRow]) -> String {
    guard !rows.isEmpty else { return "" }
    let header = [
      "mean", "p50", "p99", "p99.9", "p99.99", "max", "quiet p50", "quiet p99", "quiet p99.99", "quiet max",
      "instr.", "allocs", "readings",
    ]
    return lines(
      title, header,
      rows.map { row in
        let times = [
          row.mean, row.p50, row.p99, row.p999, row.p9999, row.max, row.quietP50, row.quietP99,
          row.quietP9999,
          row.quietMax,
        ]
        return (
          row.name,
          times.map { $0.map(time) ?? "-" } + [
            row.instructions.map { String(format: "%.0f", $0) } ?? "-",
            row.allocations.map { String(format: "%g", $0) } ?? "-", "\(row.count)",
          ]
        )
      })
  }

  /// Beside what other filters need for the same step.
  private var peerCountTable: String {
    let counted = steps.filter { $0.instructions != nil }
    guard !counted.isEmpty else { return "" }
    func instructions(_ step: Step) -> Double? { counted.first { $0.name == step.title }?.instructions }
    let rows = [Step.inertial, .fix].compactMap { step in
      instructions(step).map { own in
        // A peer's sample ends with its output.
        (step, step == .inertial ? own + (instructions(.output) ?? 0) : own)
      }
    }
    return Self.lines(
      "Instructions beside those of other filters (PeerCount.swift); ratios are ours to theirs",
      ["ours"] + PeerCount.all.flatMap { [$0.name, "ratio"] },
      rows.map { step, own in
        let theirs = PeerCount.all.flatMap { peer in
          peer.instructions[step].map {
            [String(format: "%.0f", $0), String(format: "%.2f", own / $0)]
          } ?? ["-", "-"]
        }
        let title = step == .inertial ? "\(step.title) and \(Step.output.title)" : step.title
        return (title, [String(format: "%.0f", own)] + theirs)
      })
  }

  private var peerTable: String {
    guard !peers.isEmpty else { return "" }
    let header = ["ours"] + peers[0].peers.flatMap { [$0.name, "ratio"] } + ["differ by"]
    return Self.lines(
      "Against Eigen, same run, same inputs, quiet p50 in ns; ratios are ours to theirs", header,
      peers.map { peer in
        let theirs = peer.peers.flatMap { row in
          [Self.time(row.quietP50), String(format: "%.2f", peer.ratio(to: row))]
        }
        return (
          peer.name, [Self.time(peer.ours.quietP50)] + theirs + [String(format: "%.0e", peer.disagreement)]
        )
      })
  }

  private var formTable: String {
    guard !forms.isEmpty else { return "" }
    return Self.lines(
      "Other forms of the 21-state filter, quiet p50 in ns a sample and a fix, error of standard deviations",
      ["predict", "update", "sigma error"],
      forms.map { form in
        (
          form.name,
          [
            Self.time(form.predict.quietP50), form.update.map { Self.time($0.quietP50) } ?? "-",
            String(format: "%.1e", form.sigmaError),
          ]
        )
      })
  }

  private var lengthTable: String {
    guard !lengths.isEmpty else { return "" }
    return Self.lines(
      "Whole drives", ["IMU Hz", "CPU s", "ns/sample", "real time", "peak MB"],
      lengths.map { row in
        (
          row.length < 3600 ? "\(row.length / 60) min" : "\(row.length / 3600) h",
          [
            "\(row.rate)", String(format: "%.3f", row.cpu), String(format: "%.0f", row.nanosecondsPerSample),
            String(format: "%.0f ×", row.realTimeFactor), String(format: "%.1f", Double(row.peakBytes) / 1e6),
          ]
        )
      })
  }

  private static func time(_ nanoseconds: Double) -> String {
    String(format: nanoseconds < 1000 ? "%.1f" : "%.0f", nanoseconds)
  }

  private static func lines(_ title: String, _ header: [String], _ rows: [(name: String, cells: [String])])
    -> String
  {
    let nameWidth = rows.map(\.name.count).max() ?? 0
    let widths = header.indices.map { column in
      max(header[column].count, rows.map { $0.cells[column].count }.max() ?? 0) + 2
    }
    func line(_ name: String, _ cells: [String]) -> String {
      name + String(repeating: " ", count: nameWidth - name.count)
        + zip(cells, widths).map { String(repeating: " ", count: $1 - $0.count) + $0 }.joined()
    }
    return ([title, line("", header)] + rows.map { line($0.name, $0.cells) }).joined(separator: "\n")
  }
}
