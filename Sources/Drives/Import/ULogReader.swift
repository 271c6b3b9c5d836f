// Format: docs.px4.io, "ULog File Format", version 1: a header of 16 bytes, then messages of a size in two
// bytes, a letter and content; the lowest byte first. F says what fields a topic has, A gives a topic a
// number, D holds its values, without gaps.

/// The values of topics of a PX4 log.
struct ULogReader: ~Copyable {
  /// What one message says, by the names of its fields; `[2]` behind those of arrays.
  struct Values {
    fileprivate let fields: [String: Field]
    fileprivate let bytes: ArraySlice<UInt8>

    /// The value of a field; nil where there is none of that name.
    subscript(_ name: String) -> Double? {
      guard let field = fields[name] else { return nil }
      return field.type.value(bytes, at: field.offset)
    }
  }

  fileprivate struct Field {
    var type: Scalar
    var offset: Int
  }

  /// A type of one number.
  fileprivate enum Scalar: String {
    case int8 = "int8_t", uint8 = "uint8_t", int16 = "int16_t", uint16 = "uint16_t", int32 = "int32_t"
    case uint32 = "uint32_t", int64 = "int64_t", uint64 = "uint64_t", float, double, bool, char

    var size: Int {
      switch self {
      case .int8, .uint8, .bool, .char: 1
      case .int16, .uint16: 2
      case .int32, .uint32, .float: 4
      case .int64, .uint64, .double: 8
      }
    }

    func value(_ bytes: ArraySlice<UInt8>, at offset: Int) -> Double? {
      guard bytes.startIndex + offset <= bytes.endIndex else { return nil }
      var reader = BytesReader(bytes[(bytes.startIndex + offset)...])
      switch self {
      case .int8: return reader.integer(Int8.self).map { Double($0) }
      case .uint8, .bool, .char: return reader.integer(UInt8.self).map { Double($0) }
      case .int16: return reader.integer(Int16.self).map { Double($0) }
      case .uint16: return reader.integer(UInt16.self).map { Double($0) }
      case .int32: return reader.integer(Int32.self).map { Double($0) }
      case .uint32: return reader.integer(UInt32.self).map { Double($0) }
      case .int64: return reader.integer(Int64.self).map { Double($0) }
      case .uint64: return reader.integer(UInt64.self).map { Double($0) }
      case .float: return reader.integer(UInt32.self).map { Double(Float(bitPattern: $0)) }
      case .double: return reader.integer(UInt64.self).map(Double.init(bitPattern:))
      }
    }
  }

  private var file: FileBytes
  private var formats: [String: String] = [:]
  private var topics: [UInt16: (name: String, instance: UInt8, fields: [String: Field])] = [:]
  /// Where the last message begins if it is not whole, in bytes from the start.
  private(set) var cutOff: Int?

  init(path: String) throws(DriveError) {
    var file = try FileBytes(path: path)
    let head = try file.take(16)
    guard head.count == 16, head.starts(with: [0x55, 0x4C, 0x6F, 0x67, 0x01, 0x12, 0x35]) else {
      throw .malformedFile(file: path, reason: "does not begin as a ULog file")
    }
    self.file = file
  }

  /// Hands on every message with the name of its topic and which of several it is.
  mutating func read(_ each: (String, UInt8, Values) -> Void) throws(DriveError) {
    var start = file.place
    while true {
      start = file.place
      let head = try file.take(3)
      if head.isEmpty { return }
      guard head.count == 3 else { break }
      let size = Int(head[0]) + Int(head[1]) << 8
      let content = try file.take(size)
      guard content.count == size else { break }
      var reader = BytesReader(content[...])
      switch head[2] {
      case UInt8(ascii: "F"):
        let parts = String(decoding: content, as: UTF8.self).split(separator: ":", maxSplits: 1)
        if parts.count == 2 { formats[String(parts[0])] = String(parts[1]) }
      case UInt8(ascii: "A"):
        guard let instance = reader.integer(UInt8.self), let id = reader.integer(UInt16.self) else {
          continue
        }
        let name = String(decoding: reader.rest, as: UTF8.self)
        topics[id] = (name, instance, fields(of: name))
      case UInt8(ascii: "D"):
        guard let id = reader.integer(UInt16.self), let topic = topics[id] else { continue }
        each(topic.name, topic.instance, Values(fields: topic.fields, bytes: reader.rest))
      default: continue
      }
    }
    cutOff = start
  }

  private func fields(of name: String) -> [String: Field] {
    var found: [String: Field] = [:]
    var offset = 0
    add(name, prefix: "", &found, &offset, depth: 0)
    return found
  }

  private func add(
    _ name: String, prefix: String, _ found: inout [String: Field], _ offset: inout Int, depth: Int
  ) {
    guard depth < 8 else { return }
    for text in (formats[name] ?? "").split(separator: ";") {
      let words = text.split(separator: " ")
      guard words.count == 2, found.count < 10_000 else { continue }
      let parts = words[0].split(separator: "[")
      let count = parts.count > 1 ? Int(parts[1].dropLast()) ?? 0 : 1
      for i in 0..<min(max(0, count), 10_000) {
        let field = prefix + words[1] + (parts.count > 1 ? "[\(i)]" : "")
        if let type = Scalar(rawValue: String(parts[0])) {
          found[field] = Field(type: type, offset: offset)
          offset += type.size
        } else {
          add(String(parts[0]), prefix: field + ".", &found, &offset, depth: depth + 1)
        }
      }
    }
  }
}
