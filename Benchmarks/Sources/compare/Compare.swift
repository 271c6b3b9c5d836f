import Foundation
import Measuring

/// Fails where a newer report of `latency` is worse than an older one by more than noise:
/// `swift run -c release --package-path Benchmarks compare OLD.json NEW.json`.
@main
struct Compare {
  static func main() {
    let paths = CommandLine.arguments.dropFirst()
    guard paths.count == 2, let old = paths.first, let new = paths.last else {
      stop("usage: compare OLD.json NEW.json", status: 2)
    }
    do {
      let comparison = Comparison(old: try LatencyReport(path: old), new: try LatencyReport(path: new))
      print(comparison.table)
      if comparison.regressions > 0 { stop("\(comparison.regressions) figures are worse", status: 1) }
    } catch {
      stop("\(error)", status: 2)
    }
  }

  static func stop(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data("error: \(message)\n".utf8))
    exit(status)
  }
}
