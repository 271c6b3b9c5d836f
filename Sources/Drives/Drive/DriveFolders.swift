/// The drives that a path stands for, and what of it stands for none.
public struct DriveFolders: Sendable, Equatable {
  /// Folders of drives.
  public private(set) var paths: [String] = []
  /// What is wrong with a list, a line each.
  public private(set) var faults: [DriveError] = []

  /// The drives of `path`: itself, or where it is a folder without drive.json those in it, in order of their
  /// names, or where it is a file those that it lists, a folder a line.
  ///
  /// Blanks around a line are taken off; blank lines, and those that begin with `#`, are passed over. A line
  /// may name a folder of drives too.
  public init(at path: String) {
    guard Folder.exists(path), !Folder.isFolder(path) else {
      paths = Self.folders(at: path)
      return
    }
    do throws(DriveError) { try read(path) } catch { faults.append(error) }
    if paths.isEmpty, faults.isEmpty { faults.append(.emptyList(file: path)) }
  }

  /// The drives of several paths, in their order.
  public init(at paths: [String]) {
    for path in paths {
      let one = DriveFolders(at: path)
      self.paths += one.paths
      faults += one.faults
    }
  }

  private mutating func read(_ file: String) throws(DriveError) {
    var lines = try LineReader(path: file, acceptsPipes: false)
    while let line = try lines.next() {
      let name = Decimal.trimmed(line)
      if name.isEmpty || name.hasPrefix("#") { continue }
      if Folder.isFolder(name) {
        paths += Self.folders(at: name)
      } else {
        faults.append(.noFolder(file: file, line: lines.line, text: Self.excerpt(name)))
        // What begins like this is no list.
        if paths.isEmpty, faults.count == 10 { return }
      }
    }
  }

  /// What is no text could be commands to the terminal.
  private static func excerpt(_ line: String) -> String {
    line.prefix(60).map { ($0.asciiValue ?? 0x20) >= 0x20 ? String($0) : "?" }.joined()
      + (line.count > 60 ? "…" : "")
  }

  private static func folders(at path: String) -> [String] {
    guard Folder.isFolder(path), !Folder.exists("\(path)/drive.json"),
      let entries = try? Folder.entries(of: path)
    else { return [path] }
    let base = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    let found = entries.map { "\(base)/\($0)" }.filter { Folder.exists("\($0)/drive.json") }
    return found.isEmpty ? [path] : found
  }
}
