import CLibrary

/// Goes through the tags of an XML file with a buffer of fixed size: enough for tracks, whose files may be
/// one line of gigabytes.
///
/// Comments, instructions and declarations are passed over; names come without their prefix; entities stay as
/// they stand.
struct XMLScanner: ~Copyable {
  /// A tag, or the end of one that is both.
  enum Event: Equatable {
    case start(name: String, attributes: String)
    case end(name: String)
  }
  private static let capacity = 256 * 1024
  /// Longest tag, and longest text of an element that is kept.
  private static let limit = 64 * 1024

  let path: String
  /// The line that the scanner is at, from 1.
  private(set) var line = 1
  /// Text between the last two tags.
  private(set) var text = ""
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var place = 0
  private var closing: String?

  init(path: String) throws(DriveError) {
    descriptor = try Folder.open(path)
    self.path = path
  }

  deinit { close(descriptor) }

  /// The next tag; nil at the end of the file.
  mutating func next() throws(DriveError) -> Event? {
    if let name = closing {
      closing = nil
      return .end(name: name)
    }
    var before: [UInt8] = []
    while let byte = try byte() {
      guard byte == UInt8(ascii: "<") else {
        if before.count < Self.limit { before.append(byte) }
        continue
      }
      var tag = try take(until: ">")
      if tag.starts(with: Array("!--".utf8)) {
        while !tag.suffix(2).elementsEqual("--".utf8) || tag.count < 5 {
          tag = Array(tag.suffix(8)) + [UInt8(ascii: ">")] + (try take(until: ">"))
        }
        continue
      }
      if tag.starts(with: Array("![CDATA[".utf8)) || tag.first == UInt8(ascii: "?")
        || tag.first == UInt8(ascii: "!")
      {
        continue
      }
      text = String(decoding: before, as: UTF8.self)
      return event(tag)
    }
    return nil
  }

  private mutating func event(_ tag: [UInt8]) -> Event {
    var tag = tag[...]
    let isEnd = tag.first == UInt8(ascii: "/")
    if isEnd { tag = tag.dropFirst() }
    let isEmpty = tag.last == UInt8(ascii: "/")
    if isEmpty { tag = tag.dropLast() }
    let blanks = Array(" \t\r\n".utf8)
    let full = tag.prefix { !blanks.contains($0) }
    let name = String(decoding: full, as: UTF8.self).split(separator: ":").last.map(String.init) ?? ""
    if isEnd { return .end(name: name) }
    if isEmpty { closing = name }
    return .start(name: name, attributes: String(decoding: tag.dropFirst(full.count), as: UTF8.self))
  }

  private mutating func take(until end: Unicode.Scalar) throws(DriveError) -> [UInt8] {
    var bytes: [UInt8] = []
    while let byte = try byte() {
      if byte == UInt8(ascii: end) { return bytes }
      bytes.append(byte)
      guard bytes.count <= Self.limit else {
        throw .line(line, of: path, "a tag longer than \(Self.limit) bytes; is this XML?")
      }
    }
    throw .line(line, of: path, "the file ends within a tag; it was cut off")
  }

  private mutating func byte() throws(DriveError) -> UInt8? {
    if place == buffer.count {
      if buffer.count < Self.capacity { buffer = [UInt8](repeating: 0, count: Self.capacity) }
      var count: Int
      repeat { count = read(descriptor, &buffer, Self.capacity) } while count < 0 && errno == EINTR
      guard count >= 0 else { throw .system(path, "read") }
      guard count > 0 else {
        buffer.removeAll()
        place = 0
        return nil
      }
      if count < buffer.count { buffer.removeLast(buffer.count - count) }
      place = 0
    }
    defer { place += 1 }
    if buffer[place] == UInt8(ascii: "\n") { line += 1 }
    return buffer[place]
  }
}
