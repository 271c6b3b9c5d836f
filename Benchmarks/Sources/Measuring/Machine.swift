import CMachine
import Foundation

/// Where the figures were taken: without it they mean nothing.
package struct Machine: Codable, Equatable {
  /// Model name of the processor.
  package let processor: String
  /// Cores that may be used.
  package let cores: Int
  /// Architecture that this was compiled for.
  package let architecture: String
  /// Version of the compiler.
  package let compiler: String
  /// Runnable processes over the last minute when the benchmark started; nil where the system does not say.
  package let load: Double?

  /// This machine.
  package init() {
    let lines = Machine.text(of: "/proc/cpuinfo").split(separator: "\n")
    let model = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
    processor = model.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown processor"
    cores = ProcessInfo.processInfo.activeProcessorCount
    load = Machine.text(of: "/proc/loadavg").split(separator: " ").first.flatMap { Double($0) }
    #if arch(x86_64)
      architecture = "x86_64"
    #elseif arch(arm64)
      architecture = "aarch64"
    #else
      architecture = "other"
    #endif
    #if compiler(>=6.4)
      compiler = "Swift 6.4 or newer"
    #elseif compiler(>=6.3)
      compiler = "Swift 6.3"
    #else
      compiler = "Swift 6.2"
    #endif
  }

  /// Whether times taken on both can be compared.
  package func isLike(_ other: Machine) -> Bool {
    processor == other.processor && cores == other.cores && architecture == other.architecture
  }

  private static func text(of path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }
}
