import Navigation

/// Bytes being put together, little-endian; a `Double` by its bits, so that nothing is rounded.
package struct ByteEncoder {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }
  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
  package mutating func append(_ value: UInt8) { bytes.append(value) }
  package mutating func append(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }
  package mutating func append(_ value: Double) { append(value.bitPattern) }
  package mutating func append(_ time: Timestamp) { append(time.nanoseconds) }
  package mutating func append(_ vector: Vector3) {
    append(vector.x)
    append(vector.y)
    append(vector.z)
  }
  package mutating func append(raw: some Collection<UInt8>) { bytes.append(contentsOf: raw) }

  /// The number of bytes, then UTF-8.
  package mutating func append(_ text: String) {
    append(UInt32(clamping: text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// Puts a number where room was left for it.
  package mutating func overwrite(_ value: UInt32, at offset: Int) {
    withUnsafeBytes(of: value.littleEndian) { source in
      for i in 0..<4 { bytes[offset + i] = source[i] }
    }
  }
}
