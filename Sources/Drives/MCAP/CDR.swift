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
  private var reader: BytesReader
  private let start: Int
  private let isLittleEndian: Bool

  /// Values in `bytes`; nil where that is no plain CDR.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count >= 4, bytes[bytes.startIndex] == 0, bytes[bytes.startIndex + 1] < 2 else { return nil }
    isLittleEndian = bytes[bytes.startIndex + 1] == 1
    reader = BytesReader(bytes.dropFirst(4))
    start = reader.place
  }

  mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
    let size = MemoryLayout<Value>.size
    _ = reader.slice((size - (reader.place - start) % size) % size)
    return reader.integer(type).map { isLittleEndian ? $0 : $0.byteSwapped }
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
    guard let length = integer(UInt32.self), length > 0 else { return nil }
    return reader.slice(Int(length)).map { String(decoding: $0.dropLast(), as: UTF8.self) }
  }
}
