import Drives

/// What is drawn of a tile, as the specification of vector tiles has it:
/// github.com/mapbox/vector-tile-spec, 2.1.
package struct VectorTile: Sendable {
  /// One street, or area.
  package struct Feature: Sendable {
    package var kind: StreetKind
    package var isTunnel: Bool
    /// Its lines, or the edges of its area: shares of the tile's side from its west and north.
    package var lines: [[SIMD2<Double>]]
  }

  /// Bytes once unpacked, and points: as in the page's script.
  /// *[chosen: sixteen times what programs that make tiles stop at]*
  static let longest = 8 << 20, mostPoints = 400_000

  /// Those that are drawn.
  package private(set) var features: [Feature] = []
  private var points = 0

  /// The tile in `bytes`; nil where it is none, is damaged or is too large.
  package init?(_ bytes: [UInt8], isPacked: Bool) {
    do {
      var tile = WireReader(isPacked ? try Gzip.unpack(bytes, limit: Self.longest) : bytes)
      while let (field, value) = try tile.next() {
        if field == 3, case .part(let layer) = value { try read(layer) }
      }
    } catch { return nil }
  }

  private mutating func read(_ layer: WireReader) throws(WireReader.Damage) {
    var (layer, name, extent) = (layer, "", 4096.0)
    var (keys, values, all): ([String], [String], [WireReader]) = ([], [], [])
    while let (field, value) = try layer.next() {
      switch (field, value) {
      case (1, .part(let part)): name = part.text
      case (2, .part(let part)): all.append(part)
      case (3, .part(let part)): keys.append(part.text)
      case (4, .part(let part)): values.append(try Self.text(part))
      case (5, .number(let number)): extent = max(1, Double(number))
      default: break
      }
    }
    for feature in all { try read(feature, of: name, keys, values, extent) }
  }

  private mutating func read(
    _ feature: WireReader, of layer: String, _ keys: [String], _ values: [String], _ extent: Double
  ) throws(WireReader.Damage) {
    var (feature, tags, shape): (WireReader, [String: String], UInt64) = (feature, [:], 0)
    var geometry: WireReader?
    while let (field, value) = try feature.next() {
      switch (field, value) {
      case (2, .part(var pairs)):
        while !pairs.isAtEnd {
          let (key, value) = (try pairs.number(), try pairs.number())
          guard key < keys.count, value < values.count else { continue }
          tags[keys[Int(key)]] = values[Int(value)]
        }
      case (3, .number(let number)): shape = number
      case (4, .part(let part)): geometry = part
      default: break
      }
    }
    guard let geometry, let kind = StreetKind(layer: layer, shape: shape, tags: tags) else { return }
    let lines = try lines(geometry, extent)
    guard !lines.isEmpty else { return }
    let isTunnel = !kind.isArea && StreetKind.isTunnel(tags)
    features.append(Feature(kind: kind, isTunnel: isTunnel, lines: lines))
  }

  /// A value of whatever type as text.
  private static func text(_ value: WireReader) throws(WireReader.Damage) -> String {
    var (value, text) = (value, "")
    while let (field, content) = try value.next() {
      switch (field, content) {
      case (1, .part(let part)): text = part.text
      case (2, .bits(let bits, true)): text = "\(Float(bitPattern: UInt32(bits)))"
      case (3, .bits(let bits, false)): text = "\(Double(bitPattern: bits))"
      case (4, .number(let number)): text = "\(Int64(bitPattern: number))"
      case (5, .number(let number)): text = "\(number)"
      case (6, .number(let number)): text = "\(WireReader.signed(number))"
      case (7, .number(let number)): text = number == 0 ? "false" : "true"
      default: break
      }
    }
    return text
  }

  private mutating func lines(
    _ geometry: WireReader, _ extent: Double
  ) throws(WireReader.Damage) -> [[SIMD2<Double>]] {
    var (geometry, lines): (WireReader, [[SIMD2<Double>]]) = (geometry, [])
    var place = SIMD2<Double>.zero
    while !geometry.isAtEnd {
      let command = try geometry.number()
      if command & 7 == 7 { continue }
      guard command & 7 == 1 || command & 7 == 2 else { throw WireReader.Damage() }
      for _ in 0..<(command >> 3) {
        place += SIMD2(Double(try geometry.signed()), Double(try geometry.signed()))
        points += 1
        guard points <= Self.mostPoints else { throw WireReader.Damage() }
        if command & 7 == 1 || lines.isEmpty { lines.append([]) }
        // Tiles go a little beyond their edges, and no damaged one goes to infinity.
        lines[lines.count - 1].append(
          (place / extent).clamped(lowerBound: .init(repeating: -2), upperBound: .init(repeating: 3)))
      }
    }
    return lines
  }
}
