import CLibrary

/// Keeps a second service off a database, by a file beside it. It goes with the process, however that ends.
final class StoreLock: Sendable {
  private let descriptor: Int32

  /// Where the file cannot be made, or cannot be locked there, nothing is locked: whether it can be used
  /// the database says itself.
  init(database: String) throws(StoreError) {
    try StoreFile.check(database)
    descriptor = open(Self.name(of: database), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
    throw .busy(path: database)
  }

  /// The file of a database, by the database's own name: two links to it are one.
  static func name(of database: String) -> String {
    let resolved = realpath(database, nil)
    defer { free(resolved) }
    return (resolved.map { String(cString: $0) } ?? database) + ".lock"
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Lets another service have the database.
  func release() { if descriptor >= 0 { _ = flock(descriptor, LOCK_UN) } }
}
