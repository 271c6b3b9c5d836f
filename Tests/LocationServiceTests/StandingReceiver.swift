import CLibrary
import Foundation
import Location
import Locks
import TestParts

/// A gpsd of one receiver that stands still: five fixes a second for whoever connects, one at a time.
final class StandingReceiver: Sendable {
  let port: UInt16
  private let descriptor: Int32
  private let isStopping = Mutex(false)

  init() throws {
    (descriptor, port) = try LoopbackPort.listen()
    PlainThread.start { [self] in serve() }
  }

  deinit { close(descriptor) }

  /// Nobody listens any more, and who is connected is hung up on.
  func stop() {
    isStopping.withLock { $0 = true }
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  private func serve() {
    while !isStopping.withLock({ $0 }), case let client = accept(descriptor, nil, nil), client >= 0 {
      defer { close(client) }
      let device = #"{"class":"DEVICE","path":"/dev/x","activated":"2026-05-26T16:52:45.000Z"}"#
      var isTaken = send(
        #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#, client)
      isTaken = isTaken && send(#"{"class":"DEVICES","devices":[\#(device)]}"#, client)
      while isTaken, !isStopping.withLock({ $0 }) {
        let time = Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        isTaken = send(
          #"{"class":"TPV","device":"/dev/x","mode":3,"time":"\#(time)","lat":52.5,"lon":13,"altHAE":80.5,"eph":2.5,"epv":4,"speed":0}"#,
          client)
        usleep(200_000)
      }
    }
  }

  private func send(_ line: String, _ client: Int32) -> Bool {
    let bytes = Array((line + "\r\n").utf8)
    return CLibrary.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }
}
