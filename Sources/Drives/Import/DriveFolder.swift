import CLibrary
import Navigation

/// Drive folders that appear whole or not at all.
package enum DriveFolder {
  /// What a drive may hold.
  package static let files =
    ["drive.json"] + SensorKind.allCases.map(\.file)
    + [TruthSample.file, TruthSample.receiverFile, SatelliteSample.file]

  /// Lets `body` write a folder beside `path` that takes its place once it is whole,
  /// and goes if `body` throws.
  ///
  /// Overwriting replaces the files of a drive and leaves others alone; drive.json goes
  /// first and comes back last.
  package static func replace(
    _ path: String, overwriting: Bool, _ body: (String) throws(DriveError) -> Void
  ) throws(DriveError) {
    let target = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    if Folder.exists(target), !Folder.isFolder(target) {
      throw .system(file: target, operation: "create the folder", reason: "a file of that name is there")
    }
    if !overwriting, try !isFree(target) { throw .alreadyExists(path: target) }
    if let slash = target.lastIndex(of: "/"), slash != target.startIndex {
      try Folder.create(String(target[..<slash]))
    }
    let partial = target + ".partial-\(getpid())"
    clear(partial)
    do throws(DriveError) {
      try body(partial)
      if rename(partial, target) == 0 { return }
      // An empty folder is replaced, but not the one that this process works in.
      guard overwriting || errno == EBUSY, Folder.isFolder(target) else {
        throw DriveError.system(target, "create")
      }
      for file in files where Folder.exists("\(target)/\(file)") { try Folder.remove("\(target)/\(file)") }
      for file in files.reversed() where Folder.exists("\(partial)/\(file)") {
        guard rename("\(partial)/\(file)", "\(target)/\(file)") == 0 else {
          throw DriveError.system("\(target)/\(file)", "replace")
        }
      }
      clear(partial)
    } catch {
      clear(partial)
      throw error.named(target, insteadOf: partial)
    }
  }

  private static func clear(_ folder: String) {
    for file in files { unlink("\(folder)/\(file)") }
    rmdir(folder)
  }

  /// Whether nothing, or an empty folder, is at `path`.
  private static func isFree(_ path: String) throws(DriveError) -> Bool {
    guard Folder.exists(path) else { return true }
    return try Folder.entries(of: path).isEmpty
  }
}

extension Folder {
  /// Names of what is in a folder, in order.
  static func entries(of path: String) throws(DriveError) -> [String] {
    guard let names = SystemFolder.entries(of: path) else { throw .system(path, "list") }
    return names.sorted()
  }
}
