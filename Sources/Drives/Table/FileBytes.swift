import CLibrary

/// A binary file that is read from its start, parts of it passed over.
struct FileBytes: ~Copyable {
  let path: String
  private let descriptor: Int32
  /// Bytes from the start.
  private(set) var place = 0
  /// Bytes in all; nil where that is not known, as of a pipe.
  let size: Int?

  init(path: String) throws(DriveError) {
    try Folder.refuse(path)
    let descriptor = try Folder.open(path)
    self.path = path
    self.descriptor = descriptor
    let end = lseek(descriptor, 0, SEEK_END)
    size = end >= 0 && lseek(descriptor, 0, SEEK_SET) == 0 ? Int(end) : nil
  }

  /// Whether the file ends before so many more bytes.
  func ends(before count: UInt64) -> Bool { size.map { count > UInt64(max(0, $0 - place)) } ?? false }

  deinit { close(descriptor) }

  /// The next bytes, fewer at the end of the file.
  mutating func take(_ count: Int) throws(DriveError) -> [UInt8] {
    guard let bytes = SystemFile.bytes(of: descriptor, atMost: count) else { throw .system(path, "read") }
    place += bytes.count
    return bytes
  }

  /// Passes over bytes.
  mutating func skip(_ count: Int) throws(DriveError) {
    guard lseek(descriptor, off_t(count), SEEK_CUR) >= 0 else { throw .system(path, "read") }
    place += count
  }
}

/// Values in bytes, the lowest byte of each first; nil past the end.
struct BytesReader {
  private let bytes: ArraySlice<UInt8>
  private(set) var place: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  /// What has not been read.
  var rest: ArraySlice<UInt8> { bytes[place...] }

  mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
    let size = MemoryLayout<Value>.size
    guard place + size <= bytes.endIndex else { return nil }
    var value: Value = 0
    withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: bytes[place..<place + size]) }
    place += size
    return Value(littleEndian: value)
  }

  mutating func slice(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= bytes.endIndex - place else { return nil }
    defer { place += count }
    return bytes[place..<place + count]
  }

  /// A text with its length in four bytes before it.
  mutating func text() -> String? {
    integer(UInt32.self).flatMap { slice(Int($0)) }.map { String(decoding: $0, as: UTF8.self) }
  }
}
