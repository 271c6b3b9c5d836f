import ArgumentParser
import Drives

/// `--imu-frame` of the commands that read a drive.
struct IMUFrameOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Axes of imu.csv, against what drive.json says: for example flu, or x,-y,-z.", valueName: "frame"))
  var imuFrame: String?

  func validate() throws { _ = try frame() }

  /// The axes that were given, if any.
  func frame() throws -> IMUFrame? { try imuFrame.map(IMUFrame.parsing) }
}

extension IMUFrame {
  /// Reads `--imu-frame`.
  static func parsing(_ text: String) throws -> IMUFrame {
    guard let frame = IMUFrame(text) else {
      throw ValidationError(
        "--imu-frame: '\(text)' is no set of axes; write for example frd, flu or x,-y,-z.")
    }
    return frame
  }
}
