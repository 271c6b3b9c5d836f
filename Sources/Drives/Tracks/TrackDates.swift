import Navigation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The calendar times in a track file, moved where they stand.
enum TrackDates {
  /// `2026-03-01T12:00:00.125Z`.
  private static let width = 24
  private static let chunk = 1 << 20

  static func move(_ path: String, isTUM: Bool, by nanoseconds: Int64) throws(DriveError) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(path, "open") }
    defer { close(descriptor) }
    var place: off_t = 0
    var bytes = [UInt8](repeating: 0, count: chunk)
    while true {
      let count = pread(descriptor, &bytes, chunk, place)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system(path, "read") }
      if count == 0 { return }
      // What may go on in the next chunk is left to it.
      let isLast = count < chunk
      let end = isLast ? count : whole(bytes, count, isTUM)
      let isChanged =
        isTUM ? moveSeconds(&bytes, end, nanoseconds) : moveCalendar(&bytes, end, nanoseconds)
      if isChanged {
        guard pwrite(descriptor, bytes, end, place) == end else { throw .system(path, "write") }
      }
      place += off_t(end)
      if isLast { return }
    }
  }

  /// How much of the bytes holds no part of a time that is cut off.
  private static func whole(_ bytes: [UInt8], _ count: Int, _ isTUM: Bool) -> Int {
    guard isTUM else { return count - width }
    return (bytes[..<count].lastIndex(of: 10) ?? count - 1) + 1
  }

  private static func moveCalendar(_ bytes: inout [UInt8], _ end: Int, _ nanoseconds: Int64) -> Bool {
    var isChanged = false
    var i = 0
    while i + width <= end {
      guard bytes[i + 4] == 0x2D, bytes[i + 10] == 0x54, bytes[i + 23] == 0x5A,
        let time = ImportTime.utc(calendar: String(decoding: bytes[i..<i + width], as: UTF8.self))
      else {
        i += 1
        continue
      }
      let text = UTC.text(time, origin: Timestamp(nanoseconds: nanoseconds))
      if text.utf8.count == width {
        bytes.replaceSubrange(i..<i + width, with: text.utf8)
        isChanged = true
      }
      i += width
    }
    return isChanged
  }

  /// Seconds since 1970 at the beginning of lines, with as many digits as they had.
  private static func moveSeconds(_ bytes: inout [UInt8], _ end: Int, _ nanoseconds: Int64) -> Bool {
    var isChanged = false
    var start = 0
    while start < end {
      var stop = start
      while stop < end, bytes[stop] != 32, bytes[stop] != 10 { stop += 1 }
      let digits = bytes[start..<stop]
      if let point = digits.firstIndex(of: UInt8(ascii: ".")),
        digits.allSatisfy({ $0 == 46 || (48...57).contains($0) })
      {
        let decimals = stop - point - 1
        let unit = (0..<max(0, 9 - decimals)).reduce(Int64(1)) { unit, _ in unit * 10 }
        let number = digits.reduce(Int64(0)) { $1 == 46 ? $0 : $0 &* 10 &+ Int64($1 - 48) }
        var moved = number &+ (nanoseconds + unit / 2) / unit
        if moved >= 0 {
          for place in (start..<stop).reversed() where place != point {
            bytes[place] = 48 + UInt8(moved % 10)
            moved /= 10
          }
          isChanged = true
        }
      }
      while start < end, bytes[start] != 10 { start += 1 }
      start += 1
    }
    return isChanged
  }
}
