import CLibrary

/// The lines of a file, from one buffer of fixed size: a file of any length costs the same memory. A file
/// whose name ends in .gz is unpacked, in memory.
struct LineReader: ~Copyable {
  /// Longest line in bytes: no row of numbers comes near it.
  static let limit = 64 * 1024
  private static let capacity = 256 * 1024
  /// Most bytes of a packed file, and of what comes out of it.
  private static let packedLimit = (file: 256 << 20, contents: 1 << 30)

  let path: String
  /// Number of the line last read, from 1.
  private(set) var line = 0
  /// Whether the line last read is the end of the file and lacks its newline.
  private(set) var isCutOff = false
  private let descriptor: Int32
  private let buffer: UnsafeMutablePointer<UInt8>
  private var start = 0
  private var end = 0
  private var isAtEnd = false
  /// What a packed file holds, and how much of it has been handed on.
  private let unpacked: [UInt8]?
  private var taken = 0

  /// Opens the file; a pipe, which may never say anything, only where `acceptsPipes`.
  init(path: String, acceptsPipes: Bool = true) throws(DriveError) {
    try Folder.refuse(path)
    let contents = path.hasSuffix(".gz") ? try Self.unpack(path) : nil
    descriptor = try Folder.open(path, acceptsPipes: acceptsPipes)
    self.path = path
    unpacked = contents
    buffer = .allocate(capacity: Self.capacity)
  }

  deinit {
    close(descriptor)
    buffer.deallocate()
  }

  /// The next line that is not blank, without its end; valid until the next call. Nil at the end of the file.
  mutating func next() throws(DriveError) -> UnsafeBufferPointer<UInt8>? {
    while let bytes = try nextRaw() {
      var count = bytes.count
      if count > 0, bytes[count - 1] == UInt8(ascii: "\r") { count -= 1 }
      let mark = line == 1 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      if count > mark { return UnsafeBufferPointer(rebasing: bytes[mark..<count]) }
    }
    return nil
  }

  private mutating func nextRaw() throws(DriveError) -> UnsafeBufferPointer<UInt8>? {
    var searched = start
    while true {
      if let newline = memchr(buffer + searched, 10, end - searched) {
        let length = newline.assumingMemoryBound(to: UInt8.self) - (buffer + start)
        defer { start += length + 1 }
        return try take(length)
      }
      if end - start > Self.limit { return try take(end - start) }
      if isAtEnd {
        guard end > start else { return nil }
        isCutOff = true
        defer { start = end }
        return try take(end - start)
      }
      searched = end - start
      try fill()
    }
  }

  private mutating func take(_ length: Int) throws(DriveError) -> UnsafeBufferPointer<UInt8> {
    line += 1
    guard length <= Self.limit else { throw .lineTooLong(file: path, line: line, limit: Self.limit) }
    return UnsafeBufferPointer(start: buffer + start, count: length)
  }

  private static func unpack(_ path: String) throws(DriveError) -> [UInt8] {
    let bytes = try Folder.contents(of: path, limit: packedLimit.file)
    do throws(Gzip.Fault) {
      return try Gzip.unpack(bytes, limit: packedLimit.contents)
    } catch {
      throw .malformedFile(file: path, reason: error.text)
    }
  }

  /// Moves what is left to the front and reads behind it.
  private mutating func fill() throws(DriveError) {
    if start > 0 {
      memmove(buffer, buffer + start, end - start)
      end -= start
      start = 0
    }
    if let unpacked {
      let count = min(Self.capacity - end, unpacked.count - taken)
      unpacked.withUnsafeBytes { bytes in
        if let base = bytes.baseAddress, count > 0 { memcpy(buffer + end, base + taken, count) }
      }
      taken += count
      end += count
      isAtEnd = count == 0
      return
    }
    var count: Int
    repeat { count = read(descriptor, buffer + end, Self.capacity - end) } while count < 0 && errno == EINTR
    guard count >= 0 else { throw .system(path, "read") }
    let isFirst = line == 0 && end == 0
    end += count
    isAtEnd = count == 0
    if isFirst { try refuseOtherThanText() }
  }

  /// Throws where the first bytes are those of a file that holds a text in another way.
  private func refuseOtherThanText() throws(DriveError) {
    guard end >= 2 else { return }
    switch (buffer[0], buffer[1]) {
    case (0x1F, 0x8B):
      throw .malformedFile(file: path, reason: "is packed by gzip; unpack it: gunzip < IN > OUT")
    case (0xFF, 0xFE), (0xFE, 0xFF):
      let reason = "is text in UTF-16; make it UTF-8: iconv -f UTF-16 -t UTF-8 IN > OUT"
      throw .malformedFile(file: path, reason: reason)
    default: break
    }
  }
}

extension DriveError {
  /// The refusal that `errno` names.
  static func system(_ file: String, _ operation: String) -> DriveError {
    .system(file: file, operation: operation, reason: SystemError.text())
  }
}
