import Drives

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Finds the drive folders that a path stands for.
public enum StressFolders {
  /// The path itself where it is a drive, else the drives in it by name.
  public static func drives(in path: String) throws -> [String] {
    let files = FileManager.default
    if files.fileExists(atPath: "\(path)/drive.json") { return [path] }
    guard let names = try? files.contentsOfDirectory(atPath: path) else {
      throw DriveError.folderNotFound(path: path)
    }
    let parent = path.hasSuffix("/") ? String(path.dropLast()) : path
    let drives = names.sorted().map { "\(parent)/\($0)" }
      .filter { files.fileExists(atPath: "\($0)/drive.json") }
    guard !drives.isEmpty else { throw EvaluationError.noDrives(path) }
    return drives
  }
}
