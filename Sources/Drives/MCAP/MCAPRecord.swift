// Format: mcap.dev/spec, version 0. A file is a magic, records and the magic again; a record is a byte that
// names it, the length of its content in eight bytes and the content; integers have the lowest byte first,
// texts four bytes of length before them.

/// Names of records and how they are put together.
enum MCAPRecord {
  static let magic: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]

  enum Code: UInt8 {
    case header = 1, footer, schema, channel, message, chunk
    case metadata = 0x0C
    case dataEnd = 0x0F
  }

  static func text(_ code: Code, _ content: [UInt8]) -> [UInt8] {
    [code.rawValue] + integer(UInt64(content.count)) + content
  }

  static func integer<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  static func string(_ text: String) -> [UInt8] { integer(UInt32(text.utf8.count)) + Array(text.utf8) }

  static func schema(_ id: UInt16, _ name: String, encoding: String, _ data: String) -> [UInt8] {
    text(.schema, integer(id) + string(name) + string(encoding) + string(data))
  }

  static func channel(_ id: UInt16, schema: UInt16, topic: String, encoding: String) -> [UInt8] {
    text(.channel, integer(id) + integer(schema) + string(topic) + string(encoding) + integer(UInt32(0)))
  }

  static func metadata(_ name: String, _ entries: [(String, String)]) -> [UInt8] {
    let map = entries.flatMap { string($0.0) + string($0.1) }
    return text(.metadata, string(name) + integer(UInt32(map.count)) + map)
  }

  static func message(_ channel: UInt16, sequence: UInt32, time: UInt64, _ data: [UInt8]) -> [UInt8] {
    text(.message, integer(channel) + integer(sequence) + integer(time) + integer(time) + data)
  }
}
