import ArgumentParser
import Drives
import Persistence
import Recording

/// What a command reads, by the option or argument that names it.
struct InputFiles {
  let option: String
  fileprivate let paths: [String]

  /// A file; none where it is nil.
  static func file(_ option: String, _ path: String?) -> Self {
    Self(option: option, paths: path.map { [$0] } ?? [])
  }

  /// Drives, recordings, folders of drives and lists of them, with the files that make a drive or recording.
  static func drives(_ option: String, _ paths: [String]) -> Self {
    let folders = DriveFolders(at: paths).paths
    let files = folders.flatMap { folder in DriveFolder.files.map { "\(folder)/\($0)" } }
    let segments = folders.flatMap { ((try? RecordingFolder.segments(of: $0)) ?? []).map(\.path) }
    return Self(option: option, paths: paths + files + segments)
  }
}

/// Refuses, before anything is run, an output that is a file which is read, or the same as another output.
/// Devices and pipes hold nothing that could be lost.
func checkOutputs(_ outputs: [(option: String, path: String?)], reading inputs: InputFiles...) throws {
  let read = inputs.flatMap { input in input.paths.map { (input.option, FileIdentity($0)) } }
  var written: [(option: String, identity: FileIdentity)] = []
  for case (let option, let path?) in outputs where !AtomicFile.isSpecial(path) {
    let identity = FileIdentity(path)
    if let (input, _) = read.first(where: { $0.1 == identity }) {
      throw ValidationError(
        "\(option): \(path) is read for \(input), and would be overwritten: name another file.")
    }
    if let other = written.first(where: { $0.identity == identity }) {
      throw ValidationError(
        "\(option): \(path) is what \(other.option) names, too: each needs a file of its own.")
    }
    written.append((option, identity))
  }
}
