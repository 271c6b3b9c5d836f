import CLibrary
import Drives
import Live
import Navigation
import Programs
import SensorEvents

/// Shows a live status on standard output: redrawn in place on a terminal, else a line a second.
struct LiveScreen {
  private let isPlain: Bool
  private var drawn = 0
  private var lastLine: Timestamp?
  /// What the sources said last, where pictures do not show it.
  private var said: [SourceID: String] = [:]
  /// Seconds between pictures.
  static let interval = 0.25

  init(plain: Bool) { isPlain = plain || isatty(STDOUT_FILENO) != 1 }

  /// Shows `status`; false where standard output is closed or full.
  mutating func show(_ status: LiveStatus) -> Bool {
    let utc = status.utc.map { UTC.text($0.time, origin: Timestamp(nanoseconds: 0)) }
    guard !isPlain else {
      for source in status.sources where !source.message.isEmpty && said[source.id] != source.message {
        Terminal.error("\(source.name): \(source.state.name): \(source.message)")
        said[source.id] = source.message
      }
      if let lastLine, status.time.seconds(since: lastLine) < 0.95 { return true }
      lastLine = status.time
      return Terminal.output(LiveView(status, utc: utc).line + "\n")
    }
    let size = Self.size
    let lines = LiveView(status, utc: utc, columns: size.columns).lines.prefix(max(4, size.rows - 1))
    // Up over the last picture, each line cleared behind its text, and what is left of a longer one below.
    var text = drawn > 0 ? "\u{1B}[\(drawn)A\r" : ""
    for line in lines { text += line + "\u{1B}[K\n" }
    drawn = lines.count
    return Terminal.picture(text + "\u{1B}[J")
  }

  private static var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}
