import JSON

/// Takes a client's bytes apart into requests, however they are cut into packets.
///
/// A request starts with `?` and a name, and ends with `;`, with the end of a line, or with the `}` of its
/// argument. What stands between requests is skipped, as gpsd does.
package struct GPSDRequestReader {
  /// What a request may take; gpsd's own are under 512 bytes.
  package static let maximumLength = 8192

  private var pending: [UInt8] = []
  /// A request was longer than ``maximumLength``: nothing more comes.
  package private(set) var isOverflown = false

  package init() {}

  /// How many bytes wait.
  package var pendingCount: Int { pending.count }

  package mutating func append(_ bytes: some Sequence<UInt8>) {
    guard !isOverflown else { return }
    pending.append(contentsOf: bytes)
  }

  /// The next whole request, nil if there is none yet.
  package mutating func next() -> GPSDRequest? {
    guard !isOverflown else { return nil }
    let start = pending.firstIndex(of: UInt8(ascii: "?")) ?? pending.endIndex
    pending.removeFirst(start)
    guard let (length, request) = first() else {
      guard pending.count > Self.maximumLength else { return nil }
      isOverflown = true
      pending = []
      return .error(message: "Request longer than \(Self.maximumLength) bytes")
    }
    pending.removeFirst(length)
    return request
  }

  /// The request at the start of what waits, with its length.
  private func first() -> (Int, GPSDRequest)? {
    guard !pending.isEmpty else { return nil }
    let window = pending.prefix(Self.maximumLength)
    let name = window.dropFirst().prefix { 0x41...0x5A ~= $0 }
    let rest = window[name.endIndex...]
    guard let next = rest.first else { return nil }
    if Self.isEnd(next) {
      let text = window[...name.endIndex]
      return (text.count, GPSDRequest(name: String(decoding: name, as: UTF8.self), argument: nil, text: text))
    }
    if rest.starts(with: Array("={".utf8)) {
      let line = rest.dropFirst().prefix { $0 != UInt8(ascii: "\n") }
      if let length = Self.objectLength(line) {
        let argument = line.prefix(length)
        let text = window[..<argument.endIndex]
        return (text.count, request(named: name, argument: argument, text: text))
      }
      // An object whose line ends has lost its brace.
      guard line.endIndex < window.endIndex else { return nil }
      return (line.endIndex + 1, .unrecognized(window[..<line.endIndex]))
    }
    // Only "=" so far: the rest may be on its way.
    if rest.count == 1, next == UInt8(ascii: "=") { return nil }
    guard let end = rest.firstIndex(where: Self.isEnd) else { return nil }
    return (end + 1, .unrecognized(window[..<end]))
  }

  /// How many bytes the object at the start of `bytes` takes; nil if its end has not come yet. Braces
  /// within texts do not count.
  private static func objectLength(_ bytes: ArraySlice<UInt8>) -> Int? {
    var depth = 0
    var inText = false
    var escaped = false
    for (i, byte) in zip(bytes.indices, bytes) {
      if escaped {
        escaped = false
      } else if inText {
        if byte == UInt8(ascii: "\\") { escaped = true }
        if byte == UInt8(ascii: "\"") { inText = false }
      } else if byte == UInt8(ascii: "\"") {
        inText = true
      } else if byte == UInt8(ascii: "{") {
        depth += 1
      } else if byte == UInt8(ascii: "}") {
        depth -= 1
        if depth == 0 { return i - bytes.startIndex + 1 }
      }
    }
    return nil
  }

  /// Whether a request ends here: semicolon, line feed or carriage return.
  private static func isEnd(_ byte: UInt8) -> Bool { byte == 0x3B || byte == 0x0A || byte == 0x0D }

  private func request(
    named name: ArraySlice<UInt8>, argument: ArraySlice<UInt8>, text: ArraySlice<UInt8>
  ) -> GPSDRequest {
    let name = String(decoding: name, as: UTF8.self)
    // An object that holds neither arrays nor objects: no argument of the protocol does.
    guard let object = try? JSONParser.read(argument, limits: .init(depth: 1, bytes: Self.maximumLength))
    else {
      return name == "WATCH" || name == "DEVICE"
        ? .error(message: "Invalid \(name): malformed argument") : .unrecognized(text)
    }
    return GPSDRequest(name: name, argument: object, text: text)
  }
}
