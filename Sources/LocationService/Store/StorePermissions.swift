import CLibrary

/// Who may read a database knows where the car was: it is its owner's alone, whatever the umask.
enum StorePermissions {
  private static let owner: mode_t = 0o600

  /// Makes the file, if there is none; SQLite gives its log the same permissions. One that is there is not
  /// opened: to close it would end SQLite's locks in this process. Where it cannot be made SQLite says why.
  static func make(_ path: String) {
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, owner)
    guard file >= 0 else { return }
    fchmod(file, owner)
    close(file)
  }

  /// The same for a database that an earlier version made.
  static func restrict(_ path: String) {
    for end in ["", "-wal", "-shm"] { chmod(path + end, owner) }
  }
}
