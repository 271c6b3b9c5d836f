import Locks
import Navigation
import SensorEvents

/// The work of a ``GPSDSource``'s thread.
final class GPSDReader: Sendable {
  /// Reports of all receivers, and pulses too.
  private static let watch = #"?WATCH={"enable":true,"json":true,"pps":true};"# + "\n"
  /// Seconds between two looks at the time while nothing comes.
  private static let tick = 0.25

  private let id: SourceID
  private let address: GPSDAddress
  private let accuracy: StatedAccuracy
  private let sink: EventSink
  private let total = Mutex(GPSDCounts())
  private let wanted = Mutex<Double?>(nil)
  private let adjustsReceiver: Bool

  init(
    id: SourceID, address: GPSDAddress, accuracy: StatedAccuracy, adjustsReceiver: Bool,
    sink: @escaping EventSink
  ) {
    self.adjustsReceiver = adjustsReceiver
    self.id = id
    self.address = address
    self.accuracy = accuracy
    self.sink = sink
  }

  var counts: GPSDCounts { total.withLock { $0 } }

  /// From now on so many fixes a second are enough; nil: every one counts.
  func want(_ rate: Double?) { wanted.withLock { $0 = rate } }

  /// Says that there will be no reading at all.
  func fail(_ error: SourceError) {
    let status = SourceStatus(.failed, "\(error)")
    sink(SensorEvent(source: id, arrival: HostClock.now(), content: .status(status)))
  }

  func run(until stop: StopSignal) {
    var backoff = Backoff()
    var announcer = StatusAnnouncer()
    var last: GPSDSession?
    func announce(_ state: SourceStatus.State, _ message: String) {
      if let news = announcer.change(to: SourceStatus(state, message)) { post(.status(news), unless: stop) }
    }
    announce(.connecting, "connecting to gpsd at \(address.endpoint)")
    while !stop.isSet {
      do throws(GPSDConnection.Failure) {
        let connection = try GPSDConnection(address, stop: stop)
        announcer = StatusAnnouncer()  // the session says its own
        let (reason, wasOfUse) = read(connection, after: &last, until: stop)
        if wasOfUse { backoff.reset() }
        announce(.lost, reason)
      } catch {
        if case .failed(let reason, _) = error { announce(.lost, reason) }
      }
      _ = stop.wait(atMost: backoff.next())
    }
  }

  /// Reads until the connection ends; returns why, and whether anything came that a gpsd would say.
  private func read(
    _ connection: borrowing GPSDConnection, after last: inout GPSDSession?, until stop: StopSignal
  ) -> (reason: String, wasOfUse: Bool) {
    let decoder = LibgpsDecoder()
    var splitter = LineSplitter()
    var session = GPSDSession(
      address: address, accuracy: accuracy, sharesClock: connection.isLocal, now: HostClock.now())
    if let last { session.recall(last) }
    defer { last = session }
    let before = counts
    session.begin { post($0, unless: stop) }
    guard connection.send(Self.watch) else { return ("gpsd at \(address.endpoint) takes no request", false) }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
      var action = GPSDSession.Action.none
      while true {
        defer { keep(before, session.counts, overlong: splitter.overlong) }
        switch stop.wait(for: connection.descriptor, atMost: Self.tick) {
        case .stopped:
          if adjustsReceiver, let request = session.restoringRequest() { _ = connection.send(request) }
          return ("stopped", session.isGPSD)
        case .timedOut: break
        case .ready:
          switch connection.read(into: buffer) {
          case .nothing: break
          case .closed(let why):
            return ("gpsd at \(address.endpoint) is gone: \(why); trying again", session.isGPSD)
          case .bytes(let count):
            let arrival = HostClock.now()
            splitter.add(UnsafeBufferPointer(rebasing: buffer[..<count])) { line in
              guard action == .none else { return }
              action = session.take(decoder.decode(line), at: arrival) { post($0, at: arrival, unless: stop) }
            }
          }
        }
        if action == .none {
          let now = HostClock.now()
          action = session.tick(now) { post($0, at: now, unless: stop) }
        }
        session.want(wanted.withLock { $0 }) { post($0, unless: stop) }
        if adjustsReceiver, let request = session.rateRequest() { _ = connection.send(request) }
        if case .reconnect(let reason) = action { return (reason, false) }
        if action == .watch, !connection.send(Self.watch) {
          return ("gpsd at \(address.endpoint) takes no request; trying again", session.isGPSD)
        }
        action = .none
      }
    }
  }

  private func post(_ content: SensorEvent.Content, at arrival: Timestamp? = nil, unless stop: StopSignal) {
    guard !stop.isSet else { return }
    sink(SensorEvent(source: id, arrival: arrival ?? HostClock.now(), content: content))
  }

  private func keep(_ before: GPSDCounts, _ session: GPSDCounts, overlong: Int) {
    var sum = before.adding(session)
    sum.overlongLines += overlong
    total.withLock { $0 = sum }
  }
}
