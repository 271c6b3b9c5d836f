import CLibrary

/// The segment that is being written. What it holds always ends with a whole record,
/// as far as the disk allows.
struct SegmentFile: ~Copyable {
  let path: String
  let header: SegmentHeader
  /// Bytes in the file.
  private(set) var size = 0
  /// Number of the next record.
  private(set) var sequence: UInt32 = 0
  private let descriptor: Int32
  private let disk: Disk
  private var isUnsynced = false
  private var pending = ByteEncoder()
  /// For each pending record where it ends, and what is lost with it.
  private var ends: [(offset: Int, items: Int, said: Int)] = []

  /// Makes the file and writes its header; takes the file away again where that fails.
  init(folder: String, header: SegmentHeader, disk: Disk) throws(RecordingError) {
    path = folder + "/" + RecordingFolder.name(of: header.number)
    self.header = header
    self.disk = disk
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system(path, "create") }
    let (written, code) = Self.write(header.bytes, descriptor, disk)
    guard written == SegmentHeader.length else {
      close(descriptor)
      unlink(path)
      throw .system(path, "write", code)
    }
    size = written
    isUnsynced = true
    RecordingFolder.sync(folder)
  }

  /// Puts a record into the buffer; ``flush()`` writes it.
  mutating func append(_ item: RecordedItem) {
    Record.append(item, sequence: sequence, to: &pending)
    sequence &+= 1
    let said = if case .lost(let count, _) = item { count } else { 0 }
    ends.append((pending.bytes.count, item.isCounted ? 1 : 0, said))
  }

  /// Bytes in the file and in the buffer.
  var sizeWithPending: Int { size + pending.bytes.count }
  var hasMuchPending: Bool { pending.bytes.count >= 64 * 1024 }

  /// Writes the buffer. Where the disk refuses, cuts the file behind the last whole record and says
  /// how many items were lost.
  mutating func flush() throws(WriteFailure) {
    guard !pending.bytes.isEmpty else { return }
    let (written, code) = Self.write(pending.bytes, descriptor, disk)
    defer {
      pending.removeAll()
      ends.removeAll(keepingCapacity: true)
    }
    isUnsynced = true
    guard written < pending.bytes.count else {
      size += written
      return
    }
    let whole = ends.prefix { $0.offset <= written }
    let gone = ends.dropFirst(whole.count)
    size += whole.last?.offset ?? 0
    sequence &-= UInt32(gone.count)
    _ = ftruncate(descriptor, off_t(size))
    throw WriteFailure(
      reason: SystemError.text(code), lost: gone.reduce(0) { $0 + $1.items },
      unsaid: gone.reduce(0) { $0 + $1.said })
  }

  /// Has the disk keep what was written.
  mutating func sync() throws(WriteFailure) {
    guard isUnsynced else { return }
    guard disk.sync(descriptor) == 0 else {
      throw WriteFailure(reason: SystemError.text())
    }
    isUnsynced = false
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_nlink == 0 {
      throw WriteFailure(reason: "the segment that was being written has been removed")
    }
  }

  deinit { close(descriptor) }

  private static func write(_ bytes: [UInt8], _ descriptor: Int32, _ disk: Disk) -> (
    written: Int, code: Int32
  ) {
    bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count, let base = buffer.baseAddress {
        let count = disk.write(descriptor, base + written, buffer.count - written)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return (written, count < 0 ? errno : ENOSPC) }
        written += count
      }
      return (written, 0)
    }
  }
}

/// The disk took only part of what it was given.
struct WriteFailure: Error {
  var reason: String
  /// Items that it did not take.
  var lost = 0
  /// Items lost before, of which it did not take the word.
  var unsaid = 0
}
