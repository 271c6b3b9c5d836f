import Glibc
import Navigation
import SensorEvents

/// Reads one device until its session ends, on the thread that calls `run`.
final class DeviceReader: @unchecked Sendable {
  // Sendable unchecked: one thread makes it and hands it to the one that runs it; nobody else touches it.

  /// Seconds between two temperatures.
  static let temperatureInterval = 1.0
  /// Longest that a call of libiio may take, in seconds.
  static let callLimit = 1.0
  /// What the kernel holds for us while we are kept from running, in seconds.
  static let depth = 1.0

  private let setup: DeviceSetup
  private let context: IIOContext
  private let session: IMUSession
  private let index: Int
  private let rate: Double
  private let address: IIOAddress
  private var timeline: DeviceTimeline
  private var buffer: IIOBuffer?
  private var nextTemperature: Timestamp?
  private var hasTimestamp: Bool
  private var hasBufferedTemperature = false

  /// A reader of the device of `setup`, number `index` of the session, whose times are by `clock`, or by arrival (nil).
  init(
    _ setup: DeviceSetup, context: IIOContext, session: IMUSession, index: Int, clock: ClockKind?,
    rate: Double,
    address: IIOAddress
  ) {
    self.setup = setup
    self.context = context
    self.session = session
    self.index = index
    self.rate = rate
    self.address = address
    hasTimestamp = clock != nil
    timeline = DeviceTimeline(clock: clock, isShared: address.sharesClocks, rate: rate)
  }

  /// Reads until the session ends; a failure ends it.
  func run() {
    do throws(IIOFault) {
      switch setup.way {
      case .buffer: try capture()
      case .polling: try poll()
      }
    } catch {
      session.end(error)
    }
    buffer = nil
  }

  /// Starts the kernel's capture, so that a failure shows before the threads run.
  func openBuffer() throws(IIOError) {
    var channels = setup.sensors.flatMap(\.channels).map(\.id)
    if hasTimestamp, let timestamp = setup.device.timestamp { channels.append(timestamp.id) }
    if let temperature = setup.temperature?.channel, temperature.isScanElement, temperature.format.isReadable
    {
      channels.append(temperature.id)
      hasBufferedTemperature = true
    }
    // A sample a refill is the least delay; over a slow network a round trip a sample would be too many.
    let samples = address.sharesClocks ? 1 : min(max(Int(rate * 0.02), 1), 8)
    let buffer = try context.openBuffer(
      device: setup.device.id, channels: channels, samples: samples,
      depth: max(16, Int(rate * Self.depth) / samples))
    session.attach(buffer.canceller, device: index)
    self.buffer = buffer
  }

  // MARK: Buffered

  private func capture() throws(IIOFault) {
    guard let buffer else { return }
    let axes = 3 * setup.sensors.count
    let width = axes + (hasTimestamp ? 1 : 0) + (hasBufferedTemperature ? 1 : 0)
    var values: [Int64] = []
    values.reserveCapacity(width * 64)
    while !session.ended.isSet {
      values.removeAll(keepingCapacity: true)
      let count: Int
      do { count = try buffer.refill(into: &values) } catch {
        // A local device may pause; a remote one that did not answer in time answers the wrong question next.
        if error.isTimeout, address == .local { continue }
        if session.ended.isSet { return }
        throw .library(error)
      }
      let arrival = HostClock.now()
      for sample in 0..<count {
        let start = sample * width
        let timestamp = hasTimestamp ? Timestamp(nanoseconds: values[start + axes]) : nil
        take(values[start..<start + axes], timestamp: timestamp, arrival: arrival)
        if hasBufferedTemperature, isTemperatureDue(arrival), let thermometer = setup.temperature {
          session.take(celsius: thermometer.celsius(Double(values[start + width - 1])), arrival: arrival)
        }
      }
      if !hasBufferedTemperature { readTemperature(arrival) }
    }
  }

  private func take(_ axes: ArraySlice<Int64>, timestamp: Timestamp?, arrival: Timestamp) {
    guard let place = timeline.place(timestamp: timestamp, arrival: arrival) else { return }
    hand(axes, at: place.time, missing: place.missing, arrival: arrival)
  }

  private func hand(_ axes: ArraySlice<Int64>, at time: Timestamp, missing: Int, arrival: Timestamp) {
    var sample = RawSample(time: time, arrival: arrival, missing: missing)
    for (number, sensor) in setup.sensors.enumerated() {
      let start = axes.startIndex + 3 * number
      let raw = RawTriad(axes[start], axes[start + 1], axes[start + 2])
      if sensor.quantity == .angularRate { sample.rate = raw } else { sample.force = raw }
    }
    session.take(sample, device: index, refused: timeline.duplicates + timeline.reversals)
  }

  // MARK: Polled

  private func poll() throws(IIOFault) {
    let period = Int64(1e9 / rate)
    var deadline = HostClock.read(.monotonic).nanoseconds
    while !session.ended.isSet {
      let start = HostClock.now()
      var axes: [Int64] = []
      for sensor in setup.sensors {
        for channel in sensor.channels { axes.append(try rawValue(channel)) }
      }
      let arrival = HostClock.now()
      let time = Timestamp(nanoseconds: start.nanoseconds + (arrival.nanoseconds - start.nanoseconds) / 2)
      hand(axes[...], at: time, missing: 0, arrival: arrival)
      readTemperature(arrival)
      deadline = max(deadline + period, HostClock.read(.monotonic).nanoseconds)
      sleep(until: deadline)
    }
  }

  private func rawValue(_ channel: IIOChannelDescription) throws(IIOFault) -> Int64 {
    let text: String
    do { text = try context.read("raw", device: setup.device.id, channel: channel.id) } catch {
      throw .library(error)
    }
    guard let value = Int64(text) else {
      throw .unusable(
        "\(setup.device.title) \(channel.id) raw is \"\(text.prefix(40))\", which is not a whole number")
    }
    return value
  }

  private func sleep(until deadline: Int64) {
    var time = timespec()
    time.tv_sec = Int(deadline / 1_000_000_000)
    time.tv_nsec = Int(deadline % 1_000_000_000)
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }

  // MARK: Temperature

  private func isTemperatureDue(_ now: Timestamp) -> Bool {
    if let next = nextTemperature, now < next { return false }
    nextTemperature = now.advanced(bySeconds: Self.temperatureInterval)
    return true
  }

  private func readTemperature(_ now: Timestamp) {
    guard let thermometer = setup.temperature, thermometer.channel.attributes.contains("raw"),
      isTemperatureDue(now)
    else { return }
    let text = try? context.read("raw", device: setup.device.id, channel: thermometer.channel.id)
    guard let text, let raw = Double(text) else {
      // Many drivers refuse it while the buffer runs.
      nextTemperature = Timestamp(nanoseconds: .max)
      return
    }
    session.take(celsius: thermometer.celsius(raw), arrival: now)
  }
}
