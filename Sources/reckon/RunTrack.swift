import Drives
import Live
import Navigation
import Programs

/// The track of `reckon run`: a disk that fills up does not end the positioning, and what was written is
/// kept.
struct RunTrack: ~Copyable {
  /// Seconds from one attempt to write again to the next. [chosen: soon enough for who makes room]
  private static let pause = 1.0

  private var track: LiveTrack
  /// What the file is called until it is whole, and then.
  private let partial: String, name: String
  /// Why something could not be written, the first time; nil if all was.
  private(set) var fault: String?
  /// When writing failed last; nil while it goes.
  private var failed: Timestamp?

  init(_ track: consuming LiveTrack, partial: String, name: String) {
    self.track = track
    (self.partial, self.name) = (partial, name)
  }

  /// Points so far, and seconds from the first to the last.
  var count: Int { track.count }
  var duration: Double { track.duration }
  /// Why the file has no times of day; nil where it has.
  var undated: String? { track.undated }

  /// Adds what is known now, or says once that it cannot be written.
  mutating func add(_ output: LiveOutput) {
    if let failed, output.time.seconds(since: failed) < Self.pause { return }
    do {
      if failed != nil { try track.flush() }
      try track.add(output)
      if failed != nil { Terminal.error("note: \(name): is being written again; points are missing") }
      failed = nil
    } catch {
      if failed == nil {
        Terminal.error("error: \(text(error)); positioning goes on, and what is written is kept")
      }
      failed = output.time
      fault = fault ?? text(error)
    }
  }

  /// Ends the document, as far as there is room for that.
  mutating func finish() {
    do {
      if failed != nil { try track.flush() }
      try track.finish()
    } catch { fault = fault ?? text(error) }
  }

  private func text(_ error: any Error) -> String {
    "\((error as? DriveError)?.named(name, insteadOf: partial) ?? error)"
  }
}
