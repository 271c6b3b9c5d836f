import CLibrary

/// The calls on Unix-domain sockets that both sides need. None of them waits.
package enum UnixSocket {
  /// Why a call failed.
  package struct Failure: Error, CustomStringConvertible {
    /// The system's number.
    package var code: Int32
    /// What failed, and why.
    package var description: String

    /// What failed, by the system's number.
    package init(_ what: String, _ code: Int32 = errno) {
      self.code = code
      description = "\(what): \(SystemError.text(code))"
    }
  }

  /// What became of reading or writing.
  package enum Transfer: Equatable {
    /// So many bytes.
    case moved(Int)
    /// None now.
    case wait
    /// The other end is gone.
    case ended
  }

  /// Most bytes of a socket's path.
  package static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// Whether a socket can have this path.
  package static func isPath(_ path: String) -> Bool {
    (1...longestPath).contains(path.utf8.count) && !path.utf8.contains(0)
  }

  /// A connection to the socket at `path`.
  package static func connect(_ path: String) throws(Failure) -> Int32 {
    let address = try address(path)
    let descriptor = try make()
    let result = address.withAddress { systemConnect(descriptor, $0, $1) }
    guard result == 0 else {
      let failure = Failure("\(path)")
      close(descriptor)
      throw failure
    }
    return descriptor
  }

  /// Listens at `path`, which takes the place of a socket that nobody listens at any more. So many
  /// connections wait to be taken, so that who makes them faster than they are taken keeps nobody out.
  package static func listen(_ path: String, mode: UInt32, backlog: Int32 = 1024) throws(Failure) -> Int32 {
    let address = try address(path)
    if let other = try? connect(path) {
      close(other)
      throw Failure("\(path): another service listens there", EADDRINUSE)
    }
    if try isTaken(path) { unlink(path) }
    let descriptor = try make()
    let result = address.withAddress { bind(descriptor, $0, $1) }
    guard result == 0, chmod(path, mode_t(mode)) == 0, systemListen(descriptor, backlog) == 0 else {
      let failure = Failure(path)
      close(descriptor)
      throw failure
    }
    return descriptor
  }

  /// Throws where nobody could listen at `path`, and changes nothing; that somebody listens there is no
  /// fault.
  package static func checkPlace(_ path: String) throws(Failure) {
    if try isTaken(path) { return }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    guard access(folder, W_OK | X_OK) == 0 else { throw Failure(path) }
  }

  /// Whether there is a socket at `path`; what is none is an error.
  private static func isTaken(_ path: String) throws(Failure) -> Bool {
    guard let kind = SystemFile.kind(of: path, followingLinks: false) else { return false }
    guard kind == S_IFSOCK else {
      throw Failure("\(path): there is a file that is no socket", EEXIST)
    }
    return true
  }

  /// The next connection; nil if nobody waits.
  package static func accept(_ listener: Int32) throws(Failure) -> Int32? {
    let descriptor = systemAccept(listener, nil, nil)
    if descriptor < 0 {
      if [EAGAIN, EWOULDBLOCK, EINTR, ECONNABORTED].contains(errno) { return nil }
      throw Failure("accept")
    }
    SystemDescriptor.prepare(descriptor)
    return descriptor
  }

  /// The user and process at the other end, as the kernel knows them; nil if it does not say.
  package static func peer(_ descriptor: Int32) -> (user: UInt32, process: Int32)? {
    #if os(Linux)
      // struct ucred: process, user, group. It is not in every module map.
      var credentials: (Int32, UInt32, UInt32) = (0, 0, 0)
      var length = socklen_t(MemoryLayout.size(ofValue: credentials))
      guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
      return (credentials.1, credentials.0)
    #else
      var (user, group): (uid_t, gid_t) = (0, 0)
      return getpeereid(descriptor, &user, &group) == 0 ? (user, 0) : nil
    #endif
  }

  /// Reads what is there.
  package static func read(_ descriptor: Int32, into buffer: inout [UInt8]) -> Transfer {
    transfer(buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) })
  }

  /// Writes what the other end has room for.
  package static func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Transfer {
    transfer(
      bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) },
      isWrite: true)
  }

  private static func transfer(_ count: Int, isWrite: Bool = false) -> Transfer {
    if count > 0 { return .moved(count) }
    if count == 0 { return isWrite ? .wait : .ended }
    return [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) ? .wait : .ended
  }

  private static func make() throws(Failure) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Failure("socket") }
    SystemDescriptor.prepare(descriptor)
    return descriptor
  }

  private static func address(_ path: String) throws(Failure) -> sockaddr_un {
    guard isPath(path), let address = sockaddr_un(path: path) else {
      throw Failure("\(path): a socket's path has 1 to \(longestPath) bytes", ENAMETOOLONG)
    }
    return address
  }
}

// Within the enumeration the names of the calls are those of its own functions.
private func systemConnect(_ s: Int32, _ a: UnsafePointer<sockaddr>, _ n: socklen_t) -> Int32 {
  connect(s, a, n)
}
private func systemListen(_ s: Int32, _ n: Int32) -> Int32 { listen(s, n) }
private func systemAccept(
  _ s: Int32, _ a: UnsafeMutablePointer<sockaddr>?, _ n: UnsafeMutablePointer<socklen_t>?
) -> Int32 { accept(s, a, n) }
private func systemRead(_ s: Int32, _ b: UnsafeMutableRawPointer?, _ n: Int) -> Int { read(s, b, n) }
