import Navigation

/// The samples of a drive in order of arrival: of those that arrive at once, inertial goes before wheel
/// before pressure before fix.
struct StressSamples: IteratorProtocol, Sequence {
  private let drive: StressDrive
  private var inertial = 0
  private var wheel = 0
  private var pressure = 0
  private var fix = 0

  init(_ drive: StressDrive) { self.drive = drive }

  mutating func next() -> SensorSample? {
    let inertialTime = inertial < drive.inertial.count ? drive.inertial[inertial].time.nanoseconds : nil
    let wheelTime = wheel < drive.wheel.count ? drive.wheel[wheel].time.nanoseconds : nil
    let pressureTime = pressure < drive.pressure.count ? drive.pressure[pressure].time.nanoseconds : nil
    let fixTime = fix < drive.fixes.count ? drive.fixes[fix].arrival.nanoseconds : nil
    if let inertialTime, inertialTime <= Swift.min(wheelTime ?? .max, pressureTime ?? .max, fixTime ?? .max) {
      inertial += 1
      return .inertial(drive.inertial[inertial - 1])
    }
    if let wheelTime, wheelTime <= Swift.min(pressureTime ?? .max, fixTime ?? .max) {
      wheel += 1
      return .wheel(drive.wheel[wheel - 1])
    }
    if let pressureTime, pressureTime <= fixTime ?? .max {
      pressure += 1
      return .pressure(drive.pressure[pressure - 1])
    }
    guard fixTime != nil else { return nil }
    fix += 1
    return .gnss(drive.fixes[fix - 1])
  }
}
