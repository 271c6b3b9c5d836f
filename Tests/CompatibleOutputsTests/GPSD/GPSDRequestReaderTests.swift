import TestParts
import Testing

import CompatibleOutputs

@Suite struct GPSDRequestReaderTests {
  private func requests(_ text: String) -> [GPSDRequest] { requests(Array(text.utf8)) }

  private func requests(_ bytes: [UInt8], packet: Int = .max) -> [GPSDRequest] {
    var reader = GPSDRequestReader()
    var found: [GPSDRequest] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      reader.append(rest.prefix(packet))
      rest = rest.dropFirst(packet)
      while let request = reader.next() { found.append(request) }
    }
    return found
  }

  /// What gpspipe, libgps and people with netcat send.
  @Test func requestsOfRealClientsAreRead() {
    #expect(requests("?VERSION;\n") == [.version])
    #expect(requests("?DEVICES;\r\n") == [.devices])
    #expect(requests("?POLL;") == [.poll])
    #expect(requests("?WATCH;") == [.watch(nil)])
    #expect(requests("?WATCH\n") == [.watch(nil)])
    #expect(requests("?DEVICE={\"path\":\"reckon\"};") == [.device(path: "reckon")])
    var change = GPSDRequest.WatchChange()
    change.json = true
    #expect(requests("?WATCH={\"enable\":true,\"json\":true};") == [.watch(change)])
    #expect(requests(" ?WATCH={ \"enable\" : true , \"json\":1 }\r\n") == [.watch(change)])
    change = GPSDRequest.WatchChange(enable: false)
    #expect(requests("?WATCH={\"enable\":false}") == [.watch(change)])
  }

  @Test func everyMemberOfWatchIsRead() {
    var change = GPSDRequest.WatchChange()
    (change.json, change.nmea, change.raw, change.scaled) = (false, true, 2, true)
    (change.timing, change.split24, change.pps, change.device) = (false, true, true, "a;}\"é")
    #expect(
      requests(
        "?WATCH={\"class\":\"WATCH\",\"enable\":true,\"json\":false,\"nmea\":true,\"raw\":2,\"scaled\":true,"
          + "\"timing\":false,\"split24\":true,\"pps\":true,\"device\":\"a;}\\\"\\u00e9\",\"new\":null};")
        == [.watch(change)])
  }

  @Test func severalRequestsOnALineAreReadInOrder() {
    #expect(
      requests("?VERSION;?DEVICES;;; ?POLL;?WATCH={};\n") == [.version, .devices, .poll, .watch(.init())])
  }

  @Test func packetsMayCutAnywhere() {
    let text = Array("?VERSION;xx?WATCH={\"enable\":true,\"device\":\"}\"};\r\n?FOO;?POLL;\n".utf8)
    let whole = requests(text)
    #expect(whole.count == 4)
    for packet in 1...text.count { #expect(requests(text, packet: packet) == whole) }
  }

  @Test func whatIsNotOfTheProtocolIsSaidBack() {
    #expect(requests("?FOO;") == [.error(message: "Unrecognized request '?FOO;'")])
    #expect(requests("?version;") == [.error(message: "Unrecognized request '?version'")])
    #expect(requests("?VERSION={};") == [.error(message: "Unrecognized request '?VERSION={}'")])
    #expect(requests("?;") == [.error(message: "Unrecognized request '?;'")])
    #expect(requests("?WATCH={\"enable\":tru};") == [.error(message: "Invalid WATCH: malformed argument")])
    #expect(requests("?WATCH={\"a\":[1]};") == [.error(message: "Invalid WATCH: malformed argument")])
    #expect(requests("?WATCH={\"a\":{\"b\":1}};") == [.error(message: "Invalid WATCH: malformed argument")])
    #expect(requests("?WATCH={\"enable\":nan};") == [.error(message: "Invalid WATCH: malformed argument")])
    // A lost brace costs its own line only.
    #expect(
      requests("?WATCH={\"enable\":true\n?POLL;") == [
        .error(message: "Unrecognized request '?WATCH={\"enable\":true'"), .poll,
      ])
    // What cannot be printed is not sent back.
    #expect(
      requests([0x3F, 0x00, 0xFF, 0x1B, 0x41, 0x0A])
        == [.error(message: "Unrecognized request '?...A'")])
  }

  @Test func whatStandsBetweenRequestsIsSkipped() {
    #expect(requests("GET / HTTP/1.1\r\nHost: x\r\n\r\n") == [])
    #expect(requests("\u{0}\u{1}garbage\n?VERSION;") == [.version])
  }

  @Test func anEndlessRequestEndsTheConversation() {
    var reader = GPSDRequestReader()
    reader.append(Array("?WATCH={\"device\":\"".utf8))
    #expect(reader.next() == nil)
    var found: [GPSDRequest] = []
    for _ in 0..<100 {
      reader.append([UInt8](repeating: 0x41, count: 1000))
      while let request = reader.next() { found.append(request) }
      #expect(reader.pendingCount <= GPSDRequestReader.maximumLength + 1000)
    }
    #expect(found == [.error(message: "Request longer than 8192 bytes")])
    #expect(reader.isOverflown)
  }

  /// Without a question mark nothing is kept, however much comes.
  @Test func garbageIsNotKept() {
    var reader = GPSDRequestReader()
    for _ in 0..<100 {
      reader.append([UInt8](repeating: 0x7B, count: 1000))
      #expect(reader.next() == nil)
      #expect(reader.pendingCount == 0)
    }
  }

  /// Random bytes with a taste of the protocol: it always ends, never grows, and does
  /// not depend on the packets.
  @Test func randomBytesNeverBreakIt() {
    var random = Dice(seed: 1004)
    let words = [
      "?", "WATCH", "=", "{", "}", "\"", "\\", "\\u12", ":", ",", ";", "\n", "true", "enable", "1e9", "\u{0}",
    ]
    for _ in 0..<2_000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        if Int.random(in: 0..<4, using: &random) == 0 {
          bytes.append(.random(in: 0...255, using: &random))
        } else {
          bytes.append(contentsOf: (words.randomElement(using: &random) ?? "").utf8)
        }
      }
      #expect(requests(bytes) == requests(bytes, packet: .random(in: 1...7, using: &random)))
    }
  }
}
