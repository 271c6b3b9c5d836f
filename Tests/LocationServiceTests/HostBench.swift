import CLibrary
import JSON
import Location
import LocationService
import Locks
import Navigation

/// A host on a socket of its own in a folder of its own.
final class HostBench: Sendable {
  let host: LocationHost
  let path: String

  init(
    rules: [AuthorizationPolicy.Rule] = [], stored: StoredState = .init(),
    store: (any LocationStore)? = nil, change: (inout LocationHost.Configuration) -> Void = { _ in }
  ) throws {
    path = "/tmp/reckon-test-\(getpid())-\(UInt32.random(in: 0 ... .max)).sock"
    var configuration = LocationHost.Configuration()
    configuration.socket = path
    change(&configuration)
    let policy = AuthorizationPolicy(rules: rules, trustedUser: getuid())
    host = LocationHost(
      hub: Hub(stored: stored, policy: policy, administrators: [getuid()]), store: store,
      configuration: configuration)
    try host.start()
  }

  deinit { host.stop(within: 5) }

  /// A solution of now.
  func publish(north: Double = 0, accuracy: Double = 5) {
    let now = BootClock.now()
    var location = Made.location(north: north, accuracy: accuracy, at: 0)
    location.timestamp = now
    location.utc = BootClock.utc()
    host.publish(.init(location: location, sources: 1), utc: location.utc)
  }

  /// A client that speaks the protocol by hand.
  func client(hello: Bool = true, name: String = "raw") throws -> RawClient {
    let client = RawClient(descriptor: try UnixSocket.connect(path))
    if hello { client.say(.hello(version: 1, name: name, purpose: "to test")) }
    return client
  }
}

/// A store that takes nothing.
final class FullDisk: LocationStore {
  func write(_ changes: [StoreChange]) throws { throw StoreError.full(path: "/disk") }
}

/// A socket, line by line, with a limit on every wait.
final class RawClient {
  let descriptor: Int32
  private var lines = LineBuffer(limit: ServiceMessage.longestLine)
  private(set) var isEnded = false

  init(descriptor: Int32) { self.descriptor = descriptor }
  deinit { close(descriptor) }

  func say(_ message: ClientMessage) { send(message.json.text + "\n") }

  /// Whether all of it was taken.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    if case .moved(let count) = UnixSocket.write(descriptor, bytes[...]) {
      count == bytes.count
    } else {
      false
    }
  }

  /// The next message within so many seconds; nil if none came or the connection ended.
  func next(within seconds: Double = 5) -> ServiceMessage? {
    let end = BootClock.now().advanced(bySeconds: seconds)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let line = lines.next() { return JSONParser.parse(line).flatMap(ServiceMessage.init(json:)) }
      let left = end.seconds(since: BootClock.now())
      if isEnded || left <= 0 { return nil }
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&polled, 1, Int32(left * 1000) + 1)
      switch UnixSocket.read(descriptor, into: &buffer) {
      case .moved(let count): lines.append(buffer[..<count])
      case .ended: isEnded = true
      case .wait: break
      }
    }
  }

  /// The first message that is wanted.
  func first(within seconds: Double = 5, _ isWanted: (ServiceMessage) -> Bool) -> ServiceMessage? {
    let end = BootClock.now().advanced(bySeconds: seconds)
    while case let left = end.seconds(since: BootClock.now()), left > 0, let message = next(within: left) {
      if isWanted(message) { return message }
    }
    return nil
  }
}
