import CLibrary

/// A TCP connection to a gpsd that never waits without a limit. Owned by one thread.
struct GPSDConnection: ~Copyable {
  /// Longest wait for a host to accept, in seconds.
  static let patience = 3.0

  /// Why there is no connection.
  enum Failure: Error, Equatable {
    /// Stopped meanwhile.
    case stopped
    /// In words, with what to do; and why.
    case failed(String, GPSDUnreachable)

    /// By the system's number.
    static func system(_ number: Int32) -> Failure {
      let text = SystemError.text(number)
      switch number {
      case ECONNREFUSED: return .failed(text, .refused)
      case ETIMEDOUT, EHOSTUNREACH, ENETUNREACH: return .failed(text, .noAnswer)
      default: return .failed(text, .other(text))
      }
    }
  }

  /// What a read gave.
  enum Read: Equatable {
    case bytes(Int)
    /// Nothing for now.
    case nothing
    /// The end, in words.
    case closed(String)
  }

  private let socket: Int32

  /// Connects to the first of the host's addresses that accepts.
  init(_ address: GPSDAddress, stop: StopSignal) throws(Failure) {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let failure = getaddrinfo(address.host, String(address.port), &hints, &list)
    guard failure == 0, let list else {
      throw .failed(
        "\(address.host) is not found: \(String(cString: gai_strerror(failure))); check the host's name",
        .unknownHost)
    }
    defer { freeaddrinfo(list) }
    var (reason, cause) = ("it has no address", GPSDUnreachable.unknownHost)
    var next: UnsafeMutablePointer<addrinfo>? = list
    while let candidate = next?.pointee {
      switch Self.connect(candidate, stop) {
      case .success(let socket):
        self.socket = socket
        return
      case .failure(.stopped): throw .stopped
      case .failure(.failed(let why, let kind)): (reason, cause) = (why, kind)
      }
      next = candidate.ai_next
    }
    throw .failed("no gpsd at \(address.endpoint): \(reason); check that it runs and listens there", cause)
  }

  deinit { close(socket) }

  /// The descriptor, to wait for.
  var descriptor: Int32 { socket }

  /// Whether the other end is on this computer, so that both have the same clocks.
  var isLocal: Bool {
    guard let peer = Self.host(of: socket, getpeername), let own = Self.host(of: socket, getsockname) else {
      return false
    }
    return peer == own
  }

  /// Sends a request. gpsd takes it at once: if it does not fit into the socket's buffer, something is wrong.
  func send(_ request: String) -> Bool {
    var request = request
    return request.withUTF8 {
      CLibrary.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) == $0.count
    }
  }

  /// Reads what is there.
  func read(into buffer: UnsafeMutableBufferPointer<CChar>) -> Read {
    let count = recv(socket, buffer.baseAddress, buffer.count, 0)
    if count > 0 { return .bytes(count) }
    if count == 0 { return .closed("it closed the connection") }
    return [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) ? .nothing : .closed(SystemError.text())
  }

  private static func connect(_ candidate: addrinfo, _ stop: StopSignal) -> Result<Int32, Failure> {
    let kind = candidate.ai_socktype | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let socket = CLibrary.socket(candidate.ai_family, kind, candidate.ai_protocol)
    guard socket >= 0 else { return .failure(.system(errno)) }
    func fail(_ failure: Failure) -> Result<Int32, Failure> {
      close(socket)
      return .failure(failure)
    }
    if CLibrary.connect(socket, candidate.ai_addr, candidate.ai_addrlen) == 0 { return .success(socket) }
    guard errno == EINPROGRESS else { return fail(.system(errno)) }
    switch stop.wait(for: socket, events: Int32(POLLOUT), atMost: patience) {
    case .stopped: return fail(.stopped)
    case .timedOut: return fail(.failed("it does not answer", .noAnswer))
    case .ready: break
    }
    var error: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length) == 0 else {
      return fail(.system(errno))
    }
    return error == 0 ? .success(socket) : fail(.system(error))
  }

  private typealias NameCall =
    (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32

  private static func host(of socket: Int32, _ call: NameCall) -> String? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard call(socket, address, &length) == 0 else { return nil }
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let failed = getnameinfo(
          address, length, &name, socklen_t(name.count), nil, 0, Int32(NI_NUMERICHOST))
        return failed == 0 ? SystemError.string(name) : nil
      }
    }
  }
}
