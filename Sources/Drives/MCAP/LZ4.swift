// Format: the LZ4 frame and block formats of lz4's documentation, version 1.6.

/// Unpacks LZ4 frames.
enum LZ4 {
  /// What the frame in `bytes` holds; nil where it is damaged or holds more than `limit`.
  static func frame(_ bytes: ArraySlice<UInt8>, limit: Int) -> [UInt8]? {
    var reader = BytesReader(bytes)
    guard reader.integer(UInt32.self) == 0x184D_2204, let flags = reader.integer(UInt8.self),
      flags >> 6 == 1, reader.slice(1 + (flags & 8 != 0 ? 8 : 0) + (flags & 1 != 0 ? 4 : 0) + 1) != nil
    else { return nil }
    var out: [UInt8] = []
    while let size = reader.integer(UInt32.self) {
      if size == 0 { return out }
      guard let block = reader.slice(Int(size & 0x7FFF_FFFF)) else { return nil }
      if size >> 31 == 1 { out += block } else if !unpack(block, into: &out, limit: limit) { return nil }
      if flags & 16 != 0, reader.slice(4) == nil { return nil }
      guard out.count <= limit else { return nil }
    }
    return nil
  }

  /// Adds what a block holds; it may look back at what is there.
  private static func unpack(_ block: ArraySlice<UInt8>, into out: inout [UInt8], limit: Int) -> Bool {
    var reader = BytesReader(block)
    while let token = reader.integer(UInt8.self) {
      guard let literals = length(Int(token >> 4), &reader), let text = reader.slice(literals) else {
        return false
      }
      out += text
      if reader.rest.isEmpty { return out.count <= limit }
      guard let offset = reader.integer(UInt16.self), offset > 0, Int(offset) <= out.count,
        let match = length(Int(token & 15), &reader), out.count + match + 4 <= limit
      else { return false }
      let start = out.count - Int(offset)
      for i in 0..<(match + 4) { out.append(out[start + i]) }
    }
    return true
  }

  private static func length(_ nibble: Int, _ reader: inout BytesReader) -> Int? {
    guard nibble == 15 else { return nibble }
    var sum = 15
    while let byte = reader.integer(UInt8.self) {
      sum += Int(byte)
      if byte < 255 { return sum }
    }
    return nil
  }
}
