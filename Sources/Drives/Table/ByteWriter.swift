import CLibrary
import Navigation

/// A new file, written by the buffer. Text is appended without a throw;
/// ``flushIfFull()`` after each row writes.
package struct ByteWriter: ~Copyable {
  private static let capacity = 64 * 1024

  let path: String
  private let descriptor: Int32
  private var isOpen = true
  private var buffer: [UInt8] = []

  /// Makes the file, its owner's alone because it says where a car was, or empties the one that is there.
  package init(path: String) throws(DriveError) {
    self.path = path
    descriptor = open(path, SystemFile.flagsToWrite(path), 0o600)
    guard descriptor >= 0 else { throw .system(path, "create") }
    buffer.reserveCapacity(Self.capacity + 4096)
  }

  deinit { if isOpen { close(descriptor) } }

  mutating func append(_ text: String) { buffer.append(contentsOf: text.utf8) }

  mutating func append(_ bytes: [UInt8]) { buffer.append(contentsOf: bytes) }

  /// Appends one ASCII character.
  @inline(__always)
  mutating func append(_ character: Unicode.Scalar) { buffer.append(UInt8(ascii: character)) }

  /// Appends a number with this many decimals, 0 to 15: the same value gives the same bytes.
  package mutating func append(_ value: Double, decimals: Int) {
    let scaled = (value * Self.powersOfTen[decimals]).rounded()
    guard let integer = Int64(exactly: scaled), abs(scaled) < 9e15 else {
      append("\(value)")
      return
    }
    append(integer, decimals: decimals)
  }

  /// Appends `integer` / 10^decimals.
  mutating func append(_ integer: Int64, decimals: Int) {
    if integer < 0 { append("-") }
    var rest = integer.magnitude
    var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
    withUnsafeMutableBytes(of: &digits) { digits in
      var first = digits.count
      var written = 0
      while rest > 0 || written <= decimals {
        first -= 1
        digits[first] = 48 + UInt8(rest % 10)
        rest /= 10
        written += 1
        if written == decimals {
          first -= 1
          digits[first] = UInt8(ascii: ".")
        }
      }
      buffer.append(contentsOf: digits[first...])
    }
  }

  /// Writes what is buffered if it is much.
  mutating func flushIfFull() throws(DriveError) {
    if buffer.count >= Self.capacity { try flush() }
  }

  /// Writes what is buffered and closes the file.
  package mutating func finish() throws(DriveError) {
    guard isOpen else { return }
    try flush()
    isOpen = false
    guard close(descriptor) == 0 else { throw .system(path, "close") }
  }

  /// Writes what is buffered. Where that fails the file ends with a whole line, as far as it is no pipe, and
  /// the rest stays for the next call.
  mutating func flush() throws(DriveError) {
    var written = 0
    while written < buffer.count {
      let count = buffer.withUnsafeBytes { bytes in
        write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let error = DriveError.system(path, "write")
        takeBackCutLine(written)
        throw error
      }
      written += count
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Of so many bytes of the buffer that have been written, leaves the whole lines in the file.
  private mutating func takeBackCutLine(_ written: Int) {
    let whole = (buffer[..<written].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
    let end = lseek(descriptor, 0, SEEK_CUR) - off_t(written - whole)
    let isTakenBack = ftruncate(descriptor, end) == 0 && lseek(descriptor, end, SEEK_SET) == end
    buffer.removeFirst(isTakenBack ? whole : written)
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]
}

extension ByteWriter {
  /// Appends seconds with four decimals, or six where the microseconds need them.
  mutating func append(_ time: Timestamp) {
    let rest = time.nanoseconds % 1000
    let microseconds = time.nanoseconds / 1000 + (rest >= 500 ? 1 : rest <= -500 ? -1 : 0)
    if microseconds % 100 == 0 {
      append(microseconds / 100, decimals: 4)
    } else {
      append(microseconds, decimals: 6)
    }
  }

  /// Appends a number, or `text` where it is not known.
  mutating func append(_ value: Double?, decimals: Int, otherwise text: String) {
    if let value = value?.known { append(value, decimals: decimals) } else { append(text) }
  }

  /// Appends longitude, latitude and, where it is known, height.
  mutating func append(coordinates position: GeodeticPosition, separator: String) {
    append(Angle.degrees(radians: Angle.wrapped(position.longitude)), decimals: 9)
    append(separator)
    append(position.latitudeDegrees, decimals: 9)
    guard position.height.isFinite else { return }
    append(separator)
    append(position.height, decimals: 3)
  }
}
