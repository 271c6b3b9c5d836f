import CLibrary

/// Options of TCP that NIO has no names for: seconds until the first probe of a silent peer, seconds between
/// probes, and how many go unanswered before the connection is given up.
let (keepAliveIdle, keepAliveInterval, keepAliveCount) = (
  CInt(TCP_KEEPIDLE), CInt(TCP_KEEPINTVL), CInt(TCP_KEEPCNT)
)

/// Which file a path is, whatever its name: to know later whether it still is the same.
struct FileIdentity: Equatable {
  var device: UInt64
  var inode: UInt64
  var kind: mode_t

  /// The file at `path` itself, a symbolic link not followed; nil if there is none.
  init?(of path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    kind = status.st_mode & S_IFMT
  }
}
