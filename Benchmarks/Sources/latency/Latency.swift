import Foundation

/// Nanoseconds per IMU sample and per GNSS fix, and of the kernels below them:
/// `swift run -c release --package-path Benchmarks latency [--repeats N] [--json FILE]`.
@main
struct Latency {
  static let usage = "usage: latency [--repeats N] [--json FILE]"

  var repeats = 10
  var json: String?

  static func main() {
    #if DEBUG
      stop("a debug build is 100 to 600 times slower: run with -c release")
    #endif
    guard let options = Latency(arguments: CommandLine.arguments.dropFirst()) else { stop(usage) }
    let report = options.run()
    print(report.table)
    guard let path = options.json else { return }
    do {
      try report.writeJSON(to: path)
    } catch {
      stop("cannot write \(path): \(error)")
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
      case "--json": json = value
      default: return nil
      }
    }
  }

  func run() -> LatencyReport {
    let stopwatch = Stopwatch()
    let machine = Machine()
    let drive = SyntheticDrive(duration: 300)
    let punctual = EngineLatency(drive: drive, repeats: repeats, stopwatch: stopwatch)
    let late = EngineLatency(
      drive: SyntheticDrive(duration: drive.duration, lateness: 0.1), repeats: repeats, stopwatch: stopwatch)
    var checksum = punctual.checksum + late.checksum
    let kernels = Kernel.all.map {
      $0.row(readings: 2000 * repeats, stopwatch: stopwatch, checksum: &checksum)
    }
    return LatencyReport(
      machine: machine, clockOverhead: stopwatch.overhead, driveLength: drive.duration, repeats: repeats,
      rows: punctual.rows() + late.rows(suffix: ", fixes 0.1 s late") + kernels, checksum: checksum)
  }

  static func stop(_ message: String) -> Never {
    FileHandle.standardError.write(Data("error: \(message)\n".utf8))
    exit(2)
  }
}
