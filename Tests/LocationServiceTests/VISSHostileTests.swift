import Foundation
import JSON
import Location
import LocationService
import Navigation
import TestParts
import Testing

/// Clients of VISS that mean harm: each loses its own connection, and the service goes on.
@Suite(.serialized) struct VISSHostileTests {
  private let viss: VISSBench
  private let get = #"{"action":"get","path":"Vehicle.Speed","requestId":"1"}"#

  init() throws { viss = try VISSBench() }

  private func expectServed() throws {
    let client = viss.connect()
    #expect(client.status == "101")
    #expect(
      becomesTrue(within: 5) {
        viss.publish()
        return client.answer(get)?.vissValue == "36.0"
      })
  }

  @Test(
    arguments: [
      (WebSocketByHand.frame([UInt8](repeating: 0x20, count: 16_385)), 1009),
      ([0x81, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0], 1009),
      (WebSocketByHand.frame([1, 2, 3], opcode: 2), 1003),
      (WebSocketByHand.frame(Array("{}".utf8), isMasked: false), 1002),
      (WebSocketByHand.frame([0x03, 0xE8], opcode: 8), 1000),
      // Control frames have at most 125 bytes, and are whole.
      (WebSocketByHand.frame([UInt8](repeating: 0, count: 126), opcode: 9), 1002),
      (WebSocketByHand.frame([], opcode: 9, isFinal: false), 1002),
    ] as [([UInt8], Int)]) func whatIsNoMessageEndsTheConnectionWithItsCode(bytes: [UInt8], code: Int) throws
  {
    let client = viss.connect()
    client.send(bytes)
    #expect(client.ends(within: 5) && client.code == code, "\(client.code ?? 0)")
    try expectServed()
  }

  @Test func aMessageInTooManyOrTooLargePiecesEndsTheConnection() throws {
    for size in [1, 5000] {
      let client = viss.connect()
      let piece = [UInt8](repeating: 0x20, count: size)
      client.send(WebSocketByHand.frame(piece, isFinal: false))
      for _ in 0..<20 { client.send(WebSocketByHand.frame(piece, opcode: 0, isFinal: false)) }
      #expect(client.ends(within: 5))
    }
    // A few are a message.
    let client = viss.connect()
    let bytes = Array(get.utf8)
    client.send(WebSocketByHand.frame(Array(bytes[..<10]), isFinal: false))
    client.send(WebSocketByHand.frame(Array(bytes[10...]), opcode: 0))
    #expect(client.next()?["requestId"]?.string == "1")
    try expectServed()
  }

  /// A program that inherited the connection would hold it open.
  @Test func aConnectionEndsWhateverProgramsWereStartedMeanwhile() throws {
    let client = viss.connect()
    let program = try ChildProcess("/bin/sleep", ["60"])
    client.send(WebSocketByHand.frame([1, 2, 3], opcode: 2))
    #expect(client.ends(within: 5))
    withExtendedLifetime(program) {}
    try expectServed()
  }

  @Test func garbageAndHalfARequestAreHungUpOn() throws {
    for bytes in [Array("nonsense\r\n\r\n".utf8), Array("GET /".utf8), [0, 1, 2, 3], []] as [[UInt8]] {
      let connection = WebSocketByHand(MetricsPage.connect(viss.port), "")
      connection.send(bytes)
      #expect(connection.ends(within: 8))
    }
    let client = viss.connect()
    var dice = Dice(seed: 5)
    client.send((0..<4096).map { _ in UInt8.random(in: 0...255, using: &dice) })
    _ = client.ends(within: 2)
    try expectServed()
  }

  /// 8 clients, and of those that ask for nothing 32.
  @Test func manyConnectionsAreBounded() throws {
    let clients = (0..<10).map { _ in viss.connect() }
    #expect(clients.count { $0.status == "101" } == 8 && clients.count { $0.status == "503" } == 2)
    let idle = (0..<64).map { _ in MetricsPage.connect(viss.port) }
    defer { idle.forEach { close($0) } }
    usleep(300_000)
    let ended = idle.count { descriptor in
      var byte: UInt8 = 0
      return recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) == 0
    }
    #expect(ended >= 32)
    #expect(clients[0].answer(get)?["requestId"]?.string == "1")
  }

  @Test func subscriptionsAreBounded() throws {
    let client = viss.connect()
    for number in 1...16 {
      let answer = client.answer(#"{"action":"subscribe","path":"Vehicle.Speed","requestId":"\#(number)"}"#)
      #expect(answer?["subscriptionId"]?.string == "\(number)")
    }
    let more = client.answer(#"{"action":"subscribe","path":"Vehicle.Speed","requestId":"17"}"#)
    #expect(more?.fault == "429 too_many_requests")
    try expectServed()
  }

  @Test func oneThatAsksWithoutEndIsToldSoAndHungUpOn() throws {
    let client = viss.connect()
    let frame = WebSocketByHand.frame(Array(get.utf8))
    for _ in 0..<1500 where !client.send(frame, wait: 0.1) { break }
    var last: JSON?
    while let message = client.next(within: 2) { last = message }
    #expect(last?.fault == "429 too_many_requests" && client.code == 1008)
    try expectServed()
  }

  /// It subscribes to all, and reads nothing.
  @Test func oneThatReadsNothingIsHungUpOnAfterTenSeconds() throws {
    let client = viss.connect()
    var small: Int32 = 2048
    setsockopt(client.descriptor, SOL_SOCKET, SO_RCVBUF, &small, socklen_t(MemoryLayout<Int32>.size))
    for number in 0..<16 {
      client.say(#"{"action":"subscribe","path":"Vehicle","requestId":"\#(number)"}"#)
    }
    func clients() -> Int { viss.bench.host.takeStatistics().connections }
    #expect(becomesTrue(within: 5) { clients() == 1 })
    let began = BootClock.now()
    #expect(
      becomesTrue(within: 40) {
        viss.publish()
        usleep(80_000)
        return clients() == 0
      })
    #expect(BootClock.now().seconds(since: began) > 8)
    try expectServed()
  }
}
