import Navigation

/// Sees to it, through gpsd, that a receiver reports no more often than is needed, and as it did before once
/// that is needed again. Never more often than it was found to: its line may not carry more.
struct ReceiverRate {
  /// Fixes that show in what rhythm a receiver reports.
  static let fixes = 8

  private var path: String?
  private var last: Timestamp?
  private var intervals: [Double] = []
  /// Seconds from one fix to the next before anything was asked for.
  private var found: Double?
  /// What was asked for last; nil before that.
  private var asked: Double?
  /// Whether something was asked for over a connection that is gone: nobody knows how it reports now.
  private var isUnknown = false

  /// Nothing is known yet of the receiver at `path`.
  init(path: String? = nil) { self.path = path }

  /// What is known of it where the connection to gpsd is another one: not whether what was asked for still
  /// holds, for gpsd or the receiver may have begun anew.
  var afterReconnecting: ReceiverRate {
    var next = self
    (next.last, next.asked, next.isUnknown) = (nil, nil, isUnknown || asked != nil)
    return next
  }

  /// A fix of the receiver at `path` holds at `time`.
  mutating func note(_ time: Timestamp, path: String) {
    if path != self.path { self = ReceiverRate(path: path) }
    if let last, time > last, found == nil { intervals.append(time.seconds(since: last)) }
    last = time
    guard intervals.count == Self.fixes, found == nil else { return }
    found = (intervals.sorted()[Self.fixes / 2] * 1000).rounded() / 1000
  }

  /// What is to be asked of gpsd so that `device` reports `rate` times a second, or as it was found
  /// (nil); nil where nothing is.
  mutating func request(_ rate: Double?, of device: GPSDDevice) -> String? {
    guard device.path == path, let found, let least = device.fastestCycle else { return nil }
    let wanted = max(found, least, rate.map { 1 / $0 } ?? 0)
    guard isUnknown || abs(wanted - (asked ?? found)) > 0.01 else { return nil }
    // gpsd takes any receiver for one of a second, and passes on only what differs from that:
    // first it is told how it is.
    let before = asked == nil && wanted != found ? Self.line(device.path, found) : ""
    (asked, isUnknown) = (wanted, false)
    return before + Self.line(device.path, wanted)
  }

  private static func line(_ path: String, _ cycle: Double) -> String {
    let thousandths = Int((cycle * 1000).rounded())
    let decimals = String(thousandths % 1000 + 1000).dropFirst()
    return "?DEVICE={\"path\":\"\(escaped(path))\",\"cycle\":\(thousandths / 1000).\(decimals)};\n"
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { $0 += $1 == "\"" || $1 == "\\" ? "\\\($1)" : String($1) }
  }
}
