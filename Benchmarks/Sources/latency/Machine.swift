import Foundation

/// Where the figures were taken: without it they mean nothing.
struct Machine: Encodable {
  /// Model name of the processor.
  let processor: String
  /// Cores that may be used.
  let cores: Int
  /// Runnable processes over the last minute when the benchmark started; nil where the system does not say.
  let load: Double?

  /// This machine.
  init() {
    let lines = Machine.text(of: "/proc/cpuinfo").split(separator: "\n")
    let model = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
    processor = model.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown processor"
    cores = ProcessInfo.processInfo.activeProcessorCount
    load = Machine.text(of: "/proc/loadavg").split(separator: " ").first.flatMap { Double($0) }
  }

  private static func text(of path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }
}
