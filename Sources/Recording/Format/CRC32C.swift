/// The cyclic redundancy check of Castagnoli's polynomial 0x1EDC6F41, reflected, as in iSCSI
/// (RFC 3720, appendix B.4).
package enum CRC32C {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1 }
  }

  /// The check of `bytes`.
  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    table.withUnsafeBufferPointer { table in
      var crc = ~UInt32(0)
      for byte in bytes { crc = crc >> 8 ^ table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] }
      return ~crc
    }
  }

  /// The check of a part of an array.
  package static func of(_ bytes: [UInt8], _ range: Range<Int>) -> UInt32 {
    bytes.withUnsafeBytes { of(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }
}
