/// Bytes on their way to being lines, of bounded length.
package struct LineBuffer: Sendable {
  private var bytes: [UInt8] = []
  private var start = 0
  private var searched = 0
  private let limit: Int

  /// For lines of at most `limit` bytes.
  package init(limit: Int) { self.limit = limit }

  /// Whether a line has begun and not ended.
  package var isInside: Bool { start < bytes.count }
  /// Whether the line that has begun is longer than lines may be.
  package var isOverlong: Bool { bytes.count - start > limit }

  /// Appends what has arrived.
  package mutating func append(_ more: some Collection<UInt8>) {
    if start > 0 {
      bytes.removeFirst(start)
      searched -= start
      start = 0
    }
    bytes += more
  }

  /// The next whole line without its end; nil if there is none yet.
  package mutating func next() -> ArraySlice<UInt8>? {
    guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = bytes.count
      return nil
    }
    defer { (start, searched) = (end + 1, end + 1) }
    return bytes[start..<end]
  }
}
