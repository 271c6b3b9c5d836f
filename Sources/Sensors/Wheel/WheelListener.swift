import CLibrary
import Navigation
import SensorEvents

/// Wheel speeds by a Unix socket: listens, serves those who connect, and makes the socket
/// anew if it cannot be made.
final class WheelListener {
  /// Programs at a time; more are sent away.
  static let capacity = 4

  private let path: String
  private let voice: SourceVoice
  private var speaker: WheelVoice
  private var file: SocketFile?
  private var connections: [WheelConnection] = []

  init(path: String, voice: SourceVoice) {
    self.path = path
    self.voice = voice
    speaker = WheelVoice(voice: voice)
  }

  func run(until stop: StopSignal) {
    var backoff = Backoff()
    voice.say(.connecting, "listening at \(path)")
    while !stop.isSet {
      switch open() {
      case .success(let socket):
        backoff.reset()
        voice.say(.connected, "waiting for speeds at \(path)")
        serve(socket, until: stop)
        for connection in connections { close(connection.descriptor) }
        connections.removeAll()
        // While the socket is open: until then the file's number is its own.
        file?.remove()
        close(socket)
      case .failure(let failure):
        voice.say(.lost, failure.description)
        _ = stop.wait(atMost: backoff.next())
      }
    }
  }

  /// A socket at the path. One left behind by a process that died is replaced; one that
  /// is served is left alone.
  private func open() -> Result<Int32, SourceError> {
    guard let address = sockaddr_un(path: path) else {
      return .failure(.address(path, reason: "a socket's path has at most 107 bytes"))
    }
    let socket = CLibrary.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return .failure(.system(call: "socket", reason: SystemError.text())) }
    SystemDescriptor.prepare(socket)
    let failure: String? = address.withAddress { address, length in
      // Connecting tells a live socket from one left behind.
      if connect(socket, address, length) == 0 { return "another program listens there" }
      // A file of another kind is never removed.
      if errno == ECONNREFUSED, SystemFile.kind(of: path, followingLinks: false) == S_IFSOCK { unlink(path) }
      guard bind(socket, address, length) == 0 else { return SystemError.text() }
      _ = chmod(path, 0o600)
      file = SocketFile(path)
      return listen(socket, Int32(Self.capacity)) == 0 ? nil : SystemError.text()
    }
    guard let failure else { return .success(socket) }
    close(socket)
    return .failure(.system(call: "listening at \(path)", reason: failure))
  }

  private func serve(_ socket: Int32, until stop: StopSignal) {
    while !stop.isSet {
      var descriptors = [pollfd(fd: socket, events: Int16(POLLIN), revents: 0)]
      descriptors += connections.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
      // Short enough to be stopped in time.
      let count = poll(&descriptors, nfds_t(descriptors.count), 200)
      speaker.checkSilence(at: HostClock.now())
      guard count > 0 else { continue }
      for index in connections.indices.reversed() where descriptors[index + 1].revents != 0 { receive(index) }
      if descriptors[0].revents != 0, !welcome(socket) {
        // Out of descriptors: to be woken for it again at once would help nobody.
        _ = stop.wait(atMost: 0.1)
      }
    }
  }

  private func receive(_ index: Int) {
    let progress = connections[index].receive()
    speaker.say(progress, arrival: HostClock.now())
    guard progress.hasEnded else { return }
    close(connections[index].descriptor)
    connections.remove(at: index)
    if connections.isEmpty { speaker.say(lost: "the program that told the speed has left \(path)") }
  }

  /// Takes who connects; false where the system has no room for them.
  private func welcome(_ socket: Int32) -> Bool {
    let peer = accept(socket, nil, nil)
    guard peer >= 0 else { return ![EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) }
    guard connections.count < Self.capacity else {
      close(peer)
      return true
    }
    SystemDescriptor.prepare(peer)
    connections.append(WheelConnection(descriptor: peer, answers: true))
    return true
  }
}
