import Navigation
import SensorEvents

// Layout of a version 1 event, little-endian: source u8, arrival i64, content u8, then the fields
// of that content in the order of their declaration. Values that may be missing follow a bit set
// that says which are there.

extension SensorEvent {
  private enum Tag: UInt8 {
    case inertial = 1
    case fix, sky, wheel, temperature, clocks, lost, status, pressure
  }

  func encode(to bytes: inout ByteEncoder) {
    bytes.append(source.rawValue)
    bytes.append(arrival)
    switch content {
    case .inertial(let reading):
      bytes.append(Tag.inertial.rawValue)
      bytes.append(reading.time)
      bytes.append(reading.clock.rawValue)
      bytes.append(reading.angularRate)
      bytes.append(reading.specificForce)
    case .fix(let reading):
      bytes.append(Tag.fix.rawValue)
      reading.encode(to: &bytes)
    case .sky(let reading):
      bytes.append(Tag.sky.rawValue)
      reading.encode(to: &bytes)
    case .wheel(let reading):
      bytes.append(Tag.wheel.rawValue)
      bytes.append(Presence([reading.time != nil, reading.yawRate != nil]).bits)
      bytes.append(reading.clock.rawValue)
      bytes.append(reading.speed)
      if let time = reading.time { bytes.append(time) }
      if let rate = reading.yawRate { bytes.append(rate) }
    case .pressure(let reading):
      bytes.append(Tag.pressure.rawValue)
      bytes.append(Presence([reading.time != nil]).bits)
      bytes.append(reading.clock.rawValue)
      bytes.append(reading.pressure)
      if let time = reading.time { bytes.append(time) }
    case .temperature(let celsius):
      bytes.append(Tag.temperature.rawValue)
      bytes.append(celsius)
    case .clocks(let comparison):
      bytes.append(Tag.clocks.rawValue)
      bytes.append(comparison.clock.rawValue)
      bytes.append(comparison.time)
      bytes.append(comparison.reference.rawValue)
      bytes.append(comparison.referenceTime)
      bytes.append(comparison.uncertainty)
      bytes.append(UInt8(comparison.isPulse ? 1 : 0))
    case .lost(let count):
      bytes.append(Tag.lost.rawValue)
      bytes.append(Int64(count))
    case .status(let status):
      bytes.append(Tag.status.rawValue)
      bytes.append(status.state.rawValue)
      bytes.append(status.message)
    }
  }

  /// Nil where the bytes are not such an event, or one of a kind that this version does not know.
  init?(from bytes: inout ByteDecoder) {
    let source = SourceID(bytes.integer())
    let arrival = bytes.time()
    guard let tag = Tag(rawValue: bytes.integer()), let content = Self.content(tag, &bytes), bytes.isComplete
    else { return nil }
    self.init(source: source, arrival: arrival, content: content)
  }

  private static func content(_ tag: Tag, _ bytes: inout ByteDecoder) -> Content? {
    switch tag {
    case .inertial:
      let time = bytes.time()
      guard let clock = ClockKind(rawValue: bytes.integer()) else { return nil }
      return .inertial(
        InertialReading(
          time: time, clock: clock, angularRate: bytes.vector(), specificForce: bytes.vector()))
    case .fix: return FixReading(from: &bytes).map { .fix($0) }
    case .sky: return SkyReading(from: &bytes).map { .sky($0) }
    case .wheel:
      let present = Presence(bits: bytes.integer())
      guard let clock = ClockKind(rawValue: bytes.integer()) else { return nil }
      let speed = bytes.double()
      return .wheel(
        WheelReading(
          time: present[0] ? bytes.time() : nil, clock: clock, speed: speed,
          yawRate: present[1] ? bytes.double() : nil))
    case .pressure:
      let present = Presence(bits: bytes.integer())
      guard let clock = ClockKind(rawValue: bytes.integer()) else { return nil }
      let pressure = bytes.double()
      return .pressure(
        PressureReading(time: present[0] ? bytes.time() : nil, clock: clock, pressure: pressure))
    case .temperature: return .temperature(celsius: bytes.double())
    case .clocks:
      guard let clock = ClockKind(rawValue: bytes.integer()) else { return nil }
      let time = bytes.time()
      guard let reference = ClockKind(rawValue: bytes.integer()) else { return nil }
      var comparison = ClockComparison(
        clock: clock, time: time, reference: reference, referenceTime: bytes.time(),
        uncertainty: bytes.integer())
      comparison.isPulse = bytes.integer(UInt8.self) != 0
      return .clocks(comparison)
    case .lost: return .lost(count: bytes.count())
    case .status:
      guard let state = SourceStatus.State(rawValue: bytes.integer()) else { return nil }
      return .status(SourceStatus(state, bytes.text()))
    }
  }
}

/// Which of up to 16 values are there.
struct Presence {
  let bits: UInt16

  init(bits: UInt16) { self.bits = bits }
  init(_ present: [Bool]) {
    bits = present.enumerated().reduce(0) { $0 | ($1.element ? 1 << UInt16($1.offset) : 0) }
  }

  subscript(_ index: Int) -> Bool { bits >> UInt16(index) & 1 == 1 }
}
