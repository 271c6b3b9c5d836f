import Foundation

/// Instructions a step, counted by valgrind's simulated processor: the same on a busy
/// machine and an idle one.
package enum Callgrind {
  package enum Failure: Error, CustomStringConvertible {
    case notInstalled(String)
    case failed(String)

    package var description: String {
      switch self {
      case .notInstalled(let command): "\(command) is not installed"
      case .failed(let reason): reason
      }
    }
  }

  /// Runs this very program under callgrind with the argument `fixed-work`, which it has to follow by
  /// ``FixedWork/run()``; returns the mean number of instructions of each step.
  package static func instructions() throws(Failure) -> [Step: Double] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "callgrind.\(ProcessInfo.processInfo.processIdentifier)")
    defer { try? FileManager.default.removeItem(at: file) }
    guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
      throw .failed("this system does not say where the program is")
    }
    // Valgrind gives up on debug information newer than itself.
    let bare = program + ".bare"
    defer { try? FileManager.default.removeItem(atPath: bare) }
    try run("strip", "--strip-debug", "-o", bare, program)
    try run(
      "valgrind", "--tool=callgrind", "--callgrind-out-file=\(file.path)", bare, "fixed-work",
      environment: ["GLIBC_TUNABLES": plainest])
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { throw .failed("no profile") }
    return means(of: text)
  }

  /// The C library chooses between versions of its functions, and their thresholds, by the processor and its
  /// caches: not here, so that any x86-64 counts the same.
  private static let plainest =
    "glibc.cpu.hwcaps=-AVX,-AVX2,-AVX_Fast_Unaligned_Load,-FMA,-FMA4,-AVX512F,-AVX512VL,-ERMS,-FSRM"
    + ":glibc.cpu.x86_non_temporal_threshold=0x100000"

  private static func run(_ command: String..., environment: [String: String] = [:]) throws(Failure) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardError = errors
    do { try process.run() } catch { throw .failed("cannot run \(command[0]): \(error)") }
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    switch process.terminationStatus {
    case 0: return
    case 127: throw .notInstalled(command[0])
    case let status: throw .failed("\(command[0]) ended with status \(status): \(said.suffix(1000))")
    }
  }

  /// Reads a profile in callgrind's format: after "cfn=" and "calls=" comes the cost of
  /// those calls, with all below.
  static func means(of profile: String) -> [Step: Double] {
    var names: [Substring: Step] = [:]
    var sums: [Step: (calls: Double, cost: Double)] = [:]
    var callee: Step?
    var calls: Double?
    for line in profile.split(separator: "\n") {
      if let counted = calls {
        calls = nil
        if let callee, let cost = line.split(separator: " ").last.flatMap({ Double($0) }) {
          let sum = sums[callee, default: (0, 0)]
          sums[callee] = (sum.calls + counted, sum.cost + cost)
        }
      } else if line.hasPrefix("fn=") || line.hasPrefix("cfn=") {
        // "cfn=(12) step_fix" the first time, "cfn=(12)" from then on.
        let parts = line.drop { $0 != "(" }.split(separator: " ", maxSplits: 1)
        if parts.count == 2, parts[1].hasPrefix("step_") {
          names[parts[0]] = Step(rawValue: String(parts[1].dropFirst("step_".count)))
        }
        if line.hasPrefix("cfn=") { callee = parts.first.flatMap { names[$0] } }
      } else if line.hasPrefix("calls=") {
        calls = Double(line.dropFirst("calls=".count).prefix { $0 != " " })
      }
    }
    return sums.mapValues { $0.cost / $0.calls }
  }
}
