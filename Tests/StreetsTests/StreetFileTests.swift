import Foundation
import TestParts
import Testing

import Streets

/// Files of streets as they should be.
struct StreetFileTests {
  private let town = MadeStreets(latitude: 40.7125, longitude: -74.0095)

  private func open(_ bytes: [UInt8]) throws -> StreetFile { try TemporaryFile(bytes).open() }

  @Test(arguments: [true, false], [nil, 1, 7]) func everyTileIsFoundAndNoOther(isPacked: Bool, leaf: Int?)
    throws
  {
    let file = try open(town.file(12...15, isPacked: isPacked, leaf: leaf))
    #expect(file.zooms == 12...15 && file.areTilesPacked == isPacked && file.attribution == "© OpenStreetMap")
    let made = town.tiles(12...15)
    #expect(made.count > 40)
    for tile in made {
      let place = try #require(StreetTile(zoom: tile.zoom, column: tile.x, row: tile.y))
      #expect(try file.bytes(of: place) == (isPacked ? MadeStreets.packed(tile.bytes) : tile.bytes))
    }
    for (zoom, column, row) in [(12, 0, 0), (15, 32_767, 32_767), (11, 602, 770), (16, 19_300, 24_600)] {
      #expect(try file.bytes(of: #require(StreetTile(zoom: zoom, column: column, row: row))) == nil)
    }
  }

  /// The numbers that the specification gives, and those of another way to count.
  @Test func tilesAreNumberedAlongHilbertsCurve() {
    for (zoom, column, row, number) in [
      (0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4), (2, 0, 0, 5),
      (12, 3423, 1763, 19_078_479),
    ] {
      #expect(StreetTile(zoom: zoom, column: column, row: row)?.identifier == UInt64(number))
    }
    for zoom in 0...6 {
      for column in 0..<(1 << zoom) {
        for row in 0..<(1 << zoom) {
          #expect(
            StreetTile(zoom: zoom, column: column, row: row)?.identifier
              == UInt64(MadeStreets.identifier(zoom, column, row)))
        }
      }
    }
    for (zoom, column, row) in [(-1, 0, 0), (23, 0, 0), (3, 8, 0), (3, 0, -1)] {
      #expect(StreetTile(zoom: zoom, column: column, row: row) == nil)
    }
  }

  /// Seas are one tile for many squares.
  @Test func aRunOfTilesIsOneStretch() throws {
    let entries = [
      PMTilesEntry(identifier: 5, offset: 0, length: 3, run: 4),
      PMTilesEntry(identifier: 12, offset: 0, length: 3, run: 1),
    ]
    let file = try open(MadeStreets.file(entries, data: [1, 2, 3], zooms: 2...2, isPacked: false))
    let found = try (0..<16).filter {
      try file.bytes(of: #require(StreetTile(zoom: 2, column: $0 % 4, row: $0 / 4))) == [1, 2, 3]
    }
    #expect(found.count == 5)
  }

  @Test(arguments: [
    ("<a href='x'>&copy; OpenStreetMap</a> <b>contributors</b>", "© OpenStreetMap contributors"),
    ("&lt;script&gt;alert(1)&lt;/script&gt;", "<script>alert(1)</script>"), ("a\u{7}\n\u{0}b", "a b"),
    ("", ""),
    (String(repeating: "x", count: 9999), String(repeating: "x", count: 200)),
  ]) func theSourceIsSaidInWordsAlone(html: String, words: String) {
    #expect(StreetFile.plain(html) == words)
  }

  /// What the specification's own programs in Python make of our file, and we of theirs, where they are
  /// (`pip install pmtiles`).
  @Test func theSpecificationsOwnProgramsAgree() throws {
    let made = TemporaryFile(town.file(12...14, leaf: 5))
    let theirs = TemporaryFile([])
    let script = """
      import sys, zlib
      from pmtiles.reader import Reader, MmapSource, all_tiles
      from pmtiles.writer import Writer
      from pmtiles.tile import zxy_to_tileid
      with open(sys.argv[1], "rb") as f, open(sys.argv[2], "wb") as out:
        source = MmapSource(f)
        reader = Reader(source)
        header, metadata = reader.header(), reader.metadata()
        writer = Writer(out)
        for (z, x, y), data in all_tiles(source):
          print(z, x, y, zlib.crc32(data))
          writer.write_tile(zxy_to_tileid(z, x, y), data)
        writer.finalize(header, metadata)
      """
    guard let said = Self.python(script, [made.path, theirs.path]) else {
      print("skipped: RECKON_PYTHON has no pmtiles; pip install pmtiles")
      return
    }
    let file = try theirs.open()
    let lines = said.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int($0) } }
    #expect(lines.count == town.tiles(12...14).count && file.attribution == "© OpenStreetMap")
    let ours = try made.open()
    for line in lines {
      let tile = try #require(StreetTile(zoom: line[0], column: line[1], row: line[2]))
      #expect(try file.bytes(of: tile) == ours.bytes(of: tile))
    }
  }

  private static func python(_ script: String, _ arguments: [String]) -> String? {
    let program = ProcessInfo.processInfo.environment["RECKON_PYTHON"] ?? "python3"
    guard let run = try? ProgramRun(program, ["-c", script] + arguments), run.status == 0 else { return nil }
    return run.output
  }
}

/// A file that goes with this.
final class TemporaryFile {
  private let scratch = ScratchFolder()
  var path: String { scratch("town.pmtiles") }

  init(_ bytes: [UInt8]) { try? scratch.put("town.pmtiles", bytes) }

  func open() throws(StreetFault) -> StreetFile { try StreetFile(path: path) }
}
