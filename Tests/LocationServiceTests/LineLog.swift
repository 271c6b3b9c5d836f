import Locks
import Logging

/// Keeps what is logged, line by line.
final class LineLog: Sendable {
  private struct Handler: LogHandler {
    let log: LineLog
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
    func log(event: LogEvent) { log.kept.withLock { $0.append("\(event.message)") } }
  }

  private let kept = Mutex<[String]>([])

  var lines: [String] { kept.withLock { $0.map { $0 } } }
  var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }
}
