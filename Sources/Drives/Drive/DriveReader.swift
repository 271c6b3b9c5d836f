import CLibrary
import Essentials
import JSON
import Navigation

/// A drive folder: what it holds, and its rows as streams.
public struct DriveReader: Sendable {
  /// The folder.
  public let path: String
  /// What drive.json says.
  public let description: DriveDescription
  /// Axes of imu.csv.
  public let imuFrame: IMUFrame
  /// Whether there is an imu.csv.
  public let hasInertial: Bool
  /// Whether there is a gnss.csv.
  public let hasGNSS: Bool
  /// Whether there is a wheel.csv.
  public let hasWheel: Bool
  /// Whether there is a barometer.csv.
  public let hasPressure: Bool
  /// Whether there is a truth.csv.
  public let hasTruth: Bool
  /// Whether there is a receiver.csv: what another system made of the same drive.
  public let hasReceiver: Bool
  /// Whether there is a sky.csv: the satellites that the receiver saw.
  public let hasSky: Bool
  private let frameNote: String?

  /// Reads drive.json and the header lines of the tables.
  ///
  /// `imuFrame` overrules the axes that drive.json names in the first word of
  /// `imu.frame`; FRD where neither says.
  public init(path: String, imuFrame: IMUFrame? = nil) throws(DriveError) {
    guard Folder.isFolder(path) else { throw .folderNotFound(path: path) }
    self.path = path
    description = try Self.readDescription(path)
    hasInertial = Folder.exists("\(path)/\(InertialSample.file)")
    hasGNSS = Folder.exists("\(path)/\(GNSSFix.file)")
    hasWheel = Folder.exists("\(path)/\(WheelSample.file)")
    hasPressure = Folder.exists("\(path)/\(PressureSample.file)")
    hasTruth = Folder.exists("\(path)/\(TruthSample.file)")
    hasReceiver = Folder.exists("\(path)/\(TruthSample.receiverFile)")
    hasSky = Folder.exists("\(path)/\(SatelliteSample.file)")
    let stated = description.imu?.frame.map { Self.frame(statedAs: $0) }
    self.imuFrame = imuFrame ?? stated.flatMap { $0 } ?? .frd
    frameNote =
      imuFrame == nil && stated == .some(nil)
      ? "drive.json: imu.frame does not begin with axes such as FRD; FRD was assumed" : nil
    guard hasInertial || hasGNSS || hasWheel else { throw .noSensorFiles(path: path) }
    if hasInertial { _ = try Table(of: InertialSample.self, in: path) }
    if hasGNSS { _ = try Table(of: GNSSFix.self, in: path) }
    if hasWheel { _ = try Table(of: WheelSample.self, in: path) }
    if hasPressure { _ = try Table(of: PressureSample.self, in: path) }
    if hasTruth { _ = try Table(of: TruthSample.self, in: path) }
    if hasReceiver { _ = try Table(of: TruthSample.self, in: path, file: TruthSample.receiverFile) }
  }

  /// The measurements from the start, in order of arrival.
  public func samples() throws(DriveError) -> DriveSamples { try DriveSamples(self, frameNote: frameNote) }

  /// The truth from the start; no rows where there is no truth.csv.
  public func truth() throws(DriveError) -> TruthSamples {
    try TruthSamples(in: path, file: TruthSample.file, isThere: hasTruth)
  }

  /// What another system made of the same drive, from the start; no rows where there is no receiver.csv.
  public func receiver() throws(DriveError) -> TruthSamples {
    try TruthSamples(in: path, file: TruthSample.receiverFile, isThere: hasReceiver)
  }

  /// Hands on the satellites that the receiver saw, in order of time; what was left out,
  /// where there is a sky.csv.
  ///
  /// No figure depends on them: a file that cannot be read is a note, and what stands
  /// before the fault is handed on.
  public func sky(_ each: (SatelliteSample) -> Void) -> [RowRejections] {
    guard hasSky else { return [] }
    var rejections = RowRejections(file: SatelliteSample.file)
    do throws(DriveError) {
      var table = try Table(of: SatelliteSample.self, in: path)
      defer { rejections = table.rejections }
      while let sample = try table.next(SatelliteSample.self) { each(sample) }
    } catch {
      rejections.notes.append("\(error); the drive is evaluated without the rest of its sky")
    }
    return [rejections]
  }

  private static func frame(statedAs prose: String) -> IMUFrame? {
    let word = prose.prefix { $0 != " " }
    let axes = word.prefix { !".;:".contains($0) }
    return IMUFrame(String(axes.last == "," ? axes.dropLast() : axes))
  }

  private static func readDescription(_ folder: String) throws(DriveError) -> DriveDescription {
    let file = "\(folder)/drive.json"
    guard Folder.exists(file) else {
      // A folder that may not be searched may well hold one.
      throw errno == EACCES ? .system(folder, "read the folder") : .missingDescription(path: folder)
    }
    let text = try Folder.contents(of: file, limit: 1 << 20)
    do {
      let json = try JSONParser.read(text[...], limits: .file)
      var description = try JSONDecoder().decode(DriveDescription.self, from: Data(text))
      description.ignoredKeys = UnknownKeys.remarks(on: json) + packedFiles(folder)
      return description
    } catch let fault as JSONFault {
      throw .malformedDescription(file: file, reason: "not valid JSON: \(fault)")
    } catch let error as DecodingError {
      throw .malformedDescription(file: file, reason: Self.reason(error))
    } catch {
      throw .malformedDescription(file: file, reason: "\(error)")
    }
  }

  /// Sentences about files that are there only packed.
  private static func packedFiles(_ folder: String) -> [String] {
    DriveFolder.files.filter {
      !Folder.exists("\(folder)/\($0)") && Folder.exists("\(folder)/\($0).gz")
    }.map { "\($0).gz is not read: unpack it (gunzip \($0).gz)" }
  }

  static func reason(_ error: DecodingError) -> String {
    let context: DecodingError.Context
    switch error {
    case .keyNotFound(let key, _): return "\"\(key.stringValue)\" is missing"
    case .typeMismatch(_, let mismatch), .valueNotFound(_, let mismatch), .dataCorrupted(let mismatch):
      context = mismatch
    @unknown default: return "\(error)"
    }
    let keys = context.codingPath.map(\.stringValue).joined(separator: ".")
    let what = context.debugDescription
    return (keys.isEmpty ? "" : "\"\(keys)\": ") + (what.hasSuffix(".") ? String(what.dropLast()) : what)
  }
}
