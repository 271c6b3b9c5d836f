import JSON
import Location
import NIOCore

/// Makes messages into lines. Most of them carry one location that many clients are
/// told: its text is made once.
struct LineEncoder {
  private var last: (location: Location, text: ByteBuffer)?

  /// The line of `message`, which reads the same as `message.json.text`.
  mutating func line(_ message: ServiceMessage) -> ByteBuffer {
    guard case .locations(let service, let session, let locations) = message, locations.count == 1 else {
      return ByteBuffer(string: message.json.text + "\n")
    }
    let location = locations[0]
    let text = text(of: location)
    let head =
      "{\"type\":\"locations\",\"service\":\"\(service.rawValue)\",\"session\":\(session),\"locations\":["
    var line = ByteBufferAllocator().buffer(capacity: head.utf8.count + text.readableBytes + 3)
    line.writeString(head)
    line.writeImmutableBuffer(text)
    line.writeStaticString("]}\n")
    return line
  }

  private mutating func text(of location: Location) -> ByteBuffer {
    if let last, last.location == location { return last.text }
    let text = ByteBuffer(string: location.json.text)
    last = (location, text)
    return text
  }
}
