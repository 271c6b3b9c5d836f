import CLibrary

/// What stands at a database's path, seen before anything there is opened, locked, made or changed.
enum StoreFile {
  /// How every database of SQLite begins.
  private static let magic = Array("SQLite format 3\0".utf8)

  /// Throws where there is no place for a database: something that is no file, or a file of another kind.
  static func check(_ path: String) throws(StoreError) {
    try checkKind(path)
    guard isOurs(path) else { throw .notDatabase(path: path) }
  }

  /// Throws where something is there that is no file: SQLite would wait for a pipe, and take a device for an
  /// empty database.
  static func checkKind(_ path: String) throws(StoreError) {
    if let kind = SystemFile.kind(of: path), kind != S_IFREG { throw .notAFile(path: path) }
  }

  /// Throws where no file can be made in the folder that it would lie in.
  static func checkFolder(of path: String) throws(StoreError) {
    let folder = StoreError.folder(of: path)
    guard access(folder, F_OK) == 0 else { throw .folderMissing(path: path) }
    guard access(folder, W_OK | X_OK) != 0 else { return }
    throw errno == EROFS ? .readOnly(path: path) : .notPermitted(path: path)
  }

  /// Whether the file may be put aside when it cannot be read: it is empty or missing, begins as a database
  /// or a cut one does, or has beside it what only a service leaves there. What may not be read SQLite
  /// refuses.
  static func isOurs(_ path: String) -> Bool {
    let beside = [path + "-wal", StoreLock.name(of: path)]
    if beside.contains(where: { access($0, F_OK) == 0 }) { return true }
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return true }
    defer { close(file) }
    var head = [UInt8](repeating: 0, count: magic.count)
    let count = read(file, &head, head.count)
    return count <= 0 || magic.starts(with: head[..<count])
  }

  /// Renames a database with its log; the name that it has now.
  static func putAside(_ path: String, _ ending: String) throws(StoreError) -> String {
    // Older ones are kept too: a name that is free.
    let names = [path + ending] + (2...99).map { "\(path)\(ending)-\($0)" }
    guard let aside = names.first(where: { access($0, F_OK) != 0 }), rename(path, aside) == 0 else {
      throw StoreError.notPermitted(path: path)
    }
    for end in ["-wal", "-shm"] { _ = rename(path + end, aside + end) }
    return aside
  }
}
