/// Messages of an MCAP file in the order in which they stand there.
struct MCAPReader: ~Copyable {
  struct Channel: Sendable {
    var topic: String
    /// Of the message (`cdr`, `json`), and the name of its schema.
    var encoding: String, schema: String
  }

  /// More than this no record and no chunk of sensor data holds; what is longer is passed over.
  private static let limit = 1 << 28

  private var file: FileBytes
  private var schemas: [UInt16: String] = [:]
  private var channels: [UInt16: Channel] = [:]
  /// What was passed over or is damaged, in words.
  private(set) var notes: [String] = []
  /// Whether a chunk has been read, so that this computer can unpack them.
  private var hasChunk = false
  /// Of all bytes from the start of the file on; nil where some were passed over unread.
  private var sum: CRC32? = CRC32()
  /// Chunks that have not the checksum that they state, and where the first begins.
  private var contradicted: (count: Int, first: Int)?

  init(path: String) throws(DriveError) {
    var file = try FileBytes(path: path)
    guard try file.take(8) == MCAPRecord.magic else {
      throw .malformedFile(file: path, reason: "does not begin as an MCAP file")
    }
    self.file = file
    sum?.add(MCAPRecord.magic)
  }

  /// Hands on every message with its channel and the time of its log in ns; of a file that is damaged those
  /// before the damage.
  mutating func read(_ each: (Channel, UInt64, ArraySlice<UInt8>) -> Void) throws(DriveError) {
    try readRecords(each)
    guard let contradicted else { return }
    let (first, others) = (contradicted.first, contradicted.count - 1)
    notes.append(
      "the chunk at byte \(first) has not the checksum that it states"
        + (others > 0 ? ", nor have \(others) more" : "")
        + ": what can be read there was read, and may be damaged (mcap doctor tells more)")
  }

  private mutating func readRecords(
    _ each: (Channel, UInt64, ArraySlice<UInt8>) -> Void
  ) throws(DriveError) {
    while true {
      let start = file.place
      let head = try file.take(9)
      if head.starts(with: MCAPRecord.magic) { return }
      var reader = BytesReader(head.dropFirst())
      guard head.count == 9, let length = reader.integer(UInt64.self) else {
        notes.append(
          "the file ends at byte \(file.place) without its end; it was cut off there, and all before was read"
        )
        return
      }
      // 0 is the code of no record, and no record reaches beyond the end.
      guard head[0] != 0, length <= UInt64(Int.max), !file.ends(before: length) else {
        return end(at: start)
      }
      guard let code = MCAPRecord.Code(rawValue: head[0]), length <= UInt64(Self.limit) else {
        try pass(head, Int(length))
        continue
      }
      let content = try file.take(Int(length))
      guard content.count == Int(length) else { return end(at: start) }
      switch code {
      case .chunk: try chunk(content[...], at: start, each)
      case .dataEnd: checkSum(content[...])
      default: take(code, content[...], each)
      }
      sum?.add(head)
      sum?.add(content)
    }
  }

  /// Passes over a record that is of no use here: of bytes unread the sum is not known.
  private mutating func pass(_ head: [UInt8], _ length: Int) throws(DriveError) {
    guard sum != nil, length <= Self.limit else {
      sum = nil
      return try file.skip(length)
    }
    sum?.add(head)
    var left = length
    while left > 0, case let piece = try file.take(min(left, 1 << 20)), !piece.isEmpty {
      sum?.add(piece)
      left -= piece.count
    }
  }

  /// Checks the sum of all records so far where it is stated; 0 says that it is not.
  private mutating func checkSum(_ dataEnd: ArraySlice<UInt8>) {
    var reader = BytesReader(dataEnd)
    guard let stated = reader.integer(UInt32.self), stated != 0, let sum, sum.value != stated else {
      return
    }
    // What is damaged has been said already, and where.
    guard notes.isEmpty, contradicted == nil else { return }
    notes.append(
      "the file has not the checksum that it states: all of it was read, and something of that may be damaged "
        + "(mcap doctor tells more)")
  }

  /// What begins at a byte is no whole record: where the next one would begin is not known.
  private mutating func end(at start: Int) {
    let left = file.size.map { "the \($0 - start) bytes from there on were" } ?? "what follows was"
    notes.append(
      "the file is damaged or cut off at byte \(start): \(left) left out, and all before was read; "
        + "more may be saved by: mcap recover IN -o OUT")
  }

  private mutating func take(
    _ code: MCAPRecord.Code, _ content: ArraySlice<UInt8>,
    _ each: (Channel, UInt64, ArraySlice<UInt8>) -> Void
  ) {
    var reader = BytesReader(content)
    switch code {
    case .schema:
      guard let id = reader.integer(UInt16.self), let name = reader.text() else { return }
      schemas[id] = name
    case .channel:
      guard let id = reader.integer(UInt16.self), let schema = reader.integer(UInt16.self),
        let topic = reader.text(), let encoding = reader.text()
      else { return }
      channels[id] = Channel(topic: topic, encoding: encoding, schema: schemas[schema] ?? "")
    case .message:
      guard let id = reader.integer(UInt16.self), reader.integer(UInt32.self) != nil,
        let time = reader.integer(UInt64.self), reader.integer(UInt64.self) != nil, let channel = channels[id]
      else { return }
      each(channel, time, reader.rest)
    case .header, .footer, .chunk, .metadata, .dataEnd: break
    }
  }

  private mutating func chunk(
    _ content: ArraySlice<UInt8>, at start: Int, _ each: (Channel, UInt64, ArraySlice<UInt8>) -> Void
  ) throws(DriveError) {
    var reader = BytesReader(content)
    guard reader.slice(16) != nil, let size = reader.integer(UInt64.self),
      let stated = reader.integer(UInt32.self), let packing = reader.text(),
      let length = reader.integer(UInt64.self), let packed = reader.slice(Int(clamping: length))
    else { return leaveOut(content.count, at: start) }
    let records = try unpacked(packed, by: packing, size: Int(min(size, UInt64(Self.limit))))
    guard let records else { return leaveOut(content.count, at: start) }
    hasChunk = true
    // 0 says that there is none.
    if stated != 0, CRC32.of(records) != stated {
      contradicted = (count: (contradicted?.count ?? 0) + 1, first: contradicted?.first ?? start)
    }
    var inner = BytesReader(records)
    while !inner.rest.isEmpty {
      let place = inner.place - records.startIndex
      guard let byte = inner.integer(UInt8.self), byte != 0, let length = inner.integer(UInt64.self),
        let content = inner.slice(Int(clamping: length))
      else {
        notes.append(
          "the chunk at byte \(start) is damaged: the last \(records.count - place) bytes of it were left out"
        )
        return
      }
      if let code = MCAPRecord.Code(rawValue: byte) { take(code, content, each) }
    }
  }

  private mutating func leaveOut(_ size: Int, at start: Int) {
    notes.append("the chunk of \(size) bytes at byte \(start) is damaged and was left out")
  }

  /// The records of a chunk; nil where they are damaged.
  private func unpacked(
    _ packed: ArraySlice<UInt8>, by packing: String, size: Int
  ) throws(DriveError) -> ArraySlice<UInt8>? {
    switch packing {
    case "": return packed
    case "lz4": return LZ4.frame(packed, limit: size)?[...]
    case "zstd":
      do throws(Zstandard.Failure) { return try Zstandard.frames(packed, size: size)[...] } catch .damaged {
        return nil
      } catch {
        throw isPacked(by: "zstd, and libzstd.so.1 is not on this computer; apt-get install libzstd1, or")
      }
    default:
      // All chunks of a file are packed alike: this one's name is damaged.
      if hasChunk { return nil }
      throw isPacked(by: packing.prefix(40) + ";")
    }
  }

  private func isPacked(by packing: String) -> DriveError {
    .malformedFile(
      file: file.path,
      reason: "its chunks are packed by \(packing) unpack them: mcap compress --compression none IN -o OUT")
  }
}
