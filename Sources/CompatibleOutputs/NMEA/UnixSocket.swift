import CLibrary

/// A Unix-domain stream socket bound to a path: the file appears with its permissions, and never in
/// place of one that serves.
struct UnixSocket {
  /// Bound, not listening yet.
  let descriptor: Int32
  private let path: String
  private let file: SocketFile?

  init(_ settings: CompatibleOutputsSettings.NMEASocket) throws(CompatibleOutputsError) {
    path = settings.path
    try Self.removeStale(path)
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw .system(call: "socket", path: path, errno: errno) }
    // Bound under another name first: at its own it is there with its permissions or not at all, and linking
    // fails if someone else came first.
    let hidden = "\(path.prefix(95)).\(getpid())"
    unlink(hidden)
    defer { unlink(hidden) }
    do throws(CompatibleOutputsError) {
      try Self.bind(descriptor, to: hidden, for: path)
      guard chmod(hidden, mode_t(settings.permissions)) == 0 else {
        throw .system(call: "chmod", path: path, errno: errno)
      }
      guard link(hidden, path) == 0 else {
        throw errno == EEXIST ? .inUse(path: path) : .system(call: "link", path: path, errno: errno)
      }
    } catch {
      close(descriptor)
      throw error
    }
    file = SocketFile(path)
  }

  /// Removes the file if it still is this socket's.
  func removeFile() { file?.remove() }

  /// Removes a socket's file on which nobody listens, as a killed process leaves it.
  private static func removeStale(_ path: String) throws(CompatibleOutputsError) {
    guard let kind = SystemFile.kind(of: path, followingLinks: false) else { return }
    guard kind == S_IFSOCK else { throw .wouldOverwrite(path: path) }
    let probe = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard probe >= 0 else { throw .system(call: "socket", path: path, errno: errno) }
    defer { close(probe) }
    let result = withAddress(path) { connect(probe, $0, $1) }
    // Only a refusal says that nobody listens; a full queue, or no permission, says that somebody does.
    guard result != 0, errno == ECONNREFUSED else { throw .inUse(path: path) }
    guard unlink(path) == 0 || errno == ENOENT else {
      throw .system(call: "unlink", path: path, errno: errno)
    }
  }

  private static func bind(
    _ descriptor: Int32, to hidden: String, for path: String
  ) throws(CompatibleOutputsError) {
    let result = withAddress(hidden) { address, length in
      CLibrary.bind(descriptor, address, length)
    }
    guard result == 0 else { throw .system(call: "bind", path: path, errno: errno) }
  }

  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    // Settings bound the path to what fits.
    guard let address = sockaddr_un(path: path) else {
      errno = ENAMETOOLONG
      return -1
    }
    return address.withAddress(body)
  }
}
