import CLibrary

/// Which file a name leads to, whatever it is called meanwhile.
package struct FileNumber: Sendable, Equatable {
  private let device: dev_t
  private let number: ino_t

  /// The file at `path`; nil where there is none.
  package init?(_ path: String) {
    var file = stat()
    guard stat(path, &file) == 0 else { return nil }
    (device, number) = (file.st_dev, file.st_ino)
  }
}

/// The file that a name leads to, or would make: by its number where it is there, else by its name in the
/// folder that the path leads to.
package enum FileIdentity: Sendable, Equatable {
  case file(FileNumber)
  case name(String)

  /// What is, or would be, at `path`.
  package init(_ path: String) {
    if let number = FileNumber(path) {
      self = .file(number)
      return
    }
    let cut = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let folder = realpath(cut == path.startIndex ? "." : String(path[..<cut]), nil)
    defer { free(folder) }
    self = .name((folder.map { String(cString: $0) + "/" } ?? String(path[..<cut])) + path[cut...])
  }
}
