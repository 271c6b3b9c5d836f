import Sensors
import TestParts

/// A server that speaks as the test wants it to, where gpsd would.
final class FakeGPSD {
  static let version = #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
  static let device = #"{"class":"DEVICE","path":"/dev/x","activated":"2026-05-26T16:52:45.000Z"}"#

  let listener: Listener
  let log = EventLog()
  let source: GPSDSource
  private var seconds = 0

  init() throws {
    listener = try Listener()
    source = try GPSDSource(id: 7, port: listener.port, log: log)
  }

  deinit { source.stop(within: 2) }

  /// Takes the source's connection and greets it.
  func greet() -> Bool {
    guard listener.accept(), let request = listener.line(), request.hasPrefix("?WATCH=") else { return false }
    return listener.send("\(Self.version)\r\n{\"class\":\"DEVICES\",\"devices\":[\(Self.device)]}\r\n")
  }

  /// One more fix, a second after the one before.
  func sendFix() -> Bool { listener.send(fix() + "\r\n") }

  func fix() -> String {
    seconds += 1
    let second = "\(seconds / 10 % 6)\(seconds % 10)"
    return
      "{\"class\":\"TPV\",\"device\":\"/dev/x\",\"mode\":3,\"time\":\"2026-05-26T16:\(seconds / 60 + 10):\(second).000Z\","
      + "\"lat\":52.5,\"lon\":\(13 + Double(seconds) / 1e5),\"altHAE\":80.5,\"eph\":2.5}"
  }

  /// Sends one more fix and waits until it has arrived.
  func fixArrives() -> Bool {
    let before = log.fixes.count
    return sendFix() && becomesTrue(within: 5) { log.fixes.count == before + 1 }
  }
}
