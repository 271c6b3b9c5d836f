import Navigation

/// When a heading, or any direction, is first claimed, counted from the first second of driving.
struct HeadingClaim: Sendable {
  /// True speed of a car that drives, m/s.
  static let drivingSpeed = 3.0

  private var drivingFor = 0.0
  private var start: Timestamp?
  private var driven = 0.0
  private(set) var after: Double?
  private(set) var afterDriving: Double?

  /// Takes a point of truth that stands for `interval` seconds.
  mutating func add(_ time: Timestamp, interval: Double, speed: Double?, isClaimed: Bool) {
    if isClaimed, after == nil {
      after = start.map { time.seconds(since: $0) } ?? 0
      afterDriving = driven
    }
    guard after == nil, let speed else { return }
    let drives = speed > Self.drivingSpeed
    if start != nil {
      if drives { driven += interval }
      return
    }
    drivingFor = drives ? drivingFor + interval : 0
    if drivingFor >= 1 { start = time.advanced(bySeconds: interval) }
  }

  /// Whether 20 s of driving brought none.
  var isNever: Bool { after == nil && driven >= 20 }
}
