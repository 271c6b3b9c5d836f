import Navigation

/// Takes bytes apart that ``ByteEncoder`` put together. Past the end it gives zeros
/// and says so by ``isWhole``.
struct ByteDecoder {
  private let bytes: ArraySlice<UInt8>
  private var next: Int
  private var hasOverrun = false

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    next = bytes.startIndex
  }

  /// Whether all that was asked for was there.
  var isWhole: Bool { !hasOverrun }
  /// Whether that, and nothing is left.
  var isComplete: Bool { isWhole && next == bytes.endIndex }
  /// What is left.
  var rest: ArraySlice<UInt8> { bytes[next...] }

  mutating func integer<Value: FixedWidthInteger>(_: Value.Type = Value.self) -> Value {
    let size = MemoryLayout<Value>.size
    guard bytes.endIndex - next >= size else {
      hasOverrun = true
      return 0
    }
    var value: Value = 0
    withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: bytes[next..<next + size]) }
    next += size
    return Value(littleEndian: value)
  }

  mutating func double() -> Double { Double(bitPattern: integer()) }
  /// How many items there were, whatever a damaged file says: sums of it stay within 64 bits.
  mutating func count() -> Int { Int(UInt32(clamping: integer(Int64.self))) }
  mutating func time() -> Timestamp { Timestamp(nanoseconds: integer()) }
  mutating func vector() -> Vector3 { Vector3(double(), double(), double()) }

  mutating func take(_ count: Int) -> ArraySlice<UInt8> {
    guard count >= 0, bytes.endIndex - next >= count else {
      hasOverrun = true
      return []
    }
    defer { next += count }
    return bytes[next..<next + count]
  }

  mutating func text() -> String {
    let count: UInt32 = integer()
    return String(decoding: take(Int(count)), as: UTF8.self)
  }
}
