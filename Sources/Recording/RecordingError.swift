import CLibrary

/// Why a recording could not be opened, and what to do about it.
public enum RecordingError: Error, Equatable, CustomStringConvertible {
  /// There is no such folder, or it holds no segment.
  case notARecording(path: String)
  /// The folder to record into holds something else.
  case folderInUse(path: String, by: String)
  /// Another process is recording into the folder.
  case locked(path: String)
  /// A segment of a version that this one does not know.
  case unknownVersion(file: String, found: Int, known: Int)
  /// A queue of so many items holds none, or more than there is memory for.
  case queueCapacity(Int, allowed: ClosedRange<Int>)
  /// The writer cannot look for items so often, s.
  case pollSeconds(Double, allowed: ClosedRange<Double>)
  /// The operating system refused.
  case system(file: String, operation: String, reason: String)

  /// One line: what is wrong, and what to do.
  public var description: String {
    switch self {
    case .notARecording(let path):
      "\(path): no recording; give a folder with files such as \(RecordingFolder.name(of: 1)) in it"
    case .folderInUse(let path, let name):
      "\(path): holds \(name), which is not of a recording; choose a folder of its own"
    case .locked(let path):
      "\(path): another process is recording into it; stop that one, or choose another folder"
    case .unknownVersion(let file, let found, let known):
      "\(file): written in version \(found) of the format; this program knows version \(known)"
    case .queueCapacity(let found, let allowed):
      "RecordingSettings.queueCapacity is \(found); set it to \(allowed.lowerBound) to \(allowed.upperBound) items"
    case .pollSeconds(let found, let allowed):
      "RecordingSettings.pollSeconds is \(found); set it to \(allowed.lowerBound) to \(allowed.upperBound) s"
    case .system(let file, let operation, let reason):
      "\(file): cannot \(operation): \(reason)"
    }
  }

  static func system(_ file: String, _ operation: String, _ code: Int32 = errno) -> RecordingError {
    .system(file: file, operation: operation, reason: SystemError.text(code))
  }
}
