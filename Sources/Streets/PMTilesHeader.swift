// PMTiles, version 3: github.com/protomaps/PMTiles, spec/v3/spec.md, as of June 2024.

/// How the parts of a file are packed.
enum PMTilesPacking: UInt8 {
  case unknown, none, gzip, brotli, zstd
}

/// A stretch of a file.
struct PMTilesStretch {
  var offset: UInt64
  var length: UInt64

  /// Whether it lies within `whole` bytes.
  func isWithin(_ whole: UInt64) -> Bool { offset <= whole && length <= whole - offset }
}

/// The first 127 bytes of a file: what it holds, and where.
struct PMTilesHeader {
  static let length = 127
  /// Finer tiles than these no map has: a tile of zoom 22 is 10 m wide.
  static let finestZoom = 22
  /// Bytes of a directory in the file.
  /// *[chosen: the root of a file has 16 KB by the specification, and writers make leaves of as much]*
  static let longestDirectory: UInt64 = 1 << 20

  let root, metadata, leaves, tiles: PMTilesStretch
  let packing: PMTilesPacking
  let areTilesPacked: Bool
  let zooms: ClosedRange<Int>
  /// Degrees.
  let west, south, east, north: Double

  /// What `bytes` say of a file of `size` bytes; throws the reason for which it cannot be used.
  init(_ bytes: [UInt8], size: UInt64) throws(Reason) {
    guard bytes.starts(with: Array("PM".utf8)) else { throw Reason("it is no PMTiles file") }
    guard bytes.count == Self.length, bytes.starts(with: Array("PMTiles".utf8)), bytes[7] == 3 else {
      throw Reason(
        bytes.count < Self.length
          ? "it is cut off within its header"
          : "it is PMTiles of another version than 3: `pmtiles convert OLD NEW` makes one of it")
    }
    func word(_ place: Int, _ count: Int) -> UInt64 {
      (0..<count).reduce(0) { $0 | UInt64(bytes[place + $1]) << (8 * UInt64($1)) }
    }
    func stretch(_ place: Int) -> PMTilesStretch { .init(offset: word(place, 8), length: word(place + 8, 8)) }
    func degrees(_ place: Int) -> Double {
      Double(Int32(bitPattern: UInt32(truncatingIfNeeded: word(place, 4)))) * 1e-7
    }
    (root, metadata, leaves, tiles) = (stretch(8), stretch(24), stretch(40), stretch(56))
    for (part, name) in [(root, "directory"), (metadata, "metadata"), (leaves, "leaves"), (tiles, "tiles")]
    where !part.isWithin(size) {
      throw Reason(
        "its \(name) would end at byte \(part.offset &+ part.length) and it has \(size): it was not copied whole"
      )
    }
    guard root.length <= Self.longestDirectory else {
      throw Reason(
        "its directory has \(root.length) bytes, and more than \(Self.longestDirectory) are not read")
    }
    packing = try Self.packing(bytes[97], of: "directories")
    areTilesPacked = try Self.packing(bytes[98], of: "tiles") == .gzip
    guard bytes[99] == 1 else {
      throw Reason("its tiles are pictures or of a kind that is not known: vector tiles (MVT) are needed")
    }
    guard bytes[100] <= bytes[101], bytes[101] <= Self.finestZoom else {
      throw Reason("its zooms are \(bytes[100]) to \(bytes[101]), and 0 to \(Self.finestZoom) are possible")
    }
    zooms = Int(bytes[100])...Int(bytes[101])
    (west, south, east, north) = (degrees(102), degrees(106), degrees(110), degrees(114))
  }

  private static func packing(_ code: UInt8, of what: String) throws(Reason) -> PMTilesPacking {
    let packing = PMTilesPacking(rawValue: code) ?? .unknown
    guard packing == .none || packing == .gzip else {
      let name = packing == .unknown ? "in a way that is not known" : "by \(packing)"
      throw Reason("its \(what) are packed \(name): make it with gzip, which is what `pmtiles` itself does")
    }
    return packing
  }

  /// What is wrong, without the file's name.
  struct Reason: Error { let text: String; init(_ text: String) { self.text = text } }
}
