import Pages
import Streets
import TestParts
import Testing

/// What is read of a tile for maps that stand still.
struct VectorTileTests {
  private func tiles(_ schema: MadeStreets.Schema) -> [[UInt8]] {
    MadeStreets(latitude: 48, longitude: 11, schema: schema).tiles(14...14).map(\.bytes)
  }

  @Test(arguments: [MadeStreets.Schema.protomaps, .openMapTiles], [true, false])
  func everythingThatIsDrawnIsFound(schema: MadeStreets.Schema, isPacked: Bool) throws {
    var kinds: [StreetKind: Int] = [:]
    var tunnels = 0
    for bytes in tiles(schema) {
      let tile = try #require(VectorTile(isPacked ? MadeStreets.packed(bytes) : bytes, isPacked: isPacked))
      for feature in tile.features {
        kinds[feature.kind, default: 0] += 1
        tunnels += feature.isTunnel ? 1 : 0
        #expect(
          !feature.lines.isEmpty && feature.lines.allSatisfy { $0.count == (feature.kind.isArea ? 4 : 2) })
        #expect(feature.lines.joined().allSatisfy { min($0.x, $0.y) >= -2 && max($0.x, $0.y) <= 3 })
      }
    }
    for kind in [StreetKind.green, .water, .path, .minor, .medium, .major, .motorway] {
      #expect(kinds[kind] ?? 0 > 0, "\(kind) of \(schema)")
    }
    #expect(tunnels >= 20)
  }

  /// Each byte of a tile made another, and each tile cut off: it is read, or it is none,
  /// and nothing else happens.
  @Test func damagedTilesAreNone() throws {
    let bytes = try #require(tiles(.protomaps).max { $0.count < $1.count })
    var none = 0
    for place in stride(from: 0, to: bytes.count, by: 7) {
      for change in [UInt8(0x80), 0xFF, 0x01] {
        var damaged = bytes
        damaged[place] ^= change
        if VectorTile(damaged, isPacked: false) == nil { none += 1 }
      }
      if VectorTile(Array(bytes[..<place]), isPacked: false) == nil { none += 1 }
    }
    #expect(none > 50)
    for bytes in [[], [0x1A], [0x1A, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F], Array(repeating: 0xFF, count: 1000)]
      as [[UInt8]]
    {
      #expect(VectorTile(bytes, isPacked: false)?.features.isEmpty ?? true)
      #expect(VectorTile(bytes, isPacked: true) == nil)
    }
  }

  /// A line that claims more points than a map has ends the reading, and so does one that claims more
  /// than there are bytes for.
  @Test func moreThanAMapHasIsNone() {
    func number(_ value: Int) -> [UInt8] {
      value < 128 ? [UInt8(value)] : [UInt8(value & 127 | 128)] + number(value >> 7)
    }
    func field(_ tag: Int, _ bytes: [UInt8]) -> [UInt8] { number(tag << 3 | 2) + number(bytes.count) + bytes }
    func tile(_ count: Int, _ steps: Int) -> [UInt8] {
      let geometry = number(2 | count << 3) + Array(repeating: UInt8(2), count: steps)
      let feature = number(3 << 3) + [2] + field(4, geometry)
      return field(3, field(1, Array("roads".utf8)) + field(2, feature))
    }
    #expect(VectorTile(tile(1000, 2000), isPacked: false)?.features.first?.lines.first?.count == 1000)
    #expect(VectorTile(tile(1000, 1999), isPacked: false) == nil)
    #expect(VectorTile(tile(500_000, 1_000_000), isPacked: false) == nil)
  }

  /// The page's script sorts by the same words.
  @Test func thePageDrawsByTheSameWords() {
    for (kind, words) in StreetKind.roadWords {
      #expect(StreetScript.source.contains("\(kind?.rawValue ?? "none"): '\(words)'"), "\(words)")
    }
    for words in StreetKind.greenWords { #expect(StreetScript.source.contains("'\(words)'"), "\(words)") }
  }
}
