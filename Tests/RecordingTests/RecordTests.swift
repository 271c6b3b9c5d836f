import Foundation
import Navigation
import SensorEvents
import Testing

import Recording

struct RecordTests {
  @Test func checkIsThatOfTheStandard() {
    // RFC 3720, B.4: 32 zeros, 32 ones, and the digits of the usual check value.
    #expect(CRC32C.of([UInt8](repeating: 0, count: 32), 0..<32) == 0x8A91_36AA)
    #expect(CRC32C.of([UInt8](repeating: 0xFF, count: 32), 0..<32) == 0x62A8_AB43)
    #expect(CRC32C.of(Array("123456789".utf8), 0..<9) == 0xE306_9283)
  }

  @Test func everyEventComesBackWithTheSameBits() throws {
    for item in MadeEvents.items(4000) {
      var bytes = ByteEncoder()
      item.encode(to: &bytes)
      let back = try #require(RecordedItem(kind: item.kind.rawValue, payload: bytes.bytes[...]))
      #expect(back.exactBytes == item.exactBytes)
    }
  }

  /// The layout is a promise: recordings outlive the build.
  @Test func layoutOfAnEventStays() {
    let event = SensorEvent(
      source: SourceID(3), arrival: .init(nanoseconds: 0x0102_0304_0506_0708),
      content: .temperature(celsius: 1))
    var bytes = ByteEncoder()
    Record.append(.event(event), sequence: 5, to: &bytes)
    #expect(
      bytes.bytes.dropLast(4) == [
        0x52, 0x4B, 1, 0, 5, 0, 0, 0, 18, 0, 0, 0, 3, 8, 7, 6, 5, 4, 3, 2, 1, 5, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F,
      ])
  }

  @Test func shortOrLongPayloadIsNoEvent() {
    for item in MadeEvents.items(40) {
      var bytes = ByteEncoder()
      item.encode(to: &bytes)
      for count in 0..<bytes.bytes.count {
        #expect(RecordedItem(kind: item.kind.rawValue, payload: bytes.bytes[..<count]) == nil)
      }
      #expect(RecordedItem(kind: item.kind.rawValue, payload: bytes.bytes + [0]) == nil)
    }
  }
}
