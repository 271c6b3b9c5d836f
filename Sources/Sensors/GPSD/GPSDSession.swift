import Navigation
import SensorEvents

/// One connection to gpsd as a state machine: reports and the passing of time in, events out. It
/// has no clock and no socket.
package struct GPSDSession {
  /// Nothing new for so many seconds from a receiver that should report once a second.
  package static let silence = 5.0
  /// gpsd answers at once; so many seconds without an answer and it is another
  /// server, or a host that is gone.
  package static let answer = 5.0
  /// Receivers that state an earlier date have lost count of the weeks, or have none yet: gpsd's
  /// own pivot is about as old.
  package static let earliestDate = Timestamp(seconds: 1_577_836_800)  // 2020-01-01

  /// What the reader does next.
  package enum Action: Equatable {
    /// Read on.
    case none
    /// Ask gpsd to watch once more.
    case watch
    /// Close and connect again, for this reason.
    case reconnect(String)
  }

  package typealias Emit = (SensorEvent.Content) -> Void

  package private(set) var counts = GPSDCounts()
  private let endpoint: String
  private let sharesClock: Bool
  private var decoder: FixDecoder
  private var choice: DeviceChoice
  private var announcer = StatusAnnouncer()
  private var release: String?
  private var devices: [GPSDDevice] = []
  private var lastLine: Timestamp
  private var lastNews: Timestamp
  private var asked: Timestamp?
  private var repeats = false
  private var thinning = FixThinning()
  private var receiverRate = ReceiverRate()

  /// A connection made at `now`. `sharesClock`: gpsd runs on this computer, so that
  /// its realtime clock is ours.
  package init(address: GPSDAddress, accuracy: StatedAccuracy, sharesClock: Bool, now: Timestamp) {
    endpoint = address.endpoint
    self.sharesClock = sharesClock
    decoder = FixDecoder(accuracy: accuracy)
    choice = DeviceChoice(named: address.device)
    lastLine = now
    lastNews = now
  }

  /// Whether a gpsd has answered.
  package var isGPSD: Bool { release != nil }

  /// Says that the connection stands.
  package mutating func begin(_ emit: Emit) {
    counts.connections += 1
    announce(.connected, "connected to \(endpoint), waiting for gpsd to answer", emit)
  }

  /// A line came: a report, or nil where libgps makes nothing of it.
  package mutating func take(_ report: GPSDReport?, at arrival: Timestamp, _ emit: Emit) -> Action {
    lastLine = arrival
    guard let report else {
      counts.ignoredLines += 1
      return .none
    }
    switch report {
    case .version(let release, let major): return greet(release, major, emit)
    case .devices(let list): take(list, at: arrival, emit)
    case .device(let device): take(device, at: arrival, emit)
    case .position(let position): take(position, at: arrival, emit)
    case .sky(let sky, let device):
      guard choice.takes(device, at: arrival) else { break }
      decoder.take(sky)
      if !sky.satellites.isEmpty { emit(.sky(sky)) }
    case .errors(let errors): if choice.takes(errors.device, at: arrival) { decoder.take(errors) }
    case .offset(let offset): take(offset, at: arrival, emit)
    case .error(let text): counts.lastError = text
    }
    return .none
  }

  /// Time passes; to be called several times a second.
  package mutating func tick(_ now: Timestamp, _ emit: Emit) -> Action {
    let quiet = now.seconds(since: lastLine)
    if release == nil, quiet > Self.answer {
      let words =
        "\(endpoint) accepts connections and is no gpsd: it does not say its version; check host and port"
      announce(.faulty, words, emit)
      return .reconnect(words)
    }
    if let asked, lastLine < asked, now.seconds(since: asked) > Self.answer {
      return .reconnect("gpsd at \(endpoint) does not answer any more; trying again")
    }
    guard now.seconds(since: lastNews) > Self.silence, release != nil else { return .none }
    announceSilence(emit)
    guard asked.map({ now.seconds(since: $0) > Self.silence }) ?? true else { return .none }
    // gpsd opens a receiver that was plugged in meanwhile only when it is asked; and the
    // answer shows that it lives.
    asked = now
    return .watch
  }

  // MARK: - Rate

  /// Takes over what an earlier connection has shown of how often the receiver reports.
  package mutating func recall(_ earlier: GPSDSession) {
    receiverRate = earlier.receiverRate.afterReconnecting
  }

  /// From now on so many fixes a second are enough (nil: every one counts); to be
  /// called several times a second.
  package mutating func want(_ rate: Double?, _ emit: Emit) {
    guard rate != thinning.rate else { return }
    thinning.rate = rate
    guard announcer.current?.state == .streaming else { return }
    // Who judges its silence by its rhythm has to learn another one.
    announce(.connected, rate == nil ? "every fix is needed again" : "fewer fixes are needed", emit)
  }

  /// What is to be asked of gpsd so that the receiver itself reports no more than ``want(_:_:)``
  /// says; nil where nothing is.
  package mutating func rateRequest() -> String? { request(thinning.rate) }

  /// What is to be asked of gpsd so that the receiver is left as it was found.
  package mutating func restoringRequest() -> String? { request(nil) }

  private mutating func request(_ rate: Double?) -> String? {
    guard let path = choice.current, let device = devices.first(where: { $0.path == path }) else {
      return nil
    }
    return receiverRate.request(rate, of: device)
  }

  // MARK: - Reports

  private mutating func greet(_ release: String, _ major: Int, _ emit: Emit) -> Action {
    guard major == 3 else {
      let words =
        "gpsd \(release) at \(endpoint) speaks protocol \(major), 3 is needed: install gpsd 3.18 or later"
      announce(.faulty, words, emit)
      return .reconnect(words)
    }
    if self.release == nil { announce(.connected, "gpsd \(release) at \(endpoint), no fix yet", emit) }
    self.release = release
    return .none
  }

  private mutating func take(_ list: [GPSDDevice], at now: Timestamp, _ emit: Emit) {
    for gone in devices where !list.contains(where: { $0.path == gone.path }) { choice.forget(gone.path) }
    devices = list
    if list.isEmpty { announceNoDevice(emit) }
  }

  private mutating func take(_ device: GPSDDevice, at now: Timestamp, _ emit: Emit) {
    devices.removeAll { $0.path == device.path }
    devices.append(device)
    guard !device.isActive else { return }
    let wasCurrent = choice.current == device.path
    choice.forget(device.path)
    if wasCurrent {
      announce(.faulty, "gpsd has lost the receiver \(device.path): check its plug and its power", emit)
    }
  }

  private mutating func take(_ offset: GPSDOffset, at arrival: Timestamp, _ emit: Emit) {
    guard sharesClock, choice.takes(offset.device, at: arrival) else { return }
    // A message may be on its way, and be made, for half a second; gpsd times
    // pulses to 2⁻¹⁰ s or better.
    var comparison = ClockComparison(
      clock: .receiver, time: offset.receiver, reference: .realtime, referenceTime: offset.realtime,
      uncertainty: offset.isPulse ? 976_563 : 500_000_000)
    comparison.isPulse = offset.isPulse
    emit(.clocks(comparison))
  }

  private mutating func take(_ position: GPSDPosition, at arrival: Timestamp, _ emit: Emit) {
    guard choice.takes(position.device, hasFix: position.mode >= 2, at: arrival) else { return }
    switch decoder.take(position) {
    case .duplicate:
      counts.duplicates += 1
      repeats = true
      return  // no news: the silence goes on
    case .unusable(let reason):
      counts.unusable += 1
      // Not measured is what a receiver is in a tunnel: nothing to mend.
      if case .notMeasured = reason {
        announce(.connected, words(for: reason), emit)
      } else {
        announce(.faulty, words(for: reason), emit)
      }
    case .reading(let reading):
      if reading.dimensions != .none {
        receiverRate.note(reading.fix.time, path: position.device)
        guard thinning.takes(reading.fix.time) else {
          counts.passedOver += 1
          break
        }
      }
      emit(.fix(reading))
      if reading.dimensions == .none {
        counts.withoutFix += 1
        let words = "the receiver has no fix: it needs a view of the sky, and up to a minute after it was off"
        announce(.connected, words, emit)
      } else {
        counts.fixes += 1
        announce(.streaming, dateWords(reading.fix.time), emit)
      }
    }
    repeats = false
    lastNews = arrival
  }

  // MARK: - What people are told

  private mutating func announce(_ state: SourceStatus.State, _ message: String, _ emit: Emit) {
    if let news = announcer.change(to: SourceStatus(state, message)) { emit(.status(news)) }
  }

  private mutating func announceNoDevice(_ emit: Emit) {
    announce(
      .connected,
      "gpsd at \(endpoint) has no receiver: plug one in, or name it with gpsdctl add /dev/ttyACM0", emit)
  }

  private mutating func announceSilence(_ emit: Emit) {
    if let named = choice.named, !devices.contains(where: { $0.path == named }) {
      let known = devices.isEmpty ? "none" : devices.map(\.path).joined(separator: ", ")
      announce(
        .faulty, "gpsd does not know \(named) (it knows \(known)): check the name, or gpsdctl add it", emit)
    } else if devices.isEmpty {
      announceNoDevice(emit)
    } else if repeats {
      announce(.faulty, "the receiver repeats its last fix: it has lost its signal or hangs", emit)
    } else {
      let path = choice.current ?? devices.map(\.path).joined(separator: ", ")
      announce(
        .faulty,
        "no report of \(path) for \(Int(Self.silence)) s: check its cable, power, baud rate and permissions",
        emit)
    }
  }

  private func words(for reason: FixDecoder.Outcome.Reason) -> String {
    switch reason {
    case .noTime: "the receiver's fixes have no time: let it send RMC or ZDA beside GGA"
    case .notMeasured(.deadReckoning): "the receiver reckons without satellites: its positions are not used"
    case .notMeasured(.time): "the receiver holds a surveyed position for timing: set it to navigate"
    case .notMeasured: "the receiver simulates its positions: they are not used"
    case .notAPosition: "the receiver's positions lie nowhere on Earth: check its protocol and baud rate"
    }
  }

  private func dateWords(_ time: Timestamp) -> String {
    time < Self.earliestDate
      ? "the receiver's date lies before 2020: its positions are used, and UTC is as wrong as it is" : ""
  }
}
