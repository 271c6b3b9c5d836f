import CLibrary
import JSON
import Locks

/// The service behind a Unix-domain socket; looked for again every second while it is away, or says nothing.
package final class SocketProvider: LocationProvider {
  /// How many bytes wait to be sent at most; more is dropped with the connection, because what
  /// is lost cannot be known.
  static let mostWaiting = 1 << 20
  /// Milliseconds from one attempt to the next.
  static let retry: Int32 = 1000

  /// Seconds without a byte after which the service counts as gone, and the connection is made anew.
  package struct Patience: Sendable {
    /// It says how it does once a second. *[chosen: ten of these, more than a disk that hangs holds it up]*
    package var silence = 10.0
    /// To a program that is denied it says nothing, and ends the connection after 60 s
    /// (`denied_seconds`). *[chosen: ten more]*
    package var deniedSilence = 70.0

    /// As it is for programs.
    package init() {}
  }

  private struct State {
    var outgoing: [UInt8] = []
    var isConnected = false
    var isClosed = false
  }

  private let path: String
  private let patience: Patience
  private let state = Mutex(State())
  private let wakeup: Wakeup

  /// Of the service at `path`.
  package init(path: String, patience: Patience = Patience()) throws(LocationError) {
    self.path = path
    self.patience = patience
    guard let wakeup = Wakeup() else { throw .serviceUnreachable("pipe: \(SystemError.text())") }
    self.wakeup = wakeup
  }

  package func open(_ receive: @escaping @Sendable (LocationProviderEvent) -> Void) {
    let failure = PlainThread.start { [self] in run(receive) }
    if failure != 0 { receive(.disconnected(.serviceUnreachable("no thread could be started"))) }
  }

  package func send(_ message: ClientMessage) {
    let line = message.json.text + "\n"
    state.withLock { if $0.isConnected { $0.outgoing += line.utf8 } }
    wakeup.wake()
  }

  package func close() {
    state.withLock { $0.isClosed = true }
    wakeup.wake()
  }

  private var isClosed: Bool { state.withLock { $0.isClosed } }

  private func run(_ receive: (LocationProviderEvent) -> Void) {
    var said: String?
    while !isClosed {
      var why: String
      do {
        let descriptor = try UnixSocket.connect(path)
        state.withLock { $0.isConnected = true }
        receive(.connected)
        why = talk(descriptor) {
          said = nil
          receive(.message($0))
        }
        Self.closeDescriptor(descriptor)
        state.withLock {
          $0.isConnected = false
          $0.outgoing = []
        }
      } catch { why = error.description }
      if isClosed { return }
      // The same failure is said once, not every second.
      if said != why { receive(.disconnected(.serviceUnreachable(why))) }
      said = why
      var pause = [pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0)]
      _ = poll(&pause, 1, Self.retry)
      // Woken to send something nobody is there for: the pause goes on.
      wakeup.clear()
      if pause[0].revents != 0, !isClosed { _ = poll(nil, 0, Self.retry) }
    }
  }

  /// Until the connection ends, or the service says nothing for too long; the reason.
  private func talk(_ descriptor: Int32, _ receive: (ServiceMessage) -> Void) -> String {
    var lines = LineBuffer(limit: ServiceMessage.longestLine)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var (heard, isDenied) = (Self.now(), false)
    while !isClosed {
      let waiting = state.withLock { $0.outgoing.count }
      if waiting > Self.mostWaiting { return "\(path): the service takes nothing" }
      var polled = [
        pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(
          fd: descriptor, events: Int16(waiting > 0 ? POLLIN | POLLOUT : POLLIN), revents: 0),
      ]
      let longest = isDenied ? patience.deniedSilence : patience.silence
      let left = longest - (Self.now() - heard)
      _ = poll(&polled, 2, Int32(max(0, left) * 1000) + 1)
      if polled[0].revents != 0 { wakeup.clear() }
      if Int32(polled[1].revents) & POLLOUT != 0 || waiting > 0 { flush(descriptor) }
      guard Int32(polled[1].revents) & ~POLLOUT != 0 else {
        if left <= 0 { return "\(path): the service says nothing for \(Int(longest.rounded(.up))) s" }
        continue
      }
      heard = Self.now()
      switch UnixSocket.read(descriptor, into: &buffer) {
      case .ended: return "\(path): the service ended the connection"
      case .wait: break
      case .moved(let count):
        lines.append(buffer[..<count])
        while !isClosed, let line = lines.next() {
          // What this version does not understand is of a later one.
          guard let json = JSONParser.parse(line), let message = ServiceMessage(json: json) else { continue }
          isDenied = message.isDenial ?? isDenied
          receive(message)
        }
        if lines.isOverlong { return "\(path): a line of the service is too long" }
      }
    }
    return ""
  }

  /// Seconds on a clock that stands still while the computer sleeps, as the service does.
  private static func now() -> Double { Double(SystemClock.nanoseconds(CLOCK_MONOTONIC)) * 1e-9 }

  private func flush(_ descriptor: Int32) {
    state.withLock { state in
      if case .moved(let count) = UnixSocket.write(descriptor, state.outgoing[...]) {
        state.outgoing.removeFirst(count)
      }
    }
  }

  private static func closeDescriptor(_ descriptor: Int32) {
    _ = CLibrary.close(descriptor)
  }
}

extension ServiceMessage {
  /// Whether the client is told nothing from now on; nil where the message changes nothing of that.
  fileprivate var isDenial: Bool? {
    switch self {
    case .welcome: false
    case .failed(.denied): true
    default: nil
    }
  }
}

extension LocationManager {
  /// Where the service listens unless it is said otherwise.
  public static let defaultSocket = "/run/reckon/location.sock"

  /// A manager that talks to the service.
  ///
  /// - Parameters:
  ///   - identifier: the program's name for authorization, for example `com.example.tracker`.
  ///   - purpose: what it needs location for, in a sentence for people. An empty one is an error.
  ///   - socket: where the service listens; nil for the environment's `RECKON_SOCKET`, or
  ///     else ``defaultSocket``.
  public convenience init(
    identifier: String, purpose: String, socket: String? = nil
  ) throws(LocationError) {
    let named = getenv("RECKON_SOCKET").map { String(cString: $0) }
    try self.init(
      identifier: identifier, purpose: purpose,
      provider: SocketProvider(path: socket ?? named ?? Self.defaultSocket))
  }
}
