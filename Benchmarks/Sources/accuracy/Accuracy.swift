import Foundation
import Simulation

/// Accuracy on the real drives beside its targets, and on simulated drives that nothing was tuned on:
/// `swift run -c release --package-path Benchmarks accuracy [--drives FOLDER] [--seeds N] [--json FILE]`.
///
/// Real drives are looked for in FOLDER, else where RECKON_DRIVES says, else in ../shared/drives.
@main
struct Accuracy {
  static let usage = "usage: accuracy [--drives FOLDER] [--seeds N] [--json FILE]"

  var drives = ProcessInfo.processInfo.environment["RECKON_DRIVES"] ?? "../shared/drives"
  /// Seeds 1001, 1002, … of each scenario.
  var seeds = 7
  var json: String?

  static func main() {
    guard let options = Accuracy(arguments: CommandLine.arguments.dropFirst()) else { stop(usage) }
    do {
      let report = try options.run()
      print(report.text)
      if let path = options.json { try report.writeJSON(to: path) }
    } catch {
      stop("\(error)")
    }
  }

  /// Reads the options, or nil if they are not to be understood.
  init?(arguments: ArraySlice<String>) {
    var rest = arguments
    while let option = rest.popFirst() {
      guard let value = rest.popFirst() else { return nil }
      switch option {
      case "--drives": drives = value
      case "--seeds":
        guard let number = Int(value), (0...1000).contains(number) else { return nil }
        seeds = number
      case "--json": json = value
      default: return nil
      }
    }
  }

  func run() throws -> AccuracyReport {
    let targets = try RealDrives.targets(in: drives)
    let seeds = (0..<seeds).map { UInt64(1001 + $0) }
    let scenarios = seeds.isEmpty ? [] : try scenarios().map { ScenarioSpread($0, seeds: seeds) }
    return AccuracyReport(targets: targets, scenarios: scenarios)
  }

  /// Those of the bundled drives, and one with white fixes in the open.
  private func scenarios() throws -> [Scenario] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let root = folder.appendingPathComponent("../../..").standardized.path
    let bundled = try ["open-sky-commute", "downtown-canyon", "tunnel-and-garage"].map {
      try Scenario(path: "\(root)/datasets/\($0)/scenario.json")
    }
    var white = bundled[0]
    white.name = "open-sky-white"
    white.receiver = ReceiverModel(preset: .white)
    white.receiver.uniform = .white(horizontal: 1, vertical: 1.5, velocity: 0.1)
    return bundled + [white]
  }

  static func note(_ message: String) { FileHandle.standardError.write(Data("note: \(message)\n".utf8)) }

  static func stop(_ message: String) -> Never {
    FileHandle.standardError.write(Data("error: \(message)\n".utf8))
    exit(2)
  }
}
