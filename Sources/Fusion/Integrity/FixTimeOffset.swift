import Navigation

/// By how much the fixes hold before their stamps, by the IMU's clock: a receiver, a driver or a log may
/// stamp what has arrived.
///
/// The navigators find it; samples are told it before they are put in order of time.
package struct FixTimeOffset: Sendable {
  /// Range of the offset, s.
  /// [chosen: fixes of the future would have to wait for longer than samples of the IMU are waited for]
  private static let range = -0.2...1.5
  /// Least time between two changes, s.
  /// [measured on eight drives stamped 0.7 s late: mean P95 3.5, 3.5, 7.9 m with 2, 4, 10 s]
  private static let pause = 4.0

  /// Fixes are not on time where their lag is further from it than so many standard deviations of what noise
  /// makes of it: 24 sound drives have 2.3 at most, a phone's 5.2.
  /// [measured on eight drives stamped 0.3 s late: mean P95 3.2, 3.2, 3.5 m with 2.5, 3, 4]
  static let contradicted = 3.0
  /// And than so much, s: berlin-potsdamer's -0.004 s, of which little is seen, are none.
  /// [measured on eight drives stamped 0.3 s late: mean P95 3.2, 3.2, 3.3 m with 0.005, 0.01, 0.02]
  static let leastDoubt = 0.01
  /// What is believed of the lag then, and of what is left of it once stamps have been set back, s.
  /// [measured on eight drives stamped 0.3 s late: mean P95 3.5, 3.3, 3.2, 3.2 m with 0.1, 0.2, 0.3, 0.5]
  static let openSigma = 0.3
  /// A lag is clear from this on, s, and from so many of its standard deviations.
  /// [measured on tokyo-odaiba stamped 0.3 s late: P95 6.4, 5.7 m with 0.15, 0.1 s; none on 25 sound drives]
  static let leastDelay = 0.1, certain = 4.0
  /// What a lag that a late velocity tells is off by besides, s: it may be a mean over 0.1 s.
  /// [measured on eight drives stamped 0.7 s late: mean P95 3.6, 3.5, 5.0 m with 0.025, 0.05, 0.1]
  static let velocityError = 0.05

  /// Stamps are set back by so many seconds.
  /// [chosen: none until the navigators find it]
  package private(set) var value = 0.0
  /// Stamp of the fix that it was last changed at: what is set back behind it comes too late.
  private var changed: Timestamp?

  package init() {}

  /// The sample with the time that it holds at; nil for a fix from before the last change.
  @inline(__always) func corrected(_ sample: SensorSample) -> SensorSample? {
    guard value != 0, case .gnss(let fix) = sample else { return sample }
    return setBack(fix, by: value)
  }

  /// A fix that was corrected before the last change, by `change`, as it is now.
  func setBack(_ fix: GNSSFix, by change: Double) -> SensorSample? {
    var fix = fix
    // It arrived when it was stamped, where nothing else is known.
    fix.received = fix.received ?? fix.time
    fix.time = fix.time.advanced(bySeconds: -change)
    if let changed, fix.time <= changed { return nil }
    return .gnss(fix)
  }

  /// A lag, s, where it is clear with this variance, s².
  static func clear(_ delay: Double, variance: Double) -> Double? {
    abs(delay) > max(leastDelay, certain * max(0, variance).squareRoot()) ? delay : nil
  }

  /// Sets the stamps back by so many more seconds, from the fix of `time` on; returns by how many it does,
  /// nil for none.
  package mutating func set(back seconds: Double, at time: Timestamp) -> Double? {
    if let changed, time.seconds(since: changed) < Self.pause { return nil }
    let next = min(max(value + seconds, Self.range.lowerBound), Self.range.upperBound)
    guard next != value else { return nil }
    defer { (value, changed) = (next, time) }
    return next - value
  }
}
