import Location

/// What waits to be taken by one client: bounded, and the newest wins.
///
/// A client that takes nothing loses old locations, headings and status, never anything else; if even that
/// does not help, it is cut off.
struct Outbox: Sendable {
  /// How many messages with locations wait at most.
  static let mostLocationMessages = 32
  /// How many locations wait at most, deferred batches included; one batch may always wait.
  static let mostLocations = 6000
  /// How many other messages wait at most.
  static let mostOthers = 1024

  private var messages: [ServiceMessage] = []
  private var locationMessages = 0
  private var locations = 0
  private(set) var lost = 0
  /// Whether more waits than may: the client must be cut off.
  private(set) var isOverfull = false

  var isEmpty: Bool { messages.isEmpty }
  var count: Int { messages.count }
  /// Whether places of the history wait.
  var hasHistory: Bool {
    messages.contains { if case .history(_, .success(let places)) = $0 { !places.isEmpty } else { false } }
  }

  mutating func post(_ message: ServiceMessage) {
    switch message {
    case .locations(_, _, let batch):
      locationMessages += 1
      locations += batch.count
    case .heading: dropHeading()
    case .status:
      messages.removeAll { if case .status = $0 { true } else { false } }
    default: break
    }
    messages.append(message)
    while locationMessages > Self.mostLocationMessages
      || (locations > Self.mostLocations && locationMessages > 1)
    {
      dropOldestLocations()
    }
    if messages.count - locationMessages > Self.mostOthers { isOverfull = true }
  }

  /// Drops what waits of a service that was stopped.
  mutating func dropLocations(of stopped: ServiceMessage.Service) {
    messages.removeAll {
      guard case .locations(let service, _, let batch) = $0, service == stopped else { return false }
      locationMessages -= 1
      locations -= batch.count
      return true
    }
  }

  /// The same of visits.
  mutating func dropVisits() { messages.removeAll { if case .visits = $0 { true } else { false } } }

  /// Drops the heading that waits: of headings the newest counts.
  mutating func dropHeading() { messages.removeAll { if case .heading = $0 { true } else { false } } }

  /// Drops everything.
  mutating func removeAll() { messages = []; (locationMessages, locations) = (0, 0) }

  /// Takes back what would tell the place to a client that may know it no more; what must be
  /// said exactly once stays.
  mutating func censor(_ denial: LocationError.DenialReason) {
    replace { message in
      switch message {
      case .locations, .visits, .heading, .regionEvent, .regionState, .status, .paused, .resumed, .welcome,
        .regions,
        .regionStarted:
        nil
      case .answer(let number, _): .answer(number: number, .failure(.denied(denial)))
      case .history(let number, _): .history(number: number, .failure(.denied(denial)))
      case .temporaryFullAccuracy(let number, _):
        .temporaryFullAccuracy(number: number, .failure(.denied(denial)))
      case .failed, .refused, .authorization, .authorizations, .regionFailed, .deferredFinished: message
      }
    }
  }

  /// Takes back what would tell the exact place to a client that may know the reduced one only.
  mutating func forgetExactPlaces() {
    replace { message in
      switch message {
      case .locations, .visits, .heading, .regionEvent, .status: nil
      case .regionState(let identifier, _): .regionFailed(identifier: identifier, .denied(.accuracyReduced))
      case .answer(let number, .success): .answer(number: number, .failure(.denied(.accuracyReduced)))
      case .history(let number, .success(let places)) where !places.isEmpty:
        .history(number: number, .failure(.denied(.accuracyReduced)))
      default: message
      }
    }
  }

  /// Puts others in the place of messages, or none; locations never stay.
  private mutating func replace(_ other: (ServiceMessage) -> ServiceMessage?) {
    let kept = messages.compactMap(other)
    removeAll()
    messages = kept
  }

  /// The next to be sent.
  mutating func next() -> ServiceMessage? {
    guard !messages.isEmpty else { return nil }
    let message = messages.removeFirst()
    if case .locations(_, _, let batch) = message {
      locationMessages -= 1
      locations -= batch.count
    }
    return message
  }

  private mutating func dropOldestLocations() {
    let oldest = messages.firstIndex { if case .locations = $0 { true } else { false } }
    guard let oldest, case .locations(_, _, let batch) = messages.remove(at: oldest) else { return }
    locationMessages -= 1
    locations -= batch.count
    lost += batch.count
  }
}
