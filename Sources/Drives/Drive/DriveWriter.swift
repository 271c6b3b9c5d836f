import CLibrary
import Essentials
import Navigation

/// Writes a drive folder row by row.
///
/// The same samples give the same bytes. Decimals: time 4, or 6 where the microseconds need them; latitude
/// and longitude 10; gyroscope 7; accelerometer 6; height, velocity, standard deviations and speeds 4; angles
/// 5; yaw rate 6; pressure 2. A file starts with its first row, so a drive without wheel speed has no
/// wheel.csv. drive.json is written last: a folder without it was not finished.
public struct DriveWriter: ~Copyable {
  /// The folder.
  public let path: String
  private let description: DriveDescription
  private let hasWheelYawRate: Bool
  private var inertial: RowWriter?
  private var gnss: RowWriter?
  private var wheel: RowWriter?
  private var pressure: RowWriter?
  private var truth: RowWriter?
  private var receiver: RowWriter?
  private var sky: RowWriter?
  private var isFinished = false

  /// Makes the folder.
  ///
  /// Throws ``DriveError/alreadyExists(path:)`` where it holds a file of a drive already, unless
  /// `overwriting`: then those files go first. `hasWheelYawRate` says whether wheel.csv has a column for it.
  public init(
    path: String, description: DriveDescription, hasWheelYawRate: Bool = true, overwriting: Bool = false
  ) throws(DriveError) {
    try Folder.create(path)
    for file in DriveFolder.files where Folder.exists("\(path)/\(file)") {
      guard overwriting else { throw .alreadyExists(path: path) }
      try Folder.remove("\(path)/\(file)")
    }
    self.path = path
    self.description = description
    self.hasWheelYawRate = hasWheelYawRate
  }

  /// Adds a measurement; each kind must come in order of its time.
  public mutating func write(_ sample: SensorSample) throws(DriveError) {
    precondition(!isFinished, "a row was written after finish()")
    switch sample {
    case .inertial(let sample): try write(sample)
    case .gnss(let fix): try write(fix)
    case .wheel(let sample): try write(sample)
    case .pressure(let sample):
      if pressure == nil { pressure = try table(PressureSample.self) }
      try pressure?.write(sample)
    }
  }

  /// Adds a row of truth; rows must come in order of time.
  public mutating func write(_ sample: TruthSample) throws(DriveError) {
    precondition(!isFinished, "a row was written after finish()")
    if truth == nil { truth = try table(TruthSample.self) }
    try truth?.write(sample)
  }

  /// Adds a row of another system's solution; rows must come in order of time.
  public mutating func write(receiver sample: TruthSample) throws(DriveError) {
    precondition(!isFinished, "a row was written after finish()")
    if receiver == nil { receiver = try table(TruthSample.self, file: TruthSample.receiverFile) }
    try receiver?.write(sample)
  }

  /// Adds a row of what the receiver saw of the sky; rows must come in order of time,
  /// which several may share.
  public mutating func write(_ sample: SatelliteSample) throws(DriveError) {
    precondition(!isFinished, "a row was written after finish()")
    if sky == nil { sky = try table(SatelliteSample.self) }
    try sky?.write(sample)
  }

  /// Writes what is still buffered, then drive.json. Further calls do nothing.
  public mutating func finish() throws(DriveError) {
    guard !isFinished else { return }
    isFinished = true
    try inertial?.finish()
    try gnss?.finish()
    try wheel?.finish()
    try pressure?.finish()
    try truth?.finish()
    try receiver?.finish()
    try sky?.finish()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let json: Data
    do {
      json = try encoder.encode(description)
    } catch {
      throw .malformedDescription(file: "\(path)/drive.json", reason: "cannot be encoded: \(error)")
    }
    var file = try ByteWriter(path: "\(path)/drive.json")
    file.append(String(decoding: json, as: UTF8.self))
    file.append("\n")
    try file.finish()
  }

  private mutating func write(_ sample: InertialSample) throws(DriveError) {
    if inertial == nil { inertial = try table(InertialSample.self) }
    inertial?.begin(sample.time)
    inertial?.required(sample.angularRate, decimals: 7)
    inertial?.required(sample.specificForce, decimals: 6)
    try inertial?.end()
  }

  private mutating func write(_ fix: GNSSFix) throws(DriveError) {
    if gnss == nil { gnss = try table(GNSSFix.self) }
    let velocity = fix.velocityNED
    let course = velocity.map { Angle.positive(atan2($0.y, $0.x)) }
    gnss?.begin(fix.time)
    gnss?.required(fix.position.latitudeDegrees, decimals: 10)
    gnss?.required(fix.position.longitudeDegrees, decimals: 10)
    gnss?.cell(fix.position.height, decimals: 4)
    gnss?.cells(fix.positionSigma, decimals: 4)
    gnss?.cells(velocity, decimals: 4)
    gnss?.cell(velocity?.horizontalNorm, decimals: 4)
    gnss?.cell(course.map { Angle.degrees(radians: $0) }, decimals: 5)
    gnss?.cell(fix.received)
    gnss?.cell(fix.speedSigma, decimals: 4)
    gnss?.cell(fix.courseSigma.map { Angle.degrees(radians: $0) }, decimals: 5)
    try gnss?.end()
  }

  private mutating func write(_ sample: WheelSample) throws(DriveError) {
    if wheel == nil { wheel = try table(WheelSample.self) }
    wheel?.begin(sample.time)
    wheel?.required(sample.speed, decimals: 4)
    if hasWheelYawRate { wheel?.cell(sample.yawRate, decimals: 6) }
    try wheel?.end()
  }

  private func table<Row: TableRow>(
    _ row: Row.Type, file: String = Row.file
  ) throws(DriveError) -> RowWriter {
    let optional = Row.self == WheelSample.self && !hasWheelYawRate ? [] : Row.optional
    return try RowWriter(path: "\(path)/\(file)", columns: Row.required + optional)
  }
}

extension RowWriter {
  fileprivate mutating func write(_ sample: TruthSample) throws(DriveError) {
    begin(sample.time)
    required(sample.position.latitudeDegrees, decimals: 10)
    required(sample.position.longitudeDegrees, decimals: 10)
    cell(sample.position.height, decimals: 4)
    cells(sample.velocityNED, decimals: 4)
    for angle in [sample.roll, sample.pitch, sample.yaw] {
      cell(angle.map { Angle.degrees(radians: $0) }, decimals: 5)
    }
    try end()
  }
}
