import Navigation

/// Circles whose crossing is told, by names of the program's own: as Core Location's `CLMonitor`. What was
/// added goes on while the program is away, and over restarts of the service and the computer.
///
/// ```swift
/// let monitor = Monitor("garage", manager: manager)
/// try await monitor.add(.init(center: home, radius: 100), identifier: "home")
/// for await event in monitor.events { print(event.identifier, event.state) }
/// ```
///
/// Monitors of one program are told apart by their names. Each crossing goes to every one who iterates, and
/// is forgotten once one has it.
public struct Monitor: Sendable {
  /// A circle on the map.
  public struct CircularCondition: Sendable, Hashable, Codable {
    /// The middle.
    public var center: Coordinate
    /// Metres, from ``Region/minimumRadius`` to ``Region/maximumRadius``.
    public var radius: Double

    /// The circle of `radius` metres about `center`.
    public init(center: Coordinate, radius: Double) { (self.center, self.radius) = (center, radius) }
  }

  /// Where the car stands to a condition.
  public enum State: String, Sendable, CaseIterable, Codable {
    /// It cannot be told yet.
    case unknown
    /// Within.
    case satisfied
    /// Without.
    case unsatisfied
  }

  /// The car has crossed the edge of a condition.
  public struct Event: Sendable, Hashable {
    /// The condition's name.
    public var identifier: String
    /// On which side it is since.
    public var state: State
    /// When, in UTC where that was known; nanoseconds since 1970.
    public var utc: Timestamp?

    /// A crossing of the condition `identifier`.
    public init(identifier: String, state: State, utc: Timestamp?) {
      (self.identifier, self.state, self.utc) = (identifier, state, utc)
    }
  }

  /// Letters, digits, dots, dashes and underscores, told apart from those of the program's other monitors.
  public let name: String
  private let manager: LocationManager

  /// The monitor of that name, with what was added to it before.
  public init(_ name: String, manager: LocationManager) { (self.name, self.manager) = (name, manager) }

  private var prefix: String { name + "/" }

  /// Monitors `condition` from now on, in place of one of the same name; returns once that is on the disk.
  /// Throws a ``LocationError``.
  public func add(_ condition: CircularCondition, identifier: String) async throws {
    try await manager.monitor(
      Region(identifier: prefix + identifier, center: condition.center, radius: condition.radius))
  }

  /// Monitors a condition no longer; crossings that have not been told are forgotten.
  public func remove(_ identifier: String) { manager.stopMonitoring(identifier: prefix + identifier) }

  /// What is monitored, by name.
  public var conditions: [String: CircularCondition] {
    get async throws {
      let regions = try await manager.monitoredRegions().filter { $0.identifier.hasPrefix(prefix) }
      return Dictionary(
        regions.map {
          (
            String($0.identifier.dropFirst(prefix.count)),
            CircularCondition(center: $0.center, radius: $0.radius)
          )
        }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// Where the car stands to a condition.
  public func state(of identifier: String) async throws -> State {
    State(try await manager.state(ofRegion: prefix + identifier))
  }

  /// The crossings, those included that happened while nobody listened.
  public var events: Events { Events(prefix: prefix, manager: manager) }

  /// Crossings of one monitor's conditions.
  public struct Events: AsyncSequence, Sendable {
    /// What comes.
    public typealias Element = Event
    /// Nothing ends it but the end of the manager.
    public typealias Failure = Never

    let prefix: String
    let manager: LocationManager

    /// Begins to take.
    public func makeAsyncIterator() -> Iterator {
      Iterator(prefix: prefix, events: LocationUpdates.Subscription(manager, .regions(prefix: prefix)))
    }

    /// One taker.
    public struct Iterator: AsyncIteratorProtocol {
      let prefix: String
      let events: LocationUpdates.Subscription

      /// The next crossing; nil once the manager was closed or the task cancelled.
      public mutating func next(isolation: isolated (any Actor)? = #isolation) async -> Event? {
        while let event = await events.queue.next(isolation: isolation) {
          guard case .region(let crossing) = event else { continue }
          events.manager.acknowledge(crossing)
          return Event(
            identifier: String(crossing.identifier.dropFirst(prefix.count)),
            state: crossing.kind == .entered ? .satisfied : .unsatisfied, utc: crossing.utc)
        }
        return nil
      }
    }
  }
}

extension Monitor.State {
  init(_ state: RegionState) {
    self =
      switch state {
      case .unknown: .unknown
      case .inside: .satisfied
      case .outside: .unsatisfied
      }
  }
}
