import CLibrary
import Coarse
import Location
import Locks
import Navigation

/// Takes what programs hear of cells and access points, at a socket of its own, and tells a host
/// the place that it makes.
public final class CoarseFeed: Sendable {
  /// Most programs at once; more are hung up on.
  static let mostClients = 8

  private let database: CoarseDatabase
  private let listener: Int32
  private let file: SocketFile?
  private let wakeup: Wakeup
  private let log: @Sendable (String) -> Void
  private let state = Mutex(State())

  private struct State {
    var isOver = false
    /// Whether a thread uses the listener, which it closes in the end.
    var isRunning = false
    var isOpen = true
  }

  /// Opens the database, and listens at the socket `path` with permissions `mode`.
  public init(
    database: String, socket path: String, mode: UInt32, log: @escaping @Sendable (String) -> Void
  ) throws {
    self.database = try CoarseDatabase(path: database)
    self.log = log
    guard let wakeup = Wakeup() else { throw UnixSocket.Failure("pipe") }
    self.wakeup = wakeup
    do { listener = try UnixSocket.listen(path, mode: mode) } catch {
      throw LocationError.serviceUnreachable("[coarse] socket: \(error)")
    }
    file = SocketFile(path)
  }

  /// Begins to tell `host`.
  public func start(host: LocationHost) throws(LocationError) {
    state.withLock { $0.isRunning = true }
    let failure = PlainThread.start { [self] in
      run(host)
      state.withLock { leave(&$0) }
    }
    guard failure != 0 else { return }
    state.withLock { $0.isRunning = false }
    throw .serviceUnreachable("no thread could be started")
  }

  /// Ends; what is being read is told no more.
  public func stop() {
    state.withLock { state in
      state.isOver = true
      guard state.isRunning else { return leave(&state) }
      // The thread closes the listener, and not before this is done.
      file?.remove()
    }
    wakeup.wake()
  }

  /// Nobody uses the listener any more.
  private func leave(_ state: inout State) {
    (state.isOver, state.isRunning) = (true, false)
    guard state.isOpen else { return }
    state.isOpen = false
    file?.remove()
    close(listener)
  }

  private func run(_ host: LocationHost) {
    var clients: [Int32: CoarseClient] = [:]
    var failure: String?
    while !state.withLock({ $0.isOver }) {
      var polled = [wakeup.descriptor, listener].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      polled += clients.keys.sorted().map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      _ = poll(&polled, nfds_t(polled.count), -1)
      if polled[1].revents != 0 { accept(&clients) }
      for ready in polled.dropFirst(2) where ready.revents != 0 {
        guard var client = clients[ready.fd] else { continue }
        let scans = client.read()
        clients[ready.fd] = scans == nil ? nil : client
        if scans == nil { close(ready.fd) }
        // Of several at once only the last is of now.
        guard let scan = scans?.last else { continue }
        do {
          if let estimate = try CoarseEstimate(database.anchors(for: scan)) { host.publish(coarse: estimate) }
          failure = nil
        } catch {
          if failure != "\(error)" { log("coarse: \(error)") }
          failure = "\(error)"
        }
      }
    }
    for client in clients.keys { close(client) }
  }

  private func accept(_ clients: inout [Int32: CoarseClient]) {
    do {
      guard let next = try UnixSocket.accept(listener) else { return }
      if clients.count < Self.mostClients {
        clients[next] = CoarseClient(descriptor: next)
      } else {
        close(next)
      }
    } catch {
      // Out of descriptors: to be woken for it again at once would help nobody.
      pause(milliseconds: 100)
    }
  }
}

/// One program that says what it hears.
private struct CoarseClient {
  let descriptor: Int32
  private var lines = LineBuffer(limit: CoarseProtocol.longestLine)
  private var state = CoarseProtocol()
  private var number = 0

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// The scans that have ended; nil once the program is gone, or has sent what can be no line.
  mutating func read() -> [CoarseScan]? {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    switch UnixSocket.read(descriptor, into: &buffer) {
    case .ended: return nil
    case .wait: return []
    case .moved(let count): lines.append(buffer[..<count])
    }
    var scans: [CoarseScan] = []
    while let line = lines.next() {
      number += 1
      do throws(CoarseProtocol.Refusal) {
        guard line.count <= CoarseProtocol.longestLine,
          line.allSatisfy({ $0 < 0x7F && ($0 >= 0x20 || $0 == 9 || $0 == 13) })
        else { throw .init(reason: "not plain text of at most \(CoarseProtocol.longestLine) bytes") }
        if let scan = try state.read(String(decoding: line, as: UTF8.self)) { scans.append(scan) }
      } catch {
        // Who does not read answers gets none.
        _ = UnixSocket.write(descriptor, Array("error \(number) \(error.reason)\n".utf8)[...])
      }
    }
    return lines.isOverlong ? nil : scans
  }
}

extension LocationHost {
  /// Takes a place by cells or access points, of now: it is told while the engine has none.
  public func publish(coarse estimate: CoarseEstimate) {
    let (now, utc) = (BootClock.now(), BootClock.utc())
    let location = Location(
      coordinate: estimate.place, horizontalAccuracy: estimate.radius, timestamp: now, utc: utc,
      sources: estimate.sources, mode: .aligning)
    perform { $0.hub.update(coarse: location, at: now, utc: utc) }
  }
}
