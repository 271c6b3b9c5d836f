/// Numbers as PMTiles' directories have them, and fields of Protocol Buffers, as vector tiles are written in
/// them: no more is believed than there are bytes.
struct WireReader {
  /// It is not what the specification says.
  struct Damage: Error {}

  /// What a field holds.
  enum Value {
    case number(UInt64)
    /// Eight bytes or four, as they stand.
    case bits(UInt64, isShort: Bool)
    case part(WireReader)
  }

  private let bytes: [UInt8]
  private var place: Int
  private let end: Int

  /// All of `bytes`.
  init(_ bytes: [UInt8]) { self.init(bytes, 0..<bytes.count) }

  private init(_ bytes: [UInt8], _ range: Range<Int>) {
    (self.bytes, place, end) = (bytes, range.lowerBound, range.upperBound)
  }

  var isAtEnd: Bool { place >= end }

  /// The bytes that are left, as text.
  var text: String { String(decoding: bytes[place..<end], as: UTF8.self) }

  /// A number of seven bits a byte, the lowest first.
  mutating func number() throws(Damage) -> UInt64 {
    var (value, shift) = (UInt64(0), UInt64(0))
    while place < end, shift < 64 {
      let byte = bytes[place]
      place += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw Damage()
  }

  /// A number whose lowest bit is its sign.
  mutating func signed() throws(Damage) -> Int64 { Self.signed(try number()) }

  static func signed(_ value: UInt64) -> Int64 {
    Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// The next field; nil at the end.
  mutating func next() throws(Damage) -> (field: UInt64, value: Value)? {
    guard place < end else { return nil }
    let key = try number()
    switch key & 7 {
    case 0: return (key >> 3, .number(try number()))
    case 1: return (key >> 3, .bits(try fixed(8), isShort: false))
    case 2:
      let length = try number()
      guard length <= UInt64(end - place) else { throw Damage() }
      let part = place..<place + Int(length)
      place = part.upperBound
      return (key >> 3, .part(WireReader(bytes, part)))
    case 5: return (key >> 3, .bits(try fixed(4), isShort: true))
    default: throw Damage()
    }
  }

  private mutating func fixed(_ count: Int) throws(Damage) -> UInt64 {
    guard end - place >= count else { throw Damage() }
    defer { place += count }
    return (0..<count).reduce(0) { $0 | UInt64(bytes[place + $1]) << UInt64(8 * $1) }
  }
}
