import Location
import Navigation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// One client's socket, and what has come and not gone yet.
struct Connection {
  /// Bytes that are made into text ahead of the socket: what is text already cannot be taken back.
  static let mostAhead = 16_384

  let descriptor: Int32
  let user: UInt32
  let began: Timestamp
  var lines = LineBuffer(limit: ClientMessage.longestLine)
  var lineBegan: Timestamp?
  var hasSpoken = false
  var isEnding: Timestamp?
  private var outgoing: [UInt8] = []
  private var sent = 0
  private var allowance: Double
  private var allowanceTime: Timestamp

  init(descriptor: Int32, user: UInt32, at now: Timestamp, limits: HostLimits) {
    self.descriptor = descriptor
    self.user = user
    began = now
    allowance = limits.messagesPerSecond * 10
    allowanceTime = now
  }

  var hasRoom: Bool { outgoing.count - sent < Self.mostAhead }
  var isFlushed: Bool { sent == outgoing.count }

  mutating func append(_ line: String) {
    outgoing += line.utf8
    outgoing.append(UInt8(ascii: "\n"))
  }

  /// Writes what there is room for; false if the client is gone.
  mutating func flush() -> Bool {
    while sent < outgoing.count {
      switch UnixSocket.write(descriptor, outgoing[sent...]) {
      case .moved(let count): sent += count
      case .wait: return true
      case .ended: return false
      }
    }
    outgoing.removeAll(keepingCapacity: outgoing.capacity <= 4 * Self.mostAhead)
    sent = 0
    return true
  }

  /// Whether one more message is within what a client may send.
  mutating func allowsMessage(at now: Timestamp, _ limits: HostLimits) -> Bool {
    let elapsed = max(0, now.seconds(since: allowanceTime))
    let rate = limits.messagesPerSecond
    allowance = min(allowance + elapsed * rate, rate * 10) - 1
    allowanceTime = now
    return allowance >= 0
  }

  /// Why the connection has taken too long; nil while it has not.
  func lateness(at now: Timestamp, _ limits: HostLimits) -> String? {
    if !hasSpoken, now.seconds(since: began) > limits.hello { return "hello did not come in time" }
    if let lineBegan, now.seconds(since: lineBegan) > limits.line { return "a line did not end in time" }
    return nil
  }
}
