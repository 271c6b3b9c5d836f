import Foundation
import TestParts
import Testing

import Streets

/// Files of streets that are damaged, or mean harm.
struct HostileStreetFileTests {
  private let good = MadeStreets(latitude: 40.7125, longitude: -74.0095).file(14...14, isPacked: false)

  private func reason(_ bytes: [UInt8]) -> String {
    do throws(StreetFault) {
      _ = try TemporaryFile(bytes).open()
      return ""
    } catch { return error.reason }
  }

  private func changed(_ place: Int, _ bytes: [UInt8]) -> [UInt8] {
    var all = good
    all.replaceSubrange(place..<place + bytes.count, with: bytes)
    return all
  }

  @Test func whatIsNoSuchFileIsRefusedWithTheReason() {
    let huge = [UInt8](repeating: 0xFF, count: 8)
    for (bytes, words) in [
      ([], "no PMTiles file"), (Array("SQLite format 3".utf8), "no PMTiles file"),
      (Array(good[..<90]), "cut off"),
      (Array("PM".utf8) + [2, 0] + [UInt8](repeating: 0, count: 200), "another version"),
      (changed(7, [2]), "another version"),
      (Array(good[..<2000]), "not copied whole"), (changed(8, huge), "not copied whole"),
      (changed(16, huge), "not copied whole"),
      (changed(40, huge), "not copied whole"), (changed(97, [3]), "directories are packed by brotli"),
      (changed(98, [4]), "tiles are packed by zstd"), (changed(98, [77]), "not known"),
      (changed(99, [2]), "vector tiles"),
      (changed(99, [6]), "vector tiles"), (changed(100, [9, 3]), "zooms"), (changed(101, [31]), "zooms"),
      (changed(97, [2]), "cannot be unpacked"),
      (changed(127, [0xFF, 0xFF, 0xFF, 0xFF, 0x7F]), "directory is damaged"),
    ] { #expect(reason(bytes).contains(words), "\(words): \(reason(bytes))") }
    #expect(throws: StreetFault.self) { _ = try StreetFile(path: "/nowhere/streets.pmtiles") }
    #expect(throws: StreetFault.self) { _ = try StreetFile(path: "/tmp") }
    #expect(throws: StreetFault.self) { _ = try StreetFile(path: "/dev/zero") }
  }

  private func file(_ entries: [PMTilesEntry], data: [UInt8] = [1, 2, 3]) throws -> (
    StreetFile, TemporaryFile
  ) {
    let file = TemporaryFile(MadeStreets.file(entries, data: data, zooms: 0...0, isPacked: false))
    return (try file.open(), file)
  }

  private func reason(_ entries: [PMTilesEntry], data: [UInt8] = [1, 2, 3]) throws -> String {
    let (file, keeper) = try file(entries, data: data)
    defer { withExtendedLifetime(keeper) {} }
    do throws(StreetFault) {
      _ = try file.bytes(of: .world)
      return ""
    } catch { return error.reason }
  }

  @Test func aTileBeyondItsFileOrOutOfAllProportionIsRefused() throws {
    for (offset, length) in [(0, 4), (3, 1), (Int.max - 1, 1), (0, Int.max)] {
      let said = try reason([.init(identifier: 0, offset: offset, length: length, run: 1)])
      #expect(said.hasPrefix("tile 0/0/0: ") && said.contains("beyond"), "\(said)")
    }
    let large = [UInt8](repeating: 0, count: 50 << 20)
    #expect(
      try reason([.init(identifier: 0, offset: 0, length: large.count, run: 1)], data: large).contains(
        "52428800 bytes"))
  }

  /// A leaf that names itself would be read for ever, and a large one would fill the memory.
  @Test func leavesThatLeadToThemselvesEnd() throws {
    let leaf: [UInt8] = [1, 0, 0, 5, 1]
    var bytes = MadeStreets.file(
      [.init(identifier: 0, offset: 0, length: leaf.count, run: 0)], data: leaf, zooms: 0...0, isPacked: false
    )
    // The leaves are where the tiles are.
    bytes.replaceSubrange(40..<56, with: bytes[56..<72])
    let file = try TemporaryFile(bytes).open()
    #expect(throws: StreetFault.self) { _ = try file.bytes(of: .world) }
    do { _ = try file.bytes(of: .world) } catch {
      #expect(error.reason.contains("4 directories"))
    }
    let zeros = [UInt8](repeating: 0, count: 2 << 20)
    bytes = MadeStreets.file(
      [.init(identifier: 0, offset: 0, length: zeros.count, run: 0)], data: zeros, zooms: 0...0,
      isPacked: false)
    bytes.replaceSubrange(40..<56, with: bytes[56..<72])
    let large = try TemporaryFile(bytes).open()
    do { _ = try large.bytes(of: .world) } catch {
      #expect(error.reason.contains("2097152 bytes"))
    }
  }

  @Test func aFileThatShrinksWhileItIsOpenIsSaid() throws {
    let (file, keeper) = try file([.init(identifier: 0, offset: 0, length: 3, run: 1)])
    #expect(try file.bytes(of: .world) == [1, 2, 3])
    #expect(truncate(keeper.path, 130) == 0)
    #expect(throws: StreetFault.self) { _ = try file.bytes(of: .world) }
  }

  @Test(arguments: [true, false]) func changedBytesHarmNobody(isPacked: Bool) throws {
    let whole = MadeStreets(latitude: 40.7125, longitude: -74.0095).file(13...14, isPacked: isPacked, leaf: 3)
    let last =
      whole.count
      - MadeStreets(latitude: 40.7125, longitude: -74.0095).tiles(13...14).map(\.bytes.count).reduce(0, +)
    var random = Dice(seed: 17)
    let tiles = (0..<8).compactMap { StreetTile(zoom: 14, column: 4822 + $0 % 3, row: 6158 + $0 / 3) }
    for _ in 0..<400 {
      var bytes = whole
      for _ in 0..<(1 + random.next() % 4) {
        bytes[Int(random.next() % UInt64(max(200, last)))] = UInt8(truncatingIfNeeded: random.next())
      }
      if random.next() % 5 == 0 { bytes.removeSubrange(Int(random.next() % UInt64(bytes.count))...) }
      guard let file = try? TemporaryFile(bytes).open() else { continue }
      for tile in tiles {
        let found = try? file.bytes(of: tile)
        #expect((found ?? nil)?.count ?? 0 <= Int(StreetFile.longestTile))
      }
    }
  }
}
