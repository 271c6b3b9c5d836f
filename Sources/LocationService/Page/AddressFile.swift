import CLibrary
import Location

/// The file that holds the address of the live page: who can read it can open the page, so
/// it is its owner's alone.
enum AddressFile {
  /// Writes `address` and a line feed, whole or not at all; nobody else can have made, opened or
  /// linked what is written to.
  static func save(_ address: String, to path: String) throws(UnixSocket.Failure) -> SocketFile? {
    let partial = path + ".partial-\(getpid())"
    unlink(partial)
    let file = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw UnixSocket.Failure(path, errno) }
    let bytes = Array((address + "\n").utf8)
    fchmod(file, 0o600)
    let count = write(file, bytes, bytes.count)
    let code = count == bytes.count ? 0 : count < 0 ? errno : ENOSPC
    close(file)
    guard code == 0, rename(partial, path) == 0 else {
      let reason = code == 0 ? errno : code
      unlink(partial)
      throw UnixSocket.Failure(path, reason)
    }
    return SocketFile(path)
  }
}
