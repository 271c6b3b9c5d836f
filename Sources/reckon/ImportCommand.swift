import ArgumentParser
import Drives
import Essentials
import Evaluation
import Persistence
import Programs
import Recording

/// `reckon import`
struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Make a drive folder of what another program recorded.",
    discussion: """
      Formats:

      \(ImportFormat.allCases.map { "\($0.rawValue): \($0.summary)" }.joined(separator: "\n"))
      recording: a folder that reckon record made

      The map for csv is JSON; units are optional, tables left out are not read, an unknown key is an error:

      {"imuFrame": "flu",
       "imu": {"file": "log.csv", "separator": ";", "columns": {
         "time_s": {"column": "t", "unit": "ms"},
         "gyro_x_rad_s": {"column": "wx", "unit": "deg/s"}, ...
         "accel_x_m_s2": {"column": "ax", "unit": "g"}, ...}},
       "gnss": {"file": "gps.csv", "columns": {"time_s": {"column": "utc", "unit": "utc"},
         "latitude_deg": "lat", "longitude_deg": "lon", ...}}}

      The keys of columns are those of a drive's own files (see the folders in datasets). Without a header ("header": false) a \
      column is its place from 1.

      Bad rows are counted, and the first is said with file, line and column. The folder appears whole or not at all. Exits with \
      0, with 2 for arguments that cannot be used and with 3 for data that cannot be used.
      """)

  @Argument(help: "Format: \(Self.formats).") var format: String
  @Argument(help: "The file or folder to import.") var path: String
  @Option(help: ArgumentHelp("Folder for the drive.", valueName: "folder")) var output: String
  @Option(help: "Name of the drive; that of the file or folder if not given.") var name: String?
  @Option(
    help: ArgumentHelp("Axes of the IMU, against what the format says: for example flu.", valueName: "frame"))
  var imuFrame: String?
  @Option(help: ArgumentHelp("Map of columns, for csv.", valueName: "file.json")) var map: String?
  @Option(help: ArgumentHelp("Fixes as gpsd JSON, for urbannav.", valueName: "file.json")) var gnss: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Which session of a recording, from 1; the last if not given.", valueName: "number"))
  var session: Int?
  @Flag(help: "Write into a folder that is not empty, over the drive that is in it.") var force = false

  func validate() throws {
    let format = ImportFormat(rawValue: format)
    guard format != nil || isRecording else {
      throw ValidationError("No format \(self.format); known are \(Self.formats).")
    }
    if session != nil, !isRecording { throw ValidationError("--session is for recordings.") }
    if isRecording, imuFrame != nil {
      throw ValidationError("--imu-frame is not for recordings: their axes are known.")
    }
    _ = try imuFrame.map(IMUFrame.parsing)
    if format == .csv, map == nil { throw ValidationError("csv needs a map of columns: --map file.json.") }
    if map != nil, format != .csv { throw ValidationError("--map is for csv.") }
    if gnss != nil, format != .urbannav { throw ValidationError("--gnss is for urbannav.") }
    try checkFolder()
    if !force, let entries = try? FileManager.default.contentsOfDirectory(atPath: output), !entries.isEmpty {
      throw ValidationError("\(output) is not empty; choose another folder, or write into it with --force.")
    }
  }

  /// A drive is written over nothing that it is made of.
  private func checkFolder() throws {
    try checkOutputs(
      DriveFolder.files.map { ("--output", "\(output)/\($0)") }, reading: .file("<path>", path),
      .file("--map", map), .file("--gnss", gnss))
    guard FileIdentity(output) != FileIdentity(path) else {
      throw ValidationError("--output: \(output) is read for <path>: name another folder.")
    }
  }

  private static let formats = (ImportFormat.allCases.map(\.rawValue) + ["recording"]).joined(separator: ", ")
  private var isRecording: Bool { format == "recording" }

  private func read() throws -> DriveImport {
    guard let format = ImportFormat(rawValue: format) else {
      return try RecordingImport.read(path, name: name, session: session)
    }
    var options = ImportOptions()
    options.name = name
    options.imuFrame = try imuFrame.map(IMUFrame.parsing)
    options.gnss = gnss
    options.map = map
    return try format.read(path, options: options)
  }

  func run() async throws {
    Terminal.progress("reading \(path)")
    var drive = try read()
    Terminal.progress("writing \(output)")
    try drive.write(to: output, overwriting: force)
    Terminal.endProgress()
    for remark in drive.rejections.compactMap(\.remark) + drive.notes { Terminal.error("note: \(remark)") }
    if !Terminal.output("\(output): \(drive.summary)\n") { throw ExitStatus.unusableData }
  }
}
