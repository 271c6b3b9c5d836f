import Foundation
import JSON
import Location
import LocationService
import Navigation
import TestParts

/// A host with a live page, and a browser's requests by hand.
final class PageBench: Sendable {
  let bench: HostBench
  private let scratch = ScratchFolder()
  var addressFile: String { scratch("live-page") }
  let port: UInt16
  let token: String

  init(
    rules: [AuthorizationPolicy.Rule] = [], change: (inout LocationHost.Configuration) -> Void = { _ in }
  ) throws {
    let file = scratch("live-page")
    bench = try HostBench(rules: rules) {
      $0.page = .init(port: 0, addressFile: file)
      change(&$0)
    }
    let address = try Self.address(file)
    (port, token) = (address.port, address.token)
  }

  /// What the file at `path` says.
  static func address(_ path: String) throws -> (port: UInt16, token: String) {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    guard let parts = text.wholeMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\/\?token=([0-9a-f]{64})\n/),
      let port = UInt16(parts.1)
    else { throw LocationError.serviceUnreachable(text) }
    return (port, String(parts.2))
  }

  /// A request for `path` with further lines of its head.
  func request(_ path: String, method: String = "GET", host: String? = nil, _ more: [String] = []) -> String {
    (["\(method) \(path) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")"] + more + ["", ""])
      .joined(separator: "\r\n")
  }

  /// The whole answer; nil where the connection did not end.
  func answer(_ request: String) -> String? { MetricsPage.answer(MetricsPage.connect(port), to: request) }

  /// A stream of events that is open.
  func stream() -> EventStream {
    EventStream(MetricsPage.connect(port), request("/events?token=\(token)"))
  }

  /// Says a place `seconds` ago.
  func publish(north: Double, ago seconds: Double = 0, mode: NavigationMode = .aided) {
    let now = BootClock.now()
    var location = Made.location(north: north, at: 0, mode: mode)
    location.timestamp = now.advanced(bySeconds: -seconds)
    location.utc = BootClock.utc()
    bench.host.publish(.init(location: location, sources: 1), utc: location.utc)
    // A newer one takes the place of one that was not looked at.
    usleep(20_000)
  }
}

/// Server-sent events, one after the other, with a limit on every wait.
final class EventStream {
  let descriptor: Int32
  private var text: [UInt8] = []
  private(set) var head = ""
  private(set) var isEnded = false

  init(_ descriptor: Int32, _ request: String) {
    self.descriptor = descriptor
    let bytes = Array(request.utf8)
    _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    while head.isEmpty, let block = block(within: 5) { head = block }
  }

  deinit { close(descriptor) }

  var status: String { head.split(separator: " ").dropFirst().first.map(String.init) ?? "" }

  /// The first event within so many seconds that is wanted.
  func first(within seconds: Double = 5, _ isWanted: (JSON) -> Bool) -> JSON? {
    let end = BootClock.now().advanced(bySeconds: seconds)
    while case let left = end.seconds(since: BootClock.now()), left > 0, let block = block(within: left) {
      guard let data = block.firstRange(of: "data: ") else { continue }
      let line = Array(block[data.upperBound...].utf8)
      if let event = JSONParser.parse(line[...]), isWanted(event) { return event }
    }
    return nil
  }

  /// Whether it ends within so many seconds, whatever still comes.
  func ends(within seconds: Double) -> Bool {
    let end = BootClock.now().advanced(bySeconds: seconds)
    while !isEnded, case let left = end.seconds(since: BootClock.now()), left > 0 { _ = block(within: left) }
    return isEnded
  }

  private func block(within seconds: Double) -> String? {
    let end = BootClock.now().advanced(bySeconds: seconds)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      for mark in [Array("\r\n\r\n".utf8), Array("\n\n".utf8)] {
        guard let at = text.firstRange(of: mark) else { continue }
        defer { text.removeSubrange(..<at.upperBound) }
        return String(decoding: text[..<at.lowerBound], as: UTF8.self)
      }
      let left = end.seconds(since: BootClock.now())
      if isEnded || left <= 0 { return nil }
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, Int32(left * 1000) + 1) > 0 else { continue }
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 { text += buffer[..<count] } else { isEnded = true }
    }
  }
}

extension JSON {
  /// What of the ten minutes an event holds.
  var points: [JSON] { self["points"]?.array ?? [] }
  var fixes: [JSON] { self["fixes"]?.array ?? [] }
}
