import CLibrary
import Logging

/// Lines on the standard error. For the journal each begins with its priority, as sd-daemon(3) has it; the
/// time the journal adds itself.
struct JournalLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info
  private let label: String
  private let isJournal: Bool

  /// Knows the journal by the environment that systemd gives.
  init(label: String) {
    self.label = label
    isJournal = getenv("JOURNAL_STREAM") != nil
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let details = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
      .map { " \($0.key)=\($0.value)" }.joined()
    let reason = event.error.map { ": \($0)" } ?? ""
    let text = "\(label): \(event.message)\(reason)\(details)".replacing("\n", with: " ")
    let priority = isJournal ? "<\(Self.priority(event.level))>" : ""
    let line = Array("\(priority)\(text)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }

  /// The number that syslog gives a level.
  static func priority(_ level: Logger.Level) -> Int {
    switch level {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }
}
