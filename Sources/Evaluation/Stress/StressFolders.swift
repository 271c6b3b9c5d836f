import Drives
import Essentials

/// Finds the drive folders that a path stands for.
public enum StressFolders {
  /// The path itself where it is a drive, else the drives in it by name, or those that it lists; with what is
  /// wrong in a list, in sentences.
  public static func drives(in path: String) throws -> (drives: [String], faults: [String]) {
    let found = DriveFolders(at: path)
    let files = FileManager.default
    if found.paths != [path] || files.fileExists(atPath: "\(path)/drive.json") {
      return (found.paths, found.faults.map(\.description))
    }
    guard (try? files.contentsOfDirectory(atPath: path)) != nil else {
      throw DriveError.folderNotFound(path: path)
    }
    throw EvaluationError.noDrives(path)
  }
}
