import Navigation
import SensorEvents

/// What the threads that read one IMU share from its opening to its loss: the assembly of
/// its samples, and its state.
final class IMUSession: Sendable {
  /// No sample for so long, in seconds, is said; for the longer time, and the capture is ended.
  static let silence = 0.5, hopelessSilence = 3.0
  /// Counts of odd samples are said again after so long, in seconds.
  static let tallyInterval = 10.0

  private struct State {
    var assembly: IMUAssembly
    var devices: [Device]
    var hasStreamed = false
    var failure: IIOFault?
    var remark: String
    var said = ""
    var tallyTime: Timestamp?
  }

  private struct Device {
    var title: String
    var period: Double
    var lastArrival: Timestamp
    var isSilent = false
    var refused = 0
    var canceller: IIOBuffer.Canceller?
  }

  private let voice: SourceVoice
  private let state: Guarded<State>
  /// Raised when the session is over, for whatever reason.
  let ended: StopSignal

  /// A session with devices of these titles and rates; `remark` goes with its state.
  init(voice: SourceVoice, assembly: IMUAssembly, devices: [(title: String, rate: Double)], remark: String)
    throws(SourceError)
  {
    self.voice = voice
    ended = try StopSignal()
    let now = HostClock.now()
    state = Guarded(
      State(
        assembly: assembly,
        devices: devices.map { Device(title: $0.title, period: 1 / $0.rate, lastArrival: now) },
        remark: remark))
  }

  /// Whether a reading has come of it.
  var hasStreamed: Bool { state.withLock { $0.hasStreamed } }
  /// The first thing that went wrong.
  var failure: IIOFault? { state.withLock { $0.failure } }

  /// Names the capture of device `index`, to be cancelled when the session ends.
  func attach(_ canceller: IIOBuffer.Canceller, device index: Int) {
    state.withLock { $0.devices[index].canceller = canceller }
    if ended.isSet { canceller.cancel() }
  }

  /// Device `index` has been read to the end of the session, and need not be cancelled: a capture that is
  /// closed in order says goodbye to its server, one that is cancelled cannot, and libiio complains of that
  /// on standard error.
  func detach(device index: Int) { state.withLock { $0.devices[index].canceller = nil } }

  /// Asks the readers to end when their next samples have come.
  func ask() { ended.set() }

  /// Ends the session, because of `failure` or because it is told to stop.
  func end(_ failure: IIOFault? = nil) {
    ended.set()
    let cancellers = state.withLock { state in
      if state.failure == nil { state.failure = failure }
      return state.devices.compactMap(\.canceller)
    }
    for canceller in cancellers { canceller.cancel() }
  }

  /// Takes a sample of device `index`: the gyroscope's axes, the accelerometer's, or both in this order.
  func take(_ sample: RawSample, device index: Int, refused: Int) {
    state.withLock { state in
      state.devices[index].lastArrival = sample.arrival
      state.devices[index].isSilent = false
      state.devices[index].refused = refused
      if sample.missing > 0 { voice.say(.lost(count: sample.missing), arrival: sample.arrival) }
      var isNew = false
      switch (sample.rate, sample.force) {
      case (let rate?, let force?):
        if let reading = state.assembly.take(rate: rate, force: force, at: sample.time) {
          isNew = true
          announce(&state, at: sample.arrival)
          voice.say(.inertial(reading), arrival: sample.arrival)
        }
      case (let rate?, nil): state.assembly.take(rate: rate, at: sample.time)
      case (nil, let force?): state.assembly.take(force: force, at: sample.time)
      case (nil, nil): break
      }
      if sample.rate == nil || sample.force == nil {
        let (readings, lost) = state.assembly.drain()
        if lost > 0 { voice.say(.lost(count: lost), arrival: sample.arrival) }
        if !readings.isEmpty { announce(&state, at: sample.arrival) }
        for reading in readings { voice.say(.inertial(reading), arrival: sample.arrival) }
        isNew = !readings.isEmpty
      }
      if !isNew { announce(&state, at: sample.arrival, hasReading: false) }
      state.hasStreamed = state.hasStreamed || isNew
    }
  }

  /// Says the temperature.
  func take(celsius: Double, arrival: Timestamp) {
    guard celsius.isFinite else { return }
    voice.say(.temperature(celsius: celsius), arrival: arrival)
  }

  /// Looks for devices that have fallen silent; run four times a second, by a thread
  /// that no device can hold up.
  func checkSilence() {
    let now = HostClock.now()
    let isHopeless = state.withLock { state in
      var longest = 0.0
      for index in state.devices.indices {
        let silence = now.seconds(since: state.devices[index].lastArrival)
        longest = max(longest, silence)
        state.devices[index].isSilent = silence > max(Self.silence, 6 * state.devices[index].period)
      }
      if state.devices.contains(where: \.isSilent) { announce(&state, at: now) }
      return longest > Self.hopelessSilence
    }
    if isHopeless { end(.library(IIOError(code: 110, action: "waiting for a sample"))) }
  }

  private func announce(_ state: inout State, at now: Timestamp, hasReading: Bool = true) {
    let silent = state.devices.filter(\.isSilent).map(\.title)
    if !silent.isEmpty {
      voice.say(.faulty, "no samples come from \(silent.joined(separator: " and "))")
    } else if let fault = state.assembly.fault {
      voice.say(.faulty, fault)
    } else if hasReading {
      voice.say(.streaming, tally(&state, at: now))
    }
  }

  private func tally(_ state: inout State, at now: Timestamp) -> String {
    if let last = state.tallyTime, now.seconds(since: last) < Self.tallyInterval { return state.said }
    state.tallyTime = now
    var parts = state.remark.isEmpty ? [] : [state.remark]
    if state.assembly.saturations > 0 {
      parts.append("\(state.assembly.saturations) samples were at the end of the range")
    }
    let refused = state.devices.map(\.refused).reduce(0, +)
    if refused > 0 {
      parts.append("\(refused) samples that repeat the one before, or have an earlier time, were refused")
    }
    state.said = parts.joined(separator: "; ")
    return state.said
  }
}
