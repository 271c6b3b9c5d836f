// RFC 1951 (Deutsch, "DEFLATE Compressed Data Format Specification version 1.3") and RFC 1952 ("GZIP file
// format specification version 4.3"): enough to read what gzip writes, without a library.

/// Data packed by gzip, unpacked.
package enum Gzip {
  /// What can be wrong with packed data.
  package enum Fault: Error, Equatable {
    case noGzip
    case damaged
    case tooLong(limit: Int)

    package var text: String {
      switch self {
      case .noGzip: "it is not packed by gzip"
      case .damaged: "the packed data is damaged or cut off"
      case .tooLong(let limit): "unpacked it is longer than \(limit >> 20) MiB"
      }
    }
  }

  /// The contents of one or more members; each is checked against its own sum and length.
  package static func unpack(_ bytes: [UInt8], limit: Int) throws(Fault) -> [UInt8] {
    var output: [UInt8] = []
    var start = 0
    repeat {
      let body = try bodyStart(bytes, start)
      let before = output.count
      var inflate = Inflate(bytes, at: body, limit: limit)
      try inflate.run(into: &output)
      let end = inflate.position
      guard end + 8 <= bytes.count else { throw .damaged }
      let word = { (at: Int) in (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[at + $1]) << (8 * UInt32($1)) }
      }
      guard word(end) == CRC32.of(output[before...]),
        word(end + 4) == UInt32(truncatingIfNeeded: output.count - before)
      else { throw .damaged }
      start = end + 8
    } while start < bytes.count && bytes[start] == 0x1F
    return output
  }

  /// Where the packed data of the member at `start` begins.
  private static func bodyStart(_ bytes: [UInt8], _ start: Int) throws(Fault) -> Int {
    guard start + 18 <= bytes.count, bytes[start] == 0x1F, bytes[start + 1] == 0x8B, bytes[start + 2] == 8
    else { throw .noGzip }
    let flags = bytes[start + 3]
    var at = start + 10
    if flags & 4 != 0 { at += 2 + Int(bytes[at]) + Int(bytes[at + 1]) << 8 }
    for flag: UInt8 in [8, 16] where flags & flag != 0 {
      while at < bytes.count, bytes[at] != 0 { at += 1 }
      at += 1
    }
    if flags & 2 != 0 { at += 2 }
    guard at < bytes.count else { throw .damaged }
    return at
  }
}

/// One stream of DEFLATE.
private struct Inflate {
  private let bytes: [UInt8]
  private let limit: Int
  /// The next byte that has not been taken whole.
  private(set) var position: Int
  private var bits: UInt32 = 0
  private var bitCount: UInt32 = 0

  init(_ bytes: [UInt8], at position: Int, limit: Int) {
    self.bytes = bytes
    self.position = position
    self.limit = limit
  }

  mutating func run(into output: inout [UInt8]) throws(Gzip.Fault) {
    let start = output.count
    var isLast = false
    while !isLast {
      isLast = try take(1) == 1
      switch try take(2) {
      case 0: try stored(&output)
      case 1: try block(&output, start, Self.fixedLiterals, Self.fixedDistances)
      case 2:
        let (literals, distances) = try codes()
        try block(&output, start, literals, distances)
      default: throw .damaged
      }
    }
  }

  private mutating func take(_ count: UInt32) throws(Gzip.Fault) -> Int {
    while bitCount < count {
      guard position < bytes.count else { throw .damaged }
      bits |= UInt32(bytes[position]) << bitCount
      position += 1
      bitCount += 8
    }
    defer {
      bits >>= count
      bitCount -= count
    }
    return Int(bits & (1 << count - 1))
  }

  private mutating func stored(_ output: inout [UInt8]) throws(Gzip.Fault) {
    (bits, bitCount) = (0, 0)
    guard position + 4 <= bytes.count else { throw .damaged }
    let length = Int(bytes[position]) | Int(bytes[position + 1]) << 8
    let complement = Int(bytes[position + 2]) | Int(bytes[position + 3]) << 8
    guard length == ~complement & 0xFFFF, position + 4 + length <= bytes.count else { throw .damaged }
    guard output.count + length <= limit else { throw .tooLong(limit: limit) }
    output += bytes[position + 4..<position + 4 + length]
    position += 4 + length
  }

  private mutating func block(
    _ output: inout [UInt8], _ start: Int, _ literals: Code, _ distances: Code
  ) throws(Gzip.Fault) {
    while true {
      let symbol = try decode(literals)
      if symbol < 256 {
        guard output.count < limit else { throw .tooLong(limit: limit) }
        output.append(UInt8(symbol))
        continue
      }
      if symbol == 256 { return }
      guard symbol <= 285 else { throw .damaged }
      let length = Self.lengthBase[symbol - 257] + (try take(Self.lengthBits[symbol - 257]))
      let place = try decode(distances)
      guard place < 30 else { throw .damaged }
      let distance = Self.distanceBase[place] + (try take(Self.distanceBits[place]))
      guard distance <= output.count - start else { throw .damaged }
      guard output.count + length <= limit else { throw .tooLong(limit: limit) }
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
  }

  /// The codes that a block with its own begins with.
  private mutating func codes() throws(Gzip.Fault) -> (literals: Code, distances: Code) {
    let (literalCount, distanceCount, lengthCount) = (try take(5) + 257, try take(5) + 1, try take(4) + 4)
    var lengths = [UInt8](repeating: 0, count: 19)
    let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    for i in 0..<lengthCount { lengths[order[i]] = UInt8(try take(3)) }
    let code = try Code(lengths)
    lengths = []
    while lengths.count < literalCount + distanceCount {
      switch try decode(code) {
      case let length where length < 16: lengths.append(UInt8(length))
      case 16:
        guard let last = lengths.last else { throw .damaged }
        lengths += [UInt8](repeating: last, count: try take(2) + 3)
      case 17: lengths += [UInt8](repeating: 0, count: try take(3) + 3)
      default: lengths += [UInt8](repeating: 0, count: try take(7) + 11)
      }
    }
    guard lengths.count == literalCount + distanceCount else { throw .damaged }
    return (try Code(Array(lengths[..<literalCount])), try Code(Array(lengths[literalCount...])))
  }

  /// The next symbol: codes of one length are consecutive numbers, so counts are all that is needed.
  private mutating func decode(_ code: Code) throws(Gzip.Fault) -> Int {
    var (value, first, index) = (0, 0, 0)
    for length in 1...15 {
      value |= try take(1)
      let count = code.counts[length]
      if value - count < first { return code.symbols[index + value - first] }
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    throw .damaged
  }

  /// A canonical Huffman code.
  struct Code {
    /// Number of codes of each length.
    var counts = [Int](repeating: 0, count: 16)
    /// Symbols in order of their codes.
    var symbols: [Int] = []

    init(_ lengths: [UInt8]) throws(Gzip.Fault) {
      for length in lengths where length > 0 { counts[Int(length)] += 1 }
      var left = 1
      for length in 1...15 {
        left = left << 1 - counts[length]
        if left < 0 { throw .damaged }
      }
      for length: UInt8 in 1...15 { symbols += lengths.indices.filter { lengths[$0] == length } }
    }

    /// A code that is known to be right.
    init(fixed lengths: [UInt8]) {
      for length in lengths { counts[Int(length)] += 1 }
      for length: UInt8 in 1...15 { symbols += lengths.indices.filter { lengths[$0] == length } }
    }
  }

  private static let fixedLiterals = Code(
    fixed: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
  private static let fixedDistances = Code(fixed: [UInt8](repeating: 5, count: 30))
  private static let lengthBase = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
    227,
    258,
  ]
  private static let lengthBits: [UInt32] = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBase = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073,
    4097,
    6145, 8193, 12289, 16385, 24577,
  ]
  private static let distanceBits: [UInt32] = [
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
  ]
}
