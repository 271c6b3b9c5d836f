import Foundation
import Measuring

/// Two reports, figure by figure.
struct Comparison {
  /// Times are compared at each call's least over the repeats, which other load disturbs the least, and in
  /// units of the fixed work that was timed beside them. Worse is what is
  /// worse by this part and by three standard deviations of both: medians of ten
  /// repeats stray by a few percent.
  static let timeTolerance = 0.07
  /// The tail strays more: worse is what is worse by this part and by twice what either strays by itself.
  static let tailTolerance = 0.15
  /// Counts of instructions repeat to a ten-thousandth.
  static let countTolerance = 0.03

  private(set) var regressions = 0
  private var lines: [String] = []

  var table: String { lines.joined(separator: "\n") }

  init(old: LatencyReport, new: LatencyReport) {
    let areTimesAlike = old.machine.isLike(new.machine)
    if !areTimesAlike {
      lines.append(
        "other machine (\(old.machine.processor), \(new.machine.processor)): times are not compared")
    }
    for (title, path) in [
      ("steps", \LatencyReport.steps), ("any call", \.calls), ("kernels", \.kernels),
    ] {
      for row in new[keyPath: path] {
        guard let before = old[keyPath: path].first(where: { $0.name == row.name }) else { continue }
        compare("\(title): \(row.name)", before, row, times: areTimesAlike)
      }
      for row in old[keyPath: path] where !new[keyPath: path].contains(where: { $0.name == row.name }) {
        lines.append("\(row.name): not in the newer report")
      }
    }
    for row in new.lengths {
      guard areTimesAlike,
        let before = old.lengths.first(where: { $0.length == row.length && $0.rate == row.rate })
      else { continue }
      judge(
        "drive of \(row.length) s at \(row.rate) Hz, ns a sample", before.nanosecondsPerSample,
        row.nanosecondsPerSample, tolerance: Self.tailTolerance)
    }
    if let before = old.engineBytes, let now = new.engineBytes {
      judge("engine, bytes", Double(before), Double(now), tolerance: Self.timeTolerance)
    }
    lines.append("\(regressions) worse")
  }

  private mutating func compare(_ name: String, _ old: LatencyRow, _ new: LatencyRow, times: Bool) {
    if times {
      // Slower by as much as fixed work was slower beside it is the machine's doing.
      let speed = old.reference / new.reference
      let noise = 3 * (old.spread * old.spread + new.spread * new.spread).squareRoot()
      judge(
        "\(name), p50 ns", old.quietP50, new.quietP50 * speed, tolerance: Self.timeTolerance, noise: noise)
      let tail = 2 * max(old.tailSpread ?? .infinity, new.tailSpread ?? .infinity)
      judge("\(name), p99 ns", old.quietP99, new.quietP99 * speed, tolerance: Self.tailTolerance, noise: tail)
    }
    if let before = old.instructions, let now = new.instructions {
      judge("\(name), instructions", before, now, tolerance: Self.countTolerance)
    }
    if let before = old.allocations, let now = new.allocations, before > 0 || now > 0 {
      judge("\(name), allocations", before, now, tolerance: 0)
    }
  }

  private mutating func judge(
    _ name: String, _ old: Double, _ new: Double, tolerance: Double, noise: Double = 0
  ) {
    let isWorse = new > old * (1 + tolerance) && new - old > noise
    if isWorse { regressions += 1 }
    let change = old > 0 ? String(format: "%+.1f %%", (new / old - 1) * 100) : ""
    lines.append(
      name.padding(toLength: max(64, name.count), withPad: " ", startingAt: 0)
        + String(format: "%14.1f %14.1f  ", old, new) + change + (isWorse ? "  WORSE" : ""))
  }
}
