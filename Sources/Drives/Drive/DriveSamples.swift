import Navigation

/// The measurements of a drive in order of arrival, read as they are asked for.
///
/// Each file is read in its own order with one row held back: a fix whose arrival precedes that of the fix
/// ahead of it in gnss.csv comes after it all the same.
public struct DriveSamples: ~Copyable {
  private var inertial: RowStream<InertialSample>?
  private var wheel: RowStream<WheelSample>?
  private var pressure: RowStream<PressureSample>?
  private var gnss: RowStream<GNSSFix>?
  private let frdFromIMU: Matrix3
  private let frameNote: String?

  init(_ drive: DriveReader, frameNote: String?) throws(DriveError) {
    inertial = drive.hasInertial ? try RowStream(in: drive.path) : nil
    wheel = drive.hasWheel ? try RowStream(in: drive.path) : nil
    pressure = drive.hasPressure ? try RowStream(in: drive.path) : nil
    gnss = drive.hasGNSS ? try RowStream(in: drive.path) : nil
    frdFromIMU = drive.imuFrame.frdFromIMU
    self.frameNote = frameNote
  }

  /// The next measurement; nil at the end. Of those that arrive at once, inertial goes before wheel
  /// before pressure before fix.
  public mutating func next() throws(DriveError) -> SensorSample? {
    let inertialTime = inertial?.pending?.time.nanoseconds
    let wheelTime = wheel?.pending?.time.nanoseconds ?? .max
    let pressureTime = pressure?.pending?.time.nanoseconds ?? .max
    let fixTime = (gnss?.pending).map { ($0.received ?? $0.time).nanoseconds } ?? .max
    if let inertialTime, inertialTime <= min(wheelTime, pressureTime, fixTime) {
      guard var sample = try inertial?.take() else { return nil }
      sample.angularRate = frdFromIMU * sample.angularRate
      sample.specificForce = frdFromIMU * sample.specificForce
      return .inertial(sample)
    }
    if wheel?.pending != nil, wheelTime <= min(pressureTime, fixTime) {
      return try wheel?.take().map { .wheel($0) }
    }
    if pressure?.pending != nil, pressureTime <= fixTime {
      return try pressure?.take().map { .pressure($0) }
    }
    return try gnss?.take().map { .gnss($0) }
  }

  /// What has been left out so far, a file each, in the order imu.csv, wheel.csv, barometer.csv, gnss.csv.
  public var rejections: [RowRejections] {
    var inertial = inertial?.rejections
    if let frameNote { inertial?.notes.append(frameNote) }
    return [inertial, wheel?.rejections, pressure?.rejections, gnss?.rejections].compactMap { $0 }
  }
}
