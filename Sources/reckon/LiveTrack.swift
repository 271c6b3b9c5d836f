import Drives
import Fusion
import Live
import Navigation

/// The track of a live run in a file: begun with the first position, whole only once it is ended.
struct LiveTrack: ~Copyable {
  private let path: String
  private let format: TrackFormat
  private var writer: TrackWriter?
  private var display = DisplayTrack()
  private var origin: Timestamp?
  private var last: Timestamp?

  init(path: String, format: TrackFormat) {
    self.path = path
    self.format = format
  }

  /// Adds what is known now. Times in the file count from the first point; UTC of that is kept where it is known.
  mutating func add(_ output: LiveOutput) throws {
    guard var solution = output.solution, last.map({ output.time > $0 }) ?? true else { return }
    last = output.time
    if writer == nil {
      origin = output.time
      writer = try TrackWriter(path: path, format: format, unixTimeOfOrigin: output.utc?.time)
    }
    let seconds = origin.map { output.time.nanoseconds - $0.nanoseconds } ?? 0
    solution.time = Timestamp(nanoseconds: seconds)
    try writer?.write(solution, display: display.update(solution))
  }

  /// Ends the document.
  mutating func finish() throws {
    if writer == nil { writer = try TrackWriter(path: path, format: format) }
    try writer?.finish()
  }
}
