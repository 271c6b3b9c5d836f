import Foundation

/// A town that nobody lives in, as vector tiles in one PMTiles file: a grid of streets with names, a
/// motorway, a tunnel, a river, a park, houses.
///
/// Everything is written here anew, by the specifications, and shares nothing with what reads it.
public struct MadeStreets: Sendable {
  /// Whose layers and attributes the tiles have.
  public enum Schema: Sendable { case protomaps, openMapTiles }

  /// Where its middle is, in degrees.
  let latitude, longitude: Double
  let schema: Schema

  /// Around a place in degrees.
  public init(latitude: Double, longitude: Double, schema: Schema = .protomaps) {
    (self.latitude, self.longitude, self.schema) = (latitude, longitude, schema)
  }

  // MARK: The town

  private struct Feature {
    var layer: String
    /// 1 a point, 2 a line, 3 an area.
    var type: Int
    var tags: [(String, String)]
    /// Metres east and north of the middle.
    var points: [(x: Double, y: Double)]
  }

  private static let size = 2000.0, block = 200.0

  private func features() -> [Feature] {
    let isProtomaps = schema == .protomaps
    var all: [Feature] = []
    func road(
      _ kind: String, _ word: String, _ name: String, _ points: [(Double, Double)], tunnel: Bool = false
    ) {
      var tags = [(isProtomaps ? "kind" : "class", isProtomaps ? kind : word)]
      if tunnel { tags.append(isProtomaps ? ("is_tunnel", "true") : ("brunnel", "tunnel")) }
      let named = Feature(
        layer: isProtomaps ? "roads" : "transportation_name", type: 2, tags: tags + [("name", name)],
        points: points)
      if !isProtomaps { all.append(Feature(layer: "transportation", type: 2, tags: tags, points: points)) }
      all.append(named)
    }
    func area(_ layer: String, _ kind: String, _ x: Double, _ y: Double, _ wide: Double, _ high: Double) {
      all.append(
        Feature(
          layer: layer, type: 3, tags: [(isProtomaps ? "kind" : "class", kind)],
          points: [(x, y), (x, y + high), (x + wide, y + high), (x + wide, y)]))
    }
    let steps = stride(from: -Self.size, to: Self.size, by: Self.block)
    area(isProtomaps ? "landuse" : "landcover", isProtomaps ? "park" : "grass", 220, 220, 360, 360)
    for x in steps {
      area("water", "river", x, -700, Self.block, 90)
      for y in steps where !(200..<600).contains(x) || !(200..<600).contains(y) {
        if y != -800 { area(isProtomaps ? "buildings" : "building", "building", x + 40, y + 40, 60, 70) }
      }
    }
    for (number, y) in steps.enumerated() {
      for x in steps {
        let isMain = number % 5 == 0
        road(
          isMain ? "major_road" : "minor_road", isMain ? "primary" : "minor", "Row \(number)",
          [(x, y), (x + Self.block, y)])
        road(
          isMain ? "medium_road" : "minor_road", isMain ? "secondary" : "minor", "Column \(number)",
          [(y, x), (y, x + Self.block)])
      }
    }
    for x in steps {
      road(
        "highway", "motorway", "Ring <b>1</b>",
        [(x, 900 + x * 0.1), (x + Self.block, 900 + (x + Self.block) * 0.1)])
      road("major_road", "trunk", "Low Tunnel", [(x, -300), (x + Self.block, -300)], tunnel: true)
      road("path", "path", "", [(x, 330), (x + Self.block, 350)])
    }
    all.append(
      Feature(
        layer: isProtomaps ? "places" : "place", type: 1,
        tags: [(isProtomaps ? "kind" : "class", isProtomaps ? "locality" : "town"), ("name", "Nowhere")],
        points: [(100, 100)]))
    return all
  }

  // MARK: Tiles

  /// The share of the world's width and height, from the west and the north.
  private func share(_ point: (x: Double, y: Double)) -> (x: Double, y: Double) {
    let metres = 111_319.49
    let north = (latitude + point.y / metres) * .pi / 180
    let east = longitude + point.x / metres / cos(latitude * .pi / 180)
    return (east / 360 + 0.5, (1 - asinh(tan(north)) / .pi) / 2)
  }

  /// Tiles of `zooms` with what is in them.
  public func tiles(_ zooms: ClosedRange<Int>) -> [(zoom: Int, x: Int, y: Int, bytes: [UInt8])] {
    let placed = features().map { feature in (feature, feature.points.map(share)) }
    return zooms.flatMap { zoom in
      let side = Double(1 << zoom)
      let corners = [share((-Self.size, Self.size)), share((Self.size, -Self.size))].map {
        (Int($0.x * side), Int($0.y * side))
      }
      return (corners[0].1...corners[1].1).flatMap { y in
        (corners[0].0...corners[1].0).map { x in
          let inside = placed.filter { _, points in
            let columns = points.map { $0.x * side - Double(x) }
            let rows = points.map { $0.y * side - Double(y) }
            return columns.contains { $0 < 1 } && columns.contains { $0 >= 0 } && rows.contains { $0 < 1 }
              && rows.contains { $0 >= 0 }
          }
          return (
            zoom, x, y,
            Self.tile(inside.map { ($0.0, $0.1.map { ($0.x * side - Double(x), $0.y * side - Double(y)) }) })
          )
        }
      }
    }
  }

  private static func tile(_ features: [(Feature, [(Double, Double)])]) -> [UInt8] {
    var layers: [String: [(Feature, [(Double, Double)])]] = [:]
    for feature in features { layers[feature.0.layer, default: []].append(feature) }
    return layers.keys.sorted().flatMap { name in field(3, layer(name, layers[name] ?? [])) }
  }

  private static func layer(_ name: String, _ features: [(Feature, [(Double, Double)])]) -> [UInt8] {
    var (keys, values): ([String], [String]) = ([], [])
    func index(_ text: String, _ list: inout [String]) -> Int {
      if let at = list.firstIndex(of: text) { return at }
      list.append(text)
      return list.count - 1
    }
    var bytes = number(15 << 3) + number(2) + field(1, Array(name.utf8))
    for (feature, points) in features {
      let tags = feature.tags.filter { !$0.1.isEmpty }.flatMap { [index($0.0, &keys), index($0.1, &values)] }
      var geometry: [UInt8] = []
      var last = (0, 0)
      for (place, point) in points.enumerated() {
        let here = (Int((point.0 * 4096).rounded()), Int((point.1 * 4096).rounded()))
        if place == 0 { geometry += number(1 | 1 << 3) }
        if place == 1 { geometry += number(2 | (points.count - 1) << 3) }
        for step in [here.0 - last.0, here.1 - last.1] {
          geometry += number(step < 0 ? -2 * step - 1 : 2 * step)
        }
        last = here
      }
      if feature.type == 3 { geometry += number(7 | 1 << 3) }
      bytes += field(
        2, field(2, tags.flatMap(number)) + number(3 << 3) + number(feature.type) + field(4, geometry))
    }
    for key in keys { bytes += field(3, Array(key.utf8)) }
    for value in values {
      bytes += field(4, value == "true" ? number(7 << 3) + [1] : field(1, Array(value.utf8)))
    }
    return bytes + number(5 << 3) + number(4096)
  }

  private static func field(_ tag: Int, _ bytes: [UInt8]) -> [UInt8] {
    number(tag << 3 | 2) + number(bytes.count) + bytes
  }

  static func number(_ value: Int) -> [UInt8] {
    var (value, bytes): (Int, [UInt8]) = (value, [])
    while value > 127 {
      bytes.append(UInt8(value & 127 | 128))
      value >>= 7
    }
    return bytes + [UInt8(value)]
  }

  // MARK: The file

  /// The whole file. `leaf` is how many entries a leaf has; nil puts all into the first directory.
  public func file(
    _ zooms: ClosedRange<Int> = 12...15, isPacked: Bool = true, leaf: Int? = nil,
    attribution: String = "<a href=\"https://example.org\">&copy; OpenStreetMap</a>"
  ) -> [UInt8] {
    let tiles = tiles(zooms).map {
      (Self.identifier($0.zoom, $0.x, $0.y), isPacked ? Self.packed($0.bytes) : $0.bytes)
    }
    .sorted { $0.0 < $1.0 }
    var entries: [PMTilesEntry] = [], data: [UInt8] = []
    for (identifier, bytes) in tiles {
      entries.append(PMTilesEntry(identifier: identifier, offset: data.count, length: bytes.count, run: 1))
      data += bytes
    }
    return Self.file(
      entries, data: data, zooms: zooms, isPacked: isPacked, leaf: leaf, attribution: attribution)
  }

  /// The file of any entries and bytes, whether they make sense or not.
  public static func file(
    _ entries: [PMTilesEntry], data: [UInt8], zooms: ClosedRange<Int>, isPacked: Bool, leaf: Int? = nil,
    attribution: String = ""
  ) -> [UInt8] {
    var root = entries, leaves: [UInt8] = []
    if let leaf {
      root = stride(from: 0, to: entries.count, by: leaf).map { start in
        let bytes = directory(Array(entries[start..<min(start + leaf, entries.count)]), isPacked)
        defer { leaves += bytes }
        return PMTilesEntry(
          identifier: entries[start].identifier, offset: leaves.count, length: bytes.count, run: 0)
      }
    }
    let first = directory(root, isPacked)
    let quoted = attribution.replacingOccurrences(of: "\"", with: "\\\"")
    let metadata =
      isPacked
      ? packed(Array("{\"attribution\":\"\(quoted)\"}".utf8)) : Array("{\"attribution\":\"\(quoted)\"}".utf8)
    var bytes = Array("PMTiles".utf8) + [3]
    var place = 127
    for part in [first, metadata, leaves, data] {
      bytes += word(place, 8) + word(part.count, 8)
      place += part.count
    }
    for _ in 0..<3 { bytes += word(entries.count, 8) }
    bytes += [1, isPacked ? 2 : 1, isPacked ? 2 : 1, 1, UInt8(zooms.lowerBound), UInt8(zooms.upperBound)]
    for degrees in [-180.0, -85, 180, 85] { bytes += word(Int(degrees * 1e7), 4) }
    bytes += [UInt8(zooms.lowerBound)] + word(0, 8)
    return bytes + first + metadata + leaves + data
  }

  private static func word(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func directory(_ entries: [PMTilesEntry], _ isPacked: Bool) -> [UInt8] {
    var bytes = number(entries.count)
    var last = 0
    for entry in entries {
      bytes += number(entry.identifier - last)
      last = entry.identifier
    }
    for entry in entries { bytes += number(entry.run) }
    for entry in entries { bytes += number(entry.length) }
    for (index, entry) in entries.enumerated() {
      let follows = index > 0 && entry.offset == entries[index - 1].offset + entries[index - 1].length
      bytes += number(follows ? 0 : entry.offset + 1)
    }
    return isPacked ? packed(bytes) : bytes
  }

  /// The number of a tile: how many come before it along the curves of the coarser zooms and its own.
  public static func identifier(_ zoom: Int, _ x: Int, _ y: Int) -> Int {
    var (x, y, place) = (x, y, 0)
    var side = (1 << zoom) >> 1
    while side > 0 {
      let (right, down) = (x & side > 0 ? 1 : 0, y & side > 0 ? 1 : 0)
      place += side * side * ((3 * right) ^ down)
      if down == 0 {
        if right == 1 { (x, y) = ((1 << zoom) - 1 - x, (1 << zoom) - 1 - y) }
        (x, y) = (y, x)
      }
      side >>= 1
    }
    return (0..<zoom).reduce(0) { sum, level in sum + 1 << (2 * level) } + place
  }

  /// As gzip packs, in blocks that are only stored (RFC 1951, 3.2.4).
  public static func packed(_ bytes: [UInt8]) -> [UInt8] {
    var packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    var start = 0
    repeat {
      let end = min(start + 65_535, bytes.count)
      packed +=
        [end == bytes.count ? 1 : 0] + word(end - start, 2) + word(~(end - start), 2) + bytes[start..<end]
      start = end
    } while start < bytes.count
    var sum = ~UInt32(0)
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return packed + word(Int(~sum), 4) + word(bytes.count, 4)
  }
}

/// Where a tile, or a directory of them, is in a file that is made.
public struct PMTilesEntry: Sendable {
  public var identifier, offset, length: Int
  /// How many tiles from `identifier` on it is; 0 for a directory.
  public var run: Int

  /// A stretch of `length` bytes from `offset` on.
  public init(identifier: Int, offset: Int, length: Int, run: Int) {
    (self.identifier, self.offset, self.length, self.run) = (identifier, offset, length, run)
  }
}
