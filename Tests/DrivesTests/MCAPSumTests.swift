import Foundation
import Navigation
import TestParts
import Testing

import Drives

/// Checksums that an MCAP file states of itself.
struct MCAPSumTests {
  private static let magic: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]

  private static func bytes<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  /// CRC-32 bit by bit, as its definition has it.
  private static func sum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var crc = ~UInt32(0)
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }

  /// The records of a track of our own from the first schema to the last message.
  private static func records() throws -> [UInt8] {
    let file = [UInt8](try WrittenTrack.track("track.mcap", of: Array(WrittenTrack.solutions[10..<30])))
    var (start, first, last) = (8, 0, 0)
    while start + 9 < file.count - 8 {
      let length = (0..<8).reduce(0) { $0 + Int(file[start + 1 + $1]) << (8 * $1) }
      if file[start] == 3, first == 0 { first = start }
      if file[start] == 0x0F { last = start }
      start += 9 + length
    }
    return Array(file[first..<last])
  }

  /// A file of two chunks of the same records, each with the sum that it states, and its own.
  private func file(chunkSum: UInt32?, sum: ((UInt32) -> UInt32)? = nil, breaking places: [Int] = []) throws
    -> DriveImport
  {
    let records = try Self.records()
    var file = Self.magic
    file += [1] + Self.bytes(UInt64(8)) + Self.bytes(UInt64(0))
    for chunk in 0..<2 {
      var held = records
      if let place = places.first, chunk < places.count { held[held.count - place] ^= 0x10 }
      let head =
        Self.bytes(UInt64(0)) + Self.bytes(UInt64(0)) + Self.bytes(UInt64(records.count))
        + Self.bytes(chunkSum ?? Self.sum(records)) + Self.bytes(UInt32(0))
        + Self.bytes(UInt64(records.count))
      file += [6] + Self.bytes(UInt64(head.count + held.count)) + head + held
    }
    // A record that is of no use here counts too.
    file += [7] + Self.bytes(UInt64(3)) + [1, 2, 3]
    file += [0x0F] + Self.bytes(UInt64(4)) + Self.bytes(sum?(Self.sum(file)) ?? 0)
    file += [2] + Self.bytes(UInt64(20)) + [UInt8](repeating: 0, count: 20) + Self.magic
    let scratch = ScratchFolder()
    try Data(file).write(to: URL(fileURLWithPath: scratch("bag.mcap")))
    return try ImportFormat.mcap.read(scratch("bag.mcap"))
  }

  private func said(_ drive: DriveImport) -> [String] { drive.notes.filter { $0.contains("checksum") } }

  @Test func sumsThatAreRightOrNotStatedAreNotSaid() throws {
    for chunkSum in [nil, 0 as UInt32?] {
      for sum in [nil, { $0 }] as [((UInt32) -> UInt32)?] {
        let drive = try file(chunkSum: chunkSum, sum: sum)
        #expect(drive.fixes.count == 40 && said(drive).isEmpty, "\(drive.notes)")
      }
    }
  }

  /// In the last message, whose place it moves: nothing else would tell.
  @Test func aChunkWithAnotherSumIsSaidAndRead() throws {
    let one = try file(chunkSum: nil, sum: { $0 }, breaking: [40])
    #expect(one.fixes.count == 40 && said(one).count == 1)
    #expect(
      said(one)[0].hasPrefix("the chunk at byte 25 has not the checksum that it states: "), "\(said(one))")
    let both = try file(chunkSum: nil, breaking: [40, 40])
    #expect(both.fixes.count == 40)
    #expect(said(both).count == 1 && said(both)[0].contains("byte 25"))
    #expect(said(both)[0].contains("nor have 1 more"))
  }

  @Test func aFileWithAnotherSumIsSaidAndRead() throws {
    let drive = try file(chunkSum: 0, sum: { $0 ^ 1 })
    #expect(drive.fixes.count == 40)
    #expect(
      said(drive).count == 1 && said(drive)[0].hasPrefix("the file has not the checksum"), "\(drive.notes)")
  }
}
