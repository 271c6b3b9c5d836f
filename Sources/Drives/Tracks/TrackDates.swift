import CLibrary
import Navigation

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
      // What goes on in the next chunk is left to it.
      let isLast = count < chunk
      let end: Int
      let isChanged: Bool
      if isTUM {
        end = isLast ? count : (bytes[..<count].lastIndex(of: 10) ?? count - 1) + 1
        isChanged = moveSeconds(&bytes, end, nanoseconds)
      } else {
        (end, isChanged) = moveCalendar(&bytes, count, nanoseconds)
      }
      if isChanged {
        guard pwrite(descriptor, bytes, end, place) == end else { throw .system(path, "write") }
      }
      if isLast || end == 0 { return }
      place += off_t(end)
    }
  }

  /// Moves what is whole, and says up to where that was looked for.
  private static func moveCalendar(
    _ bytes: inout [UInt8], _ count: Int, _ nanoseconds: Int64
  ) -> (end: Int, isChanged: Bool) {
    var isChanged = false
    var i = 0
    while i + width <= count {
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
    return (i, isChanged)
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
        var moved = number &+ Int64((Double(nanoseconds) / Double(unit)).rounded())
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
