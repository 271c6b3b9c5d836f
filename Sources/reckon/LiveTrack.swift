import CLibrary
import Drives
import Fusion
import Live

/// The track of a live run in a file: begun with the first position, whole only once it is ended.
///
/// A receiver may tell its first fixes without a date, or with a wrong one: the first points wait for one,
/// and at the end the whole file is dated by what was known last.
struct LiveTrack: ~Copyable {
  /// Points that wait for a date: a minute's at 10 a second.
  private static let patience = 600

  private let path: String
  private let format: TrackFormat
  private let provenance: Provenance
  private var writer: TrackWriter?
  private var display = DisplayTrack()
  private var waiting: [TrackPoint] = []
  private var origin: Timestamp?
  private var last: Timestamp?
  /// UTC at the first point as the file has it, and by what was known last.
  private var date: Timestamp?, newestDate: Timestamp?
  /// Points so far.
  private(set) var count = 0

  private struct TrackPoint {
    var solution: NavigationSolution
    var display: DisplayPosition?
  }

  init(path: String, format: TrackFormat, provenance: Provenance) {
    self.path = path
    self.format = format
    self.provenance = provenance
  }

  /// Seconds from the first point to the last.
  var duration: Double {
    guard let origin, let last else { return 0 }
    return last.seconds(since: origin)
  }

  /// Why the file has no times of day; nil where it has, or could not have.
  var undated: String? {
    guard count > 0, date == nil, format.hasDates else { return nil }
    return "the track has no times of day, because neither receiver nor clock told UTC"
  }

  /// Adds what is known now. Times in the file count from the first point; UTC of that
  /// is kept where it is known.
  mutating func add(_ output: LiveOutput) throws {
    guard var solution = output.solution, last.map({ output.time > $0 }) ?? true else { return }
    last = output.time
    let start = origin ?? output.time
    origin = start
    let since = output.time.nanoseconds - start.nanoseconds
    if let utc = output.utc { newestDate = Timestamp(nanoseconds: utc.time.nanoseconds &- since) }
    solution.time = Timestamp(nanoseconds: since)
    count += 1
    waiting.append(TrackPoint(solution: solution, display: display.update(solution)))
    if newestDate != nil || waiting.count >= Self.patience { try writeWaiting() }
  }

  /// Writes what is held back, for who goes on after an error; what waits for a date is lost.
  mutating func flush() throws {
    waiting.removeAll(keepingCapacity: true)
    try writer?.flush()
  }

  private mutating func writeWaiting() throws {
    if writer == nil {
      date = newestDate
      writer = try TrackWriter(
        path: path, format: format, unixTimeOfOrigin: date, provenance: provenance)
    }
    for point in waiting { try writer?.write(point.solution, display: point.display) }
    waiting.removeAll(keepingCapacity: true)
  }

  /// Ends the document.
  mutating func finish() throws {
    try writeWaiting()
    try writer?.finish()
    guard let date, let newestDate, abs(newestDate.seconds(since: date)) > Self.tolerance,
      SystemFile.kind(of: path) == S_IFREG  // what has gone down a pipe cannot be changed
    else { return }
    try TrackWriter.redate(path, format: format, by: newestDate.seconds(since: date))
  }

  /// A date that is off by less is left as it is, s: clocks drift by some milliseconds in an hour.
  private static let tolerance = 0.5
}
