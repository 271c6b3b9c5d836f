import Drives

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Finds the drive folders that a path stands for.
public enum StressFolders {
  /// The path itself where it is a drive, else the drives in it by name, or those that it lists.
  public static func drives(in path: String) throws -> [String] {
    let drives = DriveReader.drives(at: path)
    let files = FileManager.default
    if drives != [path] || files.fileExists(atPath: "\(path)/drive.json") { return drives }
    guard (try? files.contentsOfDirectory(atPath: path)) != nil else {
      throw DriveError.folderNotFound(path: path)
    }
    throw EvaluationError.noDrives(path)
  }
}
