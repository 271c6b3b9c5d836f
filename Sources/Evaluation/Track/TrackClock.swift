import Drives
import Navigation

/// What the times of a track count.
public enum TrackTimeBase: String, CaseIterable, Sendable {
  /// Seconds of the drive.
  case drive
  /// UTC, or seconds since 1970 without leap seconds.
  case utc
  /// GPS time: of a calendar, or seconds since 1980-01-06.
  case gps
}

/// Brings the times of a track to the drive's own.
struct TrackClock: Sendable {
  /// What was asked for; nil to go by the file.
  var base: TrackTimeBase?
  /// UTC at the zero of the drive's times, if it is known.
  var startUTC: Timestamp?
  /// Seconds added to all times, because the user asked for it.
  var shift = 0.0
  /// Numbers below this are no seconds since 1970 of any receiver: those of 1979.
  private static let leastUnix = 3e8

  /// What the times of `point` count.
  func base(of point: TrackFilePoint) -> TrackTimeBase {
    if let base { return base }
    if point.isGPS { return .gps }
    return point.isUTC || abs(point.sample.time.seconds) >= Self.leastUnix ? .utc : .drive
  }

  /// The time of `point` on the drive's clock; nil where it cannot be told without the drive's start in UTC.
  func time(of point: TrackFilePoint) -> Timestamp? {
    let time = point.sample.time
    let utc: Timestamp
    switch base(of: point) {
    case .drive: return point.isUTC ? nil : time.advanced(bySeconds: shift)
    case .utc: utc = point.isGPS ? time.utcOfCalendarUTC : time
    case .gps where point.isGPS: utc = time
    case .gps: utc = point.isUTC ? time.utcOfCalendarGPS : ImportTime.utc(gps: time)
    }
    guard let startUTC, abs(utc.seconds) < 9e9 else { return nil }
    return Timestamp(nanoseconds: utc.nanoseconds - startUTC.nanoseconds).advanced(bySeconds: shift)
  }
}
