import Navigation

/// One connection with a broker, from its beginning to its end: when it is greeted, asked
/// whether it lives, and given up.
package struct MQTTSession: Sendable {
  /// Seconds that it may take to answer anything.
  package static let patience = 10.0

  private let keepAlive: Double
  private let began: Timestamp
  private var asked: Timestamp?
  private var answered: Timestamp
  /// Whether it has taken the client.
  package private(set) var isOpen = false

  /// A connection that stands since `now`; the broker counts the client as gone after
  /// `keepAlive` seconds of silence.
  package init(keepAlive: Double, at now: Timestamp) {
    (self.keepAlive, began, answered) = (keepAlive, now, now)
  }

  /// Takes what it says; throws where it is not what it may say now.
  package mutating func receive(_ reply: MQTTReply, at now: Timestamp) throws(MQTTFault) {
    switch reply {
    case .connected(let code):
      guard !isOpen else { throw .notExpected(0x20) }
      guard code == 0 else { throw .refused(code: code) }
      isOpen = true
      answered = now
    case .acknowledged:
      guard isOpen else { throw .notExpected(0x40) }
    case .pingResponse:
      guard isOpen, asked != nil else { throw .notExpected(0xD0) }
      (asked, answered) = (nil, now)
    }
  }

  /// Whether it is to be asked now whether it lives; throws where it takes too long. `waitsSince` is when it
  /// got the oldest of what it has to acknowledge.
  package mutating func check(waitsSince: Timestamp?, at now: Timestamp) throws(MQTTFault) -> Bool {
    for since in [isOpen ? nil : began, asked, waitsSince] {
      if let since, now.seconds(since: since) > Self.patience { throw .silent(seconds: Self.patience) }
    }
    guard isOpen, asked == nil, now.seconds(since: answered) >= keepAlive / 2 else { return false }
    asked = now
    return true
  }
}

/// How long to wait before a broker is tried again: twice as long each time it fails, up to a minute, and
/// shortly again once it was there for a while.
package struct MQTTBackoff: Sendable {
  /// Seconds: after the first failure, and at most.
  package static let shortest = 1.0, longest = 60.0
  /// Seconds after which a connection counts as a good one.
  package static let good = 30.0

  private var next = Self.shortest

  /// Nothing has failed yet.
  package init() {}

  /// Seconds to wait after a connection of so many seconds. `share`, 0 to 1, spreads cars that lost the same
  /// broker at the same time.
  package mutating func delay(after seconds: Double, share: Double) -> Double {
    if seconds >= Self.good { next = Self.shortest }
    defer { next = min(next * 2, Self.longest) }
    return next * (0.75 + share / 4)
  }
}
