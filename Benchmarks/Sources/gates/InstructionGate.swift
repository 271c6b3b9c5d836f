import Foundation
import Measuring

/// Instructions of each step within 3 % of a committed baseline, up or down: a gain that is not written down
/// can be lost again without a sound.
struct InstructionGate {
  private struct Baseline: Codable {
    var architecture: String
    var compiler: String
    var instructions: [String: Double]
  }

  static let tolerance = 0.03
  let path: String

  func write() {
    let machine = Machine()
    let counted = count().map { ($0.key.rawValue, $0.value.rounded()) }
    let baseline = Baseline(
      architecture: machine.architecture, compiler: machine.compiler,
      instructions: Dictionary(uniqueKeysWithValues: counted))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    do {
      try (encoder.encode(baseline) + Data("\n".utf8)).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      Gates.stop("cannot write \(path): \(error)", status: 2)
    }
    for (step, value) in baseline.instructions.sorted(by: { $0.key < $1.key }) {
      print("\(step) \(Int(value))")
    }
  }

  func check() {
    let baseline: Baseline
    do {
      baseline = try JSONDecoder().decode(Baseline.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      Gates.stop("cannot read \(path): \(error)", status: 2)
    }
    let machine = Machine()
    guard baseline.architecture == machine.architecture, baseline.compiler == machine.compiler else {
      print(
        "skipped: the baseline is of \(baseline.compiler) on \(baseline.architecture), this is \(machine.compiler) on \(machine.architecture)"
      )
      return
    }
    let counted = count()
    var isWithin = true
    for step in Step.allCases {
      guard let now = counted[step], let then = baseline.instructions[step.rawValue] else { continue }
      let change = now / then - 1
      let verdict =
        abs(change) <= Self.tolerance ? "" : change > 0 ? "  MORE" : "  LESS: write the baseline anew"
      if abs(change) > Self.tolerance { isWithin = false }
      let name = step.title.padding(toLength: 40, withPad: " ", startingAt: 0)
      print(name + String(format: "%9.0f  baseline %9.0f  %+6.2f %%", now, then, change * 100) + verdict)
    }
    let missing = baseline.instructions.keys.filter { counted[Step(rawValue: $0) ?? .output] == nil }
    if !missing.isEmpty { Gates.stop("steps of the baseline that did not occur: \(missing.sorted())") }
    if !isWithin {
      Gates.stop("instructions differ from \(path) by more than 3 % (scripts/gates --rebaseline)")
    }
  }

  private func count() -> [Step: Double] {
    do {
      let counted = try Callgrind.instructions()
      guard counted.count >= 7 else { Gates.stop("only \(counted.keys) were seen in callgrind's profile") }
      return counted
    } catch {
      Gates.stop("\(error)")
    }
  }
}
