import Foundation
import JSON
import Location
import LocationService
import Navigation
import TestParts

/// A host that speaks VISS.
final class VISSBench {
  let bench: HostBench
  private let scratch = ScratchFolder()
  var addressFile: String { scratch("viss") }
  let address: String
  let port: UInt16
  let token: String

  init(rules: [AuthorizationPolicy.Rule] = []) throws {
    let file = scratch("viss")
    bench = try HostBench(rules: rules) { $0.viss = .init(port: 0, addressFile: file) }
    address = try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .newlines)
    guard let parts = address.wholeMatch(of: /ws:\/\/127\.0\.0\.1:(\d+)\/\?token=([0-9a-f]{64})/),
      let port = UInt16(parts.1)
    else { throw LocationError.serviceUnreachable(address) }
    (self.port, token) = (port, String(parts.2))
  }

  /// A place with speed and heading, and without height.
  func publish(north: Double = 0, speed: Double = 10) {
    var location = Made.location(north: north, accuracy: 2.5, at: 0)
    location.timestamp = BootClock.now()
    location.utc = Timestamp(nanoseconds: 1_700_000_000_250_000_000)
    (location.headingDegrees, location.headingAccuracyDegrees) = (271.5, 1)
    (location.speed, location.signedSpeed, location.speedAccuracy) = (speed, speed, 0.1)
    bench.host.publish(.init(location: location, sources: 1), utc: location.utc)
    // A newer one takes the place of one that was not looked at.
    usleep(20_000)
  }

  /// A connection that asks for VISS, with other lines of its head.
  func connect(
    path: String? = nil, host: String? = nil, subprotocol: String? = "VISSv2", _ more: [String] = []
  ) -> WebSocketByHand {
    let lines =
      [
        "GET \(path ?? "/?token=\(token)") HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")",
        "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
      ] + (subprotocol.map { ["Sec-WebSocket-Protocol: \($0)"] } ?? []) + more + ["", ""]
    return WebSocketByHand(MetricsPage.connect(port), lines.joined(separator: "\r\n"))
  }
}

/// A WebSocket (RFC 6455) frame by frame, with a limit on every wait.
final class WebSocketByHand {
  let descriptor: Int32
  private(set) var head = ""
  private(set) var isEnded = false
  /// The code that it was closed with.
  private(set) var code: Int?
  private var bytes: [UInt8] = []

  init(_ descriptor: Int32, _ request: String) {
    self.descriptor = descriptor
    send(Array(request.utf8))
    let end = Array("\r\n\r\n".utf8)
    while let more = take(1, within: 5) {
      head += String(decoding: more, as: UTF8.self)
      if head.utf8.suffix(4).elementsEqual(end) { break }
    }
  }

  deinit { close(descriptor) }

  var status: String { head.split(separator: " ").dropFirst().first.map(String.init) ?? "" }

  /// Whether the kernel took all of it.
  @discardableResult func send(_ bytes: [UInt8], wait seconds: Double = 5) -> Bool {
    var sent = 0
    while sent < bytes.count {
      var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&ready, 1, Int32(seconds * 1000)) == 1 else { return false }
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// A frame with a mask of zeros, but where there is to be none.
  static func frame(
    _ payload: [UInt8], opcode: UInt8 = 1, isFinal: Bool = true, isMasked: Bool = true
  ) -> [UInt8] {
    let mask: UInt8 = isMasked ? 0x80 : 0
    let count = payload.count
    let length: [UInt8] =
      count < 126
      ? [mask | UInt8(count)]
      : count < 65_536
        ? [mask | 126, UInt8(count >> 8), UInt8(count & 0xFF)]
        : [mask | 127, 0, 0, 0, 0] + (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
    return [(isFinal ? 0x80 : 0) | opcode] + length + (isMasked ? [0, 0, 0, 0] : []) + payload
  }

  func say(_ text: String) { send(Self.frame(Array(text.utf8))) }

  /// The next message within so many seconds; nil if none came or it was closed.
  func next(within seconds: Double = 5) -> JSON? {
    let end = BootClock.now().advanced(bySeconds: seconds)
    while case let left = end.seconds(since: BootClock.now()), left > 0, let head = take(2, within: left) {
      var count = Int(head[1] & 0x7F)
      if count == 126, let more = take(2, within: 1) { count = Int(more[0]) << 8 | Int(more[1]) }
      guard let payload = take(count, within: 1) else { return nil }
      switch head[0] & 0x0F {
      case 1: return JSONParser.parse(payload[...])
      case 8:
        if payload.count >= 2 { code = Int(payload[0]) << 8 | Int(payload[1]) }
        return nil
      default: continue
      }
    }
    return nil
  }

  /// The answer to a request.
  func answer(_ text: String) -> JSON? {
    say(text)
    while let message = next() { if message["action"]?.string != "subscription" { return message } }
    return nil
  }

  /// The next event of a subscription.
  func event(within seconds: Double = 5) -> JSON? {
    let end = BootClock.now().advanced(bySeconds: seconds)
    while case let left = end.seconds(since: BootClock.now()), left > 0, let message = next(within: left) {
      if message["action"]?.string == "subscription" { return message }
    }
    return nil
  }

  /// Whether it ends within so many seconds, whatever still comes.
  func ends(within seconds: Double) -> Bool {
    let end = BootClock.now().advanced(bySeconds: seconds)
    while !isEnded, case let left = end.seconds(since: BootClock.now()), left > 0 { _ = next(within: left) }
    return isEnded
  }

  private func take(_ count: Int, within seconds: Double) -> [UInt8]? {
    let end = BootClock.now().advanced(bySeconds: seconds)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < count {
      let left = end.seconds(since: BootClock.now())
      if isEnded || left <= 0 { return nil }
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, Int32(left * 1000) + 1) > 0 else { continue }
      let got = read(descriptor, &buffer, buffer.count)
      if got > 0 { bytes += buffer[..<got] } else { isEnded = true }
    }
    defer { bytes.removeFirst(count) }
    return Array(bytes[..<count])
  }
}

extension JSON {
  /// The reason of an error of VISS, and its number.
  var fault: String? {
    guard let error = self["error"], let number = error["number"]?.integer else { return nil }
    return "\(number) \(error["reason"]?.string ?? "")"
  }
  /// The value of the one signal of an answer or an event.
  var vissValue: String? { self["data"]?["dp"]?["value"]?.string }
}
