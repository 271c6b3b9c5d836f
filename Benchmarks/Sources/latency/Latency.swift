import CAllocations
import CMachine
import Foundation
import Fusion
import Measuring

/// What every step costs, in time, instructions and memory:
/// `swift run -c release --package-path Benchmarks latency [--repeats N] [--only PART,...] [--json FILE]`.
@main
struct Latency {
  static let usage = """
    usage: latency [--repeats N] [--only PART,...] [--json FILE]
    parts: \(Part.allCases.map(\.rawValue).joined(separator: ", "))
    """

  enum Part: String, CaseIterable {
    case steps, calls, kernels, instructions, peers, forms, lengths, live
  }

  var repeats = 10
  var parts = Set(Part.allCases)
  var json: String?

  static func main() {
    #if DEBUG
      stop("a debug build is 100 to 600 times slower: run with -c release")
    #endif
    let arguments = CommandLine.arguments.dropFirst()
    if Array(arguments) == ["fixed-work"] {
      print(FixedWork.run())
      return
    }
    guard let options = Latency(arguments: arguments) else { stop(usage) }
    let report = options.run()
    print(report.table)
    if let path = options.json {
      do { try report.writeJSON(to: path) } catch { stop("cannot write \(path): \(error)") }
    }
    for peer in report.peers where !(peer.disagreement <= PeerComparison.largestDisagreement) {
      stop("\(peer.name): the results differ by \(peer.disagreement) standard deviations", status: 1)
    }
  }

  /// Reads the options, or nil if they are not to be understood.
  init?(arguments: ArraySlice<String>) {
    var rest = arguments
    while let option = rest.popFirst() {
      guard let value = rest.popFirst() else { return nil }
      switch option {
      case "--repeats":
        guard let number = Int(value), (1...1000).contains(number) else { return nil }
        repeats = number
      case "--only":
        let names = value.split(separator: ",").map { Part(rawValue: String($0)) }
        guard names.allSatisfy({ $0 != nil }) else { return nil }
        parts = Set(names.compactMap { $0 })
      case "--json": json = value
      default: return nil
      }
    }
  }

  func run() -> LatencyReport {
    let machine = Machine()
    let core = machine_pin()
    let stopwatch = Stopwatch()
    var report = LatencyReport(
      machine: machine, clockOverhead: stopwatch.overhead, core: core < 0 ? nil : Int(core), repeats: repeats)
    report.engineBytes = engineBytes()
    if parts.contains(.steps) { addSteps(to: &report, stopwatch) }
    if parts.contains(.calls) {
      let calls = CallLatency(seconds: 600, repeats: repeats, stopwatch: stopwatch)
      report.calls = calls.rows
      report.checksum += calls.checksum
    }
    if parts.contains(.kernels) {
      report.kernels = Kernel.all.map {
        $0.row(repeats: repeats, stopwatch: stopwatch, checksum: &report.checksum)
      }
    }
    if parts.contains(.peers) {
      if let peers = PeerLatency(repeats: repeats, stopwatch: stopwatch) {
        report.peers = peers.comparisons
      } else {
        report.remarks.append("Eigen: \(PeerLatency.description)")
      }
    }
    if parts.contains(.forms) { report.forms = FormLatency(repeats: repeats, stopwatch: stopwatch).rows }
    if parts.contains(.lengths) { report.lengths = DriveLengths.rows() }
    machine_unpin()
    if parts.contains(.live) { report.live = LivePath.rows() }
    return report
  }

  private func addSteps(to report: inout LatencyReport, _ stopwatch: Stopwatch) {
    let latency = StepLatency(seconds: 120, repeats: repeats, stopwatch: stopwatch)
    report.checksum += latency.checksum
    var instructions: [Step: Double] = [:]
    if parts.contains(.instructions) {
      do {
        instructions = try Callgrind.instructions()
      } catch {
        report.remarks.append("instructions: \(error)")
      }
    }
    report.steps = latency.rows.map { step, row in
      var row = row
      row.instructions = instructions[step]
      return row
    }
  }

  /// Bytes of an engine: its own, and what it allocates when it is made.
  private func engineBytes() -> Int? {
    guard allocations_are_counted() else { return nil }
    let before = allocation_bytes()
    let engine = FusionEngine()
    let allocated = allocation_bytes() - before
    return withExtendedLifetime(engine) { Int(allocated) + MemoryLayout<FusionEngine>.size }
  }

  static func stop(_ message: String, status: Int32 = 2) -> Never {
    FileHandle.standardError.write(Data("error: \(message)\n".utf8))
    exit(status)
  }
}
