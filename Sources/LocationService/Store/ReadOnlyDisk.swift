import CLibrary

/// File systems that let nothing be written, by their mount or after a fault of the disk.
enum ReadOnlyDisk {
  /// Where a copy may lie: in memory, as far as there is such.
  private static let folders = ["/dev/shm", "/run", "/tmp"]

  /// Whether the file system that `path` lies on, or would lie on, is one: found by trying, because after a
  /// fault it may not call itself so.
  static func holds(_ path: String) -> Bool {
    let probe = "\(path).probe-\(getpid())"
    let file = open(probe, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { return errno == EROFS }
    close(file)
    unlink(probe)
    return false
  }

  /// Copies the database at `path` and its log to a folder of this user's own, for `body` to open there, and
  /// removes the copy's names: what is open stays. SQLite itself reads no database with a log where nothing
  /// can be written. Nil where there is nowhere to copy it to.
  static func withCopy<Result>(of path: String, _ body: (String) throws -> Result) throws -> Result? {
    for parent in folders {
      var template = Array("\(parent)/reckon-XXXXXX".utf8CString)
      guard let made = mkdtemp(&template) else { continue }
      let folder = String(cString: made)
      let copy = folder + "/store.sqlite"
      defer {
        for end in ["", "-wal", "-shm"] { unlink(copy + end) }
        rmdir(folder)
      }
      guard copyFile(path, to: copy),
        access(path + "-wal", F_OK) != 0 || copyFile(path + "-wal", to: copy + "-wal")
      else { continue }
      return try body(copy)
    }
    return nil
  }

  private static func copyFile(_ path: String, to copy: String) -> Bool {
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { return false }
    defer { close(source) }
    let target = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard target >= 0 else { return false }
    defer { close(target) }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(source, &buffer, buffer.count)
      if count <= 0 { return count == 0 }
      guard write(target, buffer, count) == count else { return false }
    }
  }
}
