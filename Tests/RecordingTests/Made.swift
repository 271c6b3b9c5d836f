import Foundation
import Navigation
import SensorEvents

import Recording
import TestParts

/// Events of every kind with values of every sort, the same for the same seed.
struct MadeEvents {
  private var dice: Dice

  init(seed: UInt64) { dice = Dice(seed: seed) }

  mutating func bits() -> UInt64 { dice.next() }

  mutating func chance() -> Bool { bits() & 1 == 1 }

  mutating func number() -> Double {
    switch bits() % 12 {
    case 0: .nan
    case 1: -0.0
    case 2: .infinity
    case 3: .leastNonzeroMagnitude
    default: Double(bitPattern: bits())
    }
  }

  mutating func time() -> Timestamp { Timestamp(nanoseconds: Int64(bitPattern: bits())) }
  mutating func vector() -> Vector3 { Vector3(number(), number(), number()) }
  mutating func clock() -> ClockKind { ClockKind.allCases[Int(bits() % UInt64(ClockKind.allCases.count))] }

  mutating func event(_ kind: Int) -> SensorEvent {
    SensorEvent(source: SourceID(UInt8(bits() & 255)), arrival: time(), content: content(kind % 9))
  }

  private mutating func content(_ kind: Int) -> SensorEvent.Content {
    switch kind {
    case 0:
      return .inertial(
        InertialReading(time: time(), clock: clock(), angularRate: vector(), specificForce: vector()))
    case 1: return .fix(fix())
    case 2: return .sky(sky())
    case 3:
      return .wheel(
        WheelReading(
          time: chance() ? time() : nil, clock: clock(), speed: number(), yawRate: chance() ? number() : nil))
    case 4: return .temperature(celsius: number())
    case 5:
      var comparison = ClockComparison(
        clock: clock(), time: time(), reference: clock(), referenceTime: time(),
        uncertainty: Int64(bitPattern: bits()))
      comparison.isPulse = chance()
      return .clocks(comparison)
    case 8:
      return .pressure(PressureReading(time: chance() ? time() : nil, clock: clock(), pressure: number()))
    case 6: return .lost(count: Int(bits() % 1_000_000))
    default: return .status(SourceStatus(.faulty, chance() ? "Kreisel steht: 0 °/s 🚗" : ""))
    }
  }

  private mutating func fix() -> FixReading {
    var fix = GNSSFix(
      time: time(), received: chance() ? time() : nil,
      position: GeodeticPosition(latitude: number(), longitude: number(), height: number()),
      positionSigma: chance() ? vector() : nil, velocityNED: chance() ? vector() : nil)
    if chance() { fix.speedSigma = number() }
    if chance() { fix.courseSigma = number() }
    var reading = FixReading(fix: fix, dimensions: chance() ? .three : .none)
    if chance() { reading.heightAboveSeaLevel = number() }
    reading.isCorrected = chance()
    return reading
  }

  private mutating func sky() -> SkyReading {
    let count = Int(bits() % 5)
    return SkyReading(
      visible: count, used: Int(bits() % 3), hdop: chance() ? number() : nil,
      satellites: (0..<count).map { _ in
        SkyReading.Satellite(
          constellation: UInt8(bits() % 7), number: Int16(truncatingIfNeeded: bits()),
          elevationDegrees: chance() ? number() : nil, azimuthDegrees: chance() ? number() : nil,
          strength: chance() ? number() : nil, isUsed: chance())
      })
  }

  /// `count` items, most of them events.
  static func items(_ count: Int, seed: UInt64 = 1) -> [RecordedItem] {
    var made = MadeEvents(seed: seed)
    return (0..<count).map { i in i % 9 == 8 ? .tick(made.time()) : .event(made.event(i)) }
  }
}

extension RecordedItem {
  /// The item as bytes: unlike `==` that tells NaN from NaN and 0 from −0.
  var exactBytes: [UInt8] {
    var bytes = ByteEncoder()
    bytes.append(kind.rawValue)
    encode(to: &bytes)
    return bytes.bytes
  }
}

/// All of a recording.
struct Contents {
  var headers: [SegmentHeader?] = []
  var items: [RecordedItem] = []
  var report = RecordingReport()

  init(_ path: String) throws {
    var reader = try RecordingReader(path: path)
    while let entry = try reader.next() {
      switch entry {
      case .segment(let header): headers.append(header)
      case .item(let item): items.append(item)
      }
    }
    report = reader.report
  }

  /// Events and ticks by their bytes.
  var exact: [[UInt8]] { items.filter(\.isCounted).map(\.exactBytes) }
  /// What the recorder says was lost.
  var lost: Int { items.reduce(0) { if case .lost(let count, _) = $1 { $0 + count } else { $0 } } }
}

/// Waits for what another thread does, at most 10 s.
func eventually(_ condition: () -> Bool) -> Bool {
  for _ in 0..<2000 {
    if condition() { return true }
    usleep(5000)
  }
  return condition()
}

extension RecordingSettings {
  /// The defaults at a pace for tests.
  static var brisk: RecordingSettings {
    var settings = RecordingSettings()
    settings.pollSeconds = 0.002
    settings.retrySeconds = 0.02
    settings.syncSeconds = 0.02
    settings.snapshotSeconds = 0.05
    return settings
  }
}
