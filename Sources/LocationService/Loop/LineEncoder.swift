import JSON
import Location

/// Makes messages into lines. Most of them carry one location that many clients are told: its text is made once.
struct LineEncoder {
  private var last: (location: Location, text: String)?

  /// The line of `message`, without its end: the same as `message.json.text`.
  mutating func line(_ message: ServiceMessage) -> String {
    guard case .locations(let service, let session, let locations) = message, locations.count == 1 else {
      return message.json.text
    }
    let location = locations[0]
    let text: String
    if let last, last.location == location {
      text = last.text
    } else {
      text = location.json.text
      last = (location, text)
    }
    return
      "{\"type\":\"locations\",\"service\":\"\(service.rawValue)\",\"session\":\(session),\"locations\":[\(text)]}"
  }
}
