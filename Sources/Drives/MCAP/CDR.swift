// Format: OMG DDS-XTypes, plain CDR (XCDR1) as ROS 2 stores messages: four bytes that name the encoding,
// then each value aligned to its own size, counted from behind these four; a text has its length with the
// closing zero before it.

/// Writes values as CDR, the lowest byte first.
struct CDRWriter {
  private(set) var bytes: [UInt8] = [0, 1, 0, 0]

  mutating func append<Value: FixedWidthInteger>(_ value: Value) {
    align(MemoryLayout<Value>.size)
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ value: Double) { append(value.bitPattern) }

  mutating func append(_ text: String) {
    append(UInt32(text.utf8.count + 1))
    bytes.append(contentsOf: text.utf8)
    bytes.append(0)
  }

  private mutating func align(_ size: Int) {
    while (bytes.count - 4) % size != 0 { bytes.append(0) }
  }
}

/// Reads values of CDR; nil past the end.
struct CDRReader {
  private let bytes: ArraySlice<UInt8>
  private let start: Int
  private var place: Int
  private let isLittleEndian: Bool

  /// Values in `bytes`; nil where that is no plain CDR.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count >= 4, bytes[bytes.startIndex] == 0, bytes[bytes.startIndex + 1] < 2 else { return nil }
    self.bytes = bytes
    isLittleEndian = bytes[bytes.startIndex + 1] == 1
    start = bytes.startIndex + 4
    place = start
  }

  mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
    let size = MemoryLayout<Value>.size
    place += (size - (place - start) % size) % size
    guard place + size <= bytes.endIndex else { return nil }
    var value: Value = 0
    withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: bytes[place..<place + size]) }
    place += size
    return isLittleEndian ? Value(littleEndian: value) : Value(bigEndian: value)
  }

  mutating func double() -> Double? { integer(UInt64.self).map(Double.init(bitPattern:)) }

  /// This many numbers.
  mutating func doubles(_ count: Int) -> [Double]? {
    var values: [Double] = []
    for _ in 0..<count {
      guard let value = double() else { return nil }
      values.append(value)
    }
    return values
  }

  mutating func text() -> String? {
    guard let length = integer(UInt32.self), length > 0, place + Int(length) <= bytes.endIndex else {
      return nil
    }
    defer { place += Int(length) }
    return String(decoding: bytes[place..<place + Int(length) - 1], as: UTF8.self)
  }
}
