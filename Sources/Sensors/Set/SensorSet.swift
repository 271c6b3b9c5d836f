import Navigation
import SensorEvents

/// The sensors that settings name, of which those run that are wanted.
public final class SensorSet: Sendable {
  /// Which sensors there are.
  public let settings: SensorSettings
  private let sink: EventSink
  private let state = Guarded(State())

  private struct State {
    var sources: [SourceRole: any SensorSource] = [:]
    var rate: Double?
  }

  /// The sensors of `settings`, none of which runs yet; they hand over to `sink`.
  public init(_ settings: SensorSettings, sink: @escaping EventSink) {
    self.settings = settings
    self.sink = sink
  }

  deinit { stop(within: 0) }

  /// The roles whose sensors run.
  public var roles: Set<SourceRole> { state.withLock { Set($0.sources.keys) } }

  /// Starts all of them, or as many as have one of `roles`, and ends the others, each within a second. One
  /// that is ended says so as its last word, so that whoever listens takes the silence for what it is.
  public func run(_ roles: Set<SourceRole> = Set(SourceRole.allCases)) throws(SourceError) {
    try state.withLock { state throws(SourceError) in
      for (role, source) in state.sources where !roles.contains(role) {
        state.sources[role] = nil
        source.stop(within: 1)
        guard let id = settings.description(role)?.id else { continue }
        let status = SourceStatus(.off, "nobody needs it")
        sink(SensorEvent(source: id, arrival: HostClock.now(), content: .status(status)))
      }
      for role in SourceRole.allCases where roles.contains(role) && state.sources[role] == nil {
        guard let source = try make(role, rate: state.rate) else { continue }
        state.sources[role] = source
        source.start()
      }
    }
  }

  /// From now on so many fixes a second are enough, the others are passed over; nil: every one
  /// counts, as at the start.
  public func want(_ rate: Double?) {
    state.withLock { state in
      state.rate = rate
      (state.sources[.fix] as? GPSDSource)?.want(rate)
    }
  }

  /// Ends those that run, all of them within so many seconds; one that a device holds up is left behind, and
  /// says nothing more. Whether all have ended.
  @discardableResult
  public func stop(within seconds: Double = 1) -> Bool {
    let sources = state.withLock { state in
      defer { state.sources = [:] }
      return Array(state.sources.values)
    }
    // All are told before any is waited for.
    for source in sources { source.stop(within: 0) }
    let end = HostClock.now().advanced(bySeconds: seconds)
    var haveEnded = true
    for source in sources {
      haveEnded = source.stop(within: max(0, end.seconds(since: HostClock.now()))) && haveEnded
    }
    return haveEnded
  }

  private func make(_ role: SourceRole, rate: Double?) throws(SourceError) -> (any SensorSource)? {
    guard let id = settings.description(role)?.id else { return nil }
    switch role {
    case .fix:
      guard let address = settings.gpsd else { return nil }
      let source = try GPSDSource(
        id: id, address: address, adjustsReceiver: settings.adjustsReceiver, sink: sink)
      source.want(rate)
      return source
    case .inertial:
      guard let imu = settings.imu else { return nil }
      return try IIOSource(id: id, settings: imu, sink: sink)
    case .wheel:
      guard let address = settings.wheel else { return nil }
      return try SensorReader(id: id, wheel: address, sink: sink)
    case .pressure:
      guard let barometer = settings.barometer else { return nil }
      return try SensorReader(id: id, barometer: barometer, sink: sink)
    }
  }
}
