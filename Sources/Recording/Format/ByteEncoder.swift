import LinearAlgebra
import Navigation

/// Bytes being put together, little-endian; a `Double` by its bits, so that nothing is rounded.
struct ByteEncoder {
  private(set) var bytes: [UInt8] = []

  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
  mutating func append(_ value: UInt8) { bytes.append(value) }
  mutating func append(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }
  mutating func append(_ value: Double) { append(value.bitPattern) }
  mutating func append(_ time: Timestamp) { append(time.nanoseconds) }
  mutating func append(_ vector: Vector3) {
    append(vector.x)
    append(vector.y)
    append(vector.z)
  }
  mutating func append(raw: some Collection<UInt8>) { bytes.append(contentsOf: raw) }

  /// The number of bytes, then UTF-8.
  mutating func append(_ text: String) {
    append(UInt32(clamping: text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// Puts a number where room was left for it.
  mutating func overwrite(_ value: UInt32, at offset: Int) {
    withUnsafeBytes(of: value.littleEndian) { source in
      for i in 0..<4 { bytes[offset + i] = source[i] }
    }
  }
}
