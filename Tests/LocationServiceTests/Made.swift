import Location
import LocationService
import Navigation
import Testing

enum Made {
  /// A place `north` metres north of a point in open country.
  static func location(
    north: Double = 0, accuracy: Double = 5, at seconds: Double, mode: NavigationMode = .aided
  ) -> Location {
    Location(
      coordinate: Coordinate(
        latitudeDegrees: 48 + north / 111_195.08, longitudeDegrees: 11),
      horizontalAccuracy: accuracy, timestamp: time(seconds), utc: Timestamp(seconds: 1.7e9 + seconds),
      sources: [.gnss], mode: mode)
  }

  static func time(_ seconds: Double) -> Timestamp { Timestamp(seconds: 1000 + seconds) }

  static let home = Region(
    identifier: "home", center: Coordinate(latitudeDegrees: 48, longitudeDegrees: 11), radius: 100)
}

/// A hub with the time and the messages at hand.
struct Bench {
  static let owner: UInt32 = 1000
  static let stranger: UInt32 = 1001

  var hub: Hub
  var seconds = 0.0
  /// Whether what is to be written is written at once.
  var writes = true
  var written: [StoreChange] = []

  init(stored: StoredState = StoredState(), rules: [AuthorizationPolicy.Rule] = []) {
    hub = Hub(
      stored: stored, policy: AuthorizationPolicy(rules: rules, trustedUser: Self.owner),
      administrators: [0, Self.owner])
  }

  mutating func client(
    _ name: String = "com.example.a", user: UInt32 = Bench.owner, purpose: String = "to test"
  ) -> Hub.ConnectionID {
    let id = hub.connect(user: user)
    say(.hello(version: 1, name: name, purpose: purpose), id)
    return id
  }

  mutating func say(_ message: ClientMessage, _ id: Hub.ConnectionID) {
    hub.receive(message, from: id, at: Made.time(seconds))
    settle()
  }

  /// A solution `step` seconds later.
  mutating func drive(north: Double, accuracy: Double = 5, step: Double = 1, lost: [String] = []) {
    seconds += step
    let location = Made.location(north: north, accuracy: accuracy, at: seconds)
    hub.update(
      .init(location: location, sources: 2, lostSources: lost), at: Made.time(seconds),
      utc: Timestamp(seconds: 1.7e9 + seconds))
    settle()
  }

  mutating func wait(_ step: Double) {
    seconds += step
    hub.tick(at: Made.time(seconds), utc: Timestamp(seconds: 1.7e9 + seconds))
    settle()
  }

  /// What is to be written, for a test that says itself what becomes of it.
  mutating func handOver() throws -> (number: UInt64, changes: [StoreChange]) {
    let taken = hub.takeStoreChanges()
    return try #require(taken)
  }

  mutating func settle() {
    guard writes, let (number, changes) = hub.takeStoreChanges() else { return }
    written += changes
    hub.stored(number)
  }

  /// What has come for a connection.
  mutating func take(_ id: Hub.ConnectionID) -> [ServiceMessage] {
    var messages: [ServiceMessage] = []
    while let next = hub.next(for: id) { messages.append(next.message) }
    return messages
  }

  mutating func takeLocations(_ id: Hub.ConnectionID) -> [Location] { take(id).flatMap(\.locations) }

  /// What a restart would find.
  var stored: StoredState {
    var state = StoredState()
    for change in written {
      switch change {
      case .client(let client, let kept): state.clients[client] = kept
      case .decision(let client, let grant): state.decisions[client] = grant
      case .audit(let entries): state.audit = entries
      case .lastLocation(let location): state.lastLocation = location
      case .stay(let stay): state.stay = stay
      case .history(let change):
        if change.isCleared { state.history = [] }
        if let first = change.added.first { state.history.removeAll { $0.utc > first.utc } }
        state.history += change.added
        if let oldest = change.oldest { state.history.removeAll { $0.utc < oldest } }
      }
    }
    return state
  }
}

extension ServiceMessage {
  var locations: [Location] {
    if case .locations(_, _, let locations) = self { locations } else { [] }
  }
  var event: RegionEvent? { if case .regionEvent(let event) = self { event } else { nil } }
  var isStatus: Bool { if case .status = self { true } else { false } }
}
