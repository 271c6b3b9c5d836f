import Navigation

/// The samples of a drive in order of arrival: of those that arrive at once, inertial goes before wheel before fix.
struct StressSamples: IteratorProtocol, Sequence {
  private let drive: StressDrive
  private var inertial = 0
  private var wheel = 0
  private var fix = 0

  init(_ drive: StressDrive) { self.drive = drive }

  mutating func next() -> SensorSample? {
    let inertialTime = inertial < drive.inertial.count ? drive.inertial[inertial].time.nanoseconds : nil
    let wheelTime = wheel < drive.wheel.count ? drive.wheel[wheel].time.nanoseconds : nil
    let fixTime = fix < drive.fixes.count ? drive.fixes[fix].arrival.nanoseconds : nil
    if let inertialTime, inertialTime <= wheelTime ?? .max, inertialTime <= fixTime ?? .max {
      inertial += 1
      return .inertial(drive.inertial[inertial - 1])
    }
    if let wheelTime, wheelTime <= fixTime ?? .max {
      wheel += 1
      return .wheel(drive.wheel[wheel - 1])
    }
    guard fixTime != nil else { return nil }
    fix += 1
    return .gnss(drive.fixes[fix - 1])
  }
}
