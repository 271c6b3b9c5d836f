import Navigation
import SensorEvents

/// Reads one device until its session ends, on the thread that calls `run`.
final class DeviceReader: @unchecked Sendable {
  // Sendable unchecked: one thread makes it and hands it to the one that runs it; nobody else touches it.

  /// Seconds between two temperatures.
  static let temperatureInterval = 1.0
  /// Longest that a call of libiio may take, in seconds.
  static let callLimit = 1.0
  /// First and longest time after which a device that is polled is looked at again for a buffer, in seconds.
  static let firstLook = 1.0, longestLook = 60.0

  private let device: ReadyDevice
  private let settings: IIOSettings
  private var setup: DeviceSetup { device.setup }
  private var context: IIOContext { device.context }
  private let session: IMUSession
  private let index: Int
  private let usesTimestamp: Bool
  private var timeline: DeviceTimeline
  private var nextTemperature: Timestamp?
  /// Values of the newest sample.
  private var newest: [Int64] = []

  /// A reader of device number `index` of the session, whose times are by `clock`, or by arrival (nil).
  init(_ device: ReadyDevice, session: IMUSession, index: Int, clock: ClockKind?, settings: IIOSettings) {
    self.device = device
    self.settings = settings
    self.session = session
    self.index = index
    usesTimestamp = clock != nil && device.capture?.hasTimestamp == true
    if let capture = device.capture { session.attach(capture.buffer.canceller, device: index) }
    timeline = DeviceTimeline(clock: clock, isShared: settings.address.sharesClocks, rate: device.rate)
  }

  /// Reads until the session ends; a failure ends it.
  func run() {
    do throws(IIOFault) {
      if let capture = device.capture { try read(capture) } else { try poll() }
    } catch {
      session.end(error)
    }
  }

  // MARK: Buffered

  private func read(_ capture: Capture) throws(IIOFault) {
    let (axes, width) = (capture.axes, capture.width)
    var values: [Int64] = []
    values.reserveCapacity(width * 64)
    while !session.ended.isSet {
      values.removeAll(keepingCapacity: true)
      let count: Int
      do { count = try capture.buffer.refill(into: &values) } catch {
        // A local device may pause; a remote one that did not answer in time answers the wrong question next.
        if error.isTimeout, settings.address == .local { continue }
        if session.ended.isSet { return }
        throw .library(error)
      }
      let arrival = HostClock.now()
      for sample in 0..<count {
        let start = sample * width
        let timestamp = usesTimestamp ? Timestamp(nanoseconds: values[start + axes]) : nil
        take(values[start..<start + axes], timestamp: timestamp, arrival: arrival)
        if capture.hasTemperature, isTemperatureDue(arrival), let thermometer = setup.temperature {
          session.take(celsius: thermometer.celsius(Double(values[start + width - 1])), arrival: arrival)
        }
      }
      if !capture.hasTemperature { readTemperature(arrival) }
    }
    session.detach(device: index)
  }

  private func take(_ axes: ArraySlice<Int64>, timestamp: Timestamp?, arrival: Timestamp) {
    let isRepeat = axes.elementsEqual(newest)
    newest.replaceSubrange(newest.startIndex..., with: axes)
    let place = timeline.place(timestamp: timestamp, arrival: arrival, isRepeat: isRepeat)
    guard let place else { return }
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
    let period = Int64(1e9 / device.rate)
    var deadline = HostClock.read(.monotonic).nanoseconds
    var pause = Self.firstLook
    var nextLook = HostClock.now().advanced(bySeconds: pause)
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
      if arrival >= nextLook {
        if device.canBeCaptured(settings) { throw .improved }
        pause = min(2 * pause, Self.longestLook)
        nextLook = HostClock.now().advanced(bySeconds: pause)
      }
      // By the clock, not by the time since the last one: a late sample does not make the next one late.
      let now = HostClock.read(.monotonic).nanoseconds
      deadline = max(deadline + period, now)
      _ = session.ended.wait(atMost: Double(deadline - now) * 1e-9)
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
