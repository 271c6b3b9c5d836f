/// CRC-32 as Ethernet, gzip and MCAP have it: polynomial 0x04C11DB7, the lowest bit first.
struct CRC32 {
  private var register = ~UInt32(0)

  /// Of all bytes so far.
  var value: UInt32 { ~register }

  mutating func add(_ bytes: some Collection<UInt8>) {
    var crc = register
    let isDone: Void? = bytes.withContiguousStorageIfAvailable {
      for byte in $0 { crc = Self.step(crc, byte) }
    }
    if isDone == nil { for byte in bytes { crc = Self.step(crc, byte) } }
    register = crc
  }

  static func of(_ bytes: some Collection<UInt8>) -> UInt32 {
    var sum = CRC32()
    sum.add(bytes)
    return sum.value
  }

  @inline(__always)
  private static func step(_ crc: UInt32, _ byte: UInt8) -> UInt32 {
    crc >> 8 ^ table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)]
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
  }
}
