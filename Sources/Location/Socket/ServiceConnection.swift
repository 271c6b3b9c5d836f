import CLibrary
import JSON
import Navigation

/// A connection for commands: says something and waits for the answer, with a limit on every wait.
package final class ServiceConnection {
  private let descriptor: Int32
  private let path: String
  /// Why the client is told nothing; nil where it is let. Who decides about others need not be let itself.
  package private(set) var denial: LocationError?
  private var lines = LineBuffer(limit: ServiceMessage.longestLine)

  /// Connects, and says who asks and why.
  package init(path: String, name: String, purpose: String) throws(LocationError) {
    self.path = path
    do { descriptor = try Self.connect(path) } catch { throw .serviceUnreachable(error.description) }
    try say(.hello(version: ClientMessage.version, name: name, purpose: purpose))
    denial = try answer { message -> LocationError?? in
      switch message {
      case .welcome: .some(nil)
      case .failed(let error): if case .denied = error { .some(error) } else { nil }
      default: nil
      }
    }
  }

  deinit { close(descriptor) }

  /// A connection, tried again for a second while too many others wait for theirs.
  private static func connect(_ path: String) throws(UnixSocket.Failure) -> Int32 {
    for _ in 0..<50 {
      do { return try UnixSocket.connect(path) } catch  where error.code == EAGAIN { _ = poll(nil, 0, 20) }
    }
    return try UnixSocket.connect(path)
  }

  package func say(_ message: ClientMessage) throws(LocationError) {
    let bytes = Array((message.json.text + "\n").utf8)
    guard UnixSocket.write(descriptor, bytes[...]) == .moved(bytes.count) else {
      throw .serviceUnreachable("\(path): the service takes nothing")
    }
  }

  /// Seconds that an answer is waited for; the service waits for its disk for 3 s.
  private static let longestWait = 5.0

  /// The first message that `pick` has an answer for; an error where the service refuses, ends or has none
  /// within 5 s.
  package func answer<Answer>(
    _ pick: (ServiceMessage) -> Answer?
  ) throws(LocationError) -> Answer {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let began = Self.now()
    while case let left = Self.longestWait - (Self.now() - began), left > 0 {
      while let line = lines.next() {
        guard let message = JSONParser.parse(line).flatMap(ServiceMessage.init(json:)) else { continue }
        if let answer = pick(message) { return answer }
        if case .failed(let error) = message { throw error }
      }
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&polled, 1, Int32(left * 1000) + 1)
      switch UnixSocket.read(descriptor, into: &buffer) {
      case .moved(let count): lines.append(buffer[..<count])
      case .ended: throw .serviceUnreachable("\(path): the service ended the connection")
      case .wait: break
      }
    }
    throw .serviceUnreachable("\(path): the service has no answer after \(Int(Self.longestWait)) s")
  }

  /// Seconds on a clock that never steps.
  private static func now() -> Double { Double(SystemClock.nanoseconds(CLOCK_MONOTONIC)) * 1e-9 }
}
