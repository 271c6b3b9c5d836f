import Programs
import Recording

extension RecordingWriter {
  /// A recorder into `folder`, which says what becomes of it. A folder that another records into
  /// cannot be used as an argument.
  static func opened(
    _ folder: String, _ configuration: String, _ settings: RecordingSettings = RecordingSettings()
  ) throws -> RecordingWriter {
    do {
      return try RecordingWriter(folder: folder, configuration: configuration, settings: settings) { status in
        switch status {
        case .recording: Terminal.error("note: recording goes on.")
        case .stopped(let reason):
          Terminal.error(
            "error: \(folder): \(reason); nothing is recorded until there is room, fusion goes on.")
        case .closed: break
        }
      }
    } catch {
      guard case .folderInUse = error else { throw error }
      Terminal.error("error: \(error)")
      throw ExitStatus.unusableArguments
    }
  }
}

/// The thread of the engine could not be made.
struct NoThread: Error, CustomStringConvertible {
  var description: String { "the system has no thread left." }
}
