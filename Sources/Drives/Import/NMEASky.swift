import Navigation

/// What GSV and GSA of one time say: where satellites stand, how strong they are, and which the fix uses.
struct NMEASky {
  private static let talkers: [String: UInt8] = [
    "GP": 0, "GA": 2, "GB": 3, "BD": 3, "GQ": 5, "QZ": 5, "GL": 6, "GI": 7,
  ]
  /// System identifiers of GSA since NMEA 4.10, from 1.
  private static let systems: [UInt8] = [0, 6, 2, 3, 5, 7]

  private var series = SkySeries()
  private var used: [SatelliteSample] = []
  private var hasUse = false

  mutating func take(_ s: NMEASentenceReader) {
    let zero = Timestamp(nanoseconds: 0)
    if s.name == "GSV" {
      // Four fields a satellite; since NMEA 4.10 a number of the signal may stand behind the last.
      for first in stride(from: 4, to: s.count - 3, by: 4) {
        guard let number = s.number(first),
          var seen = SatelliteNumber.satellite(
            Int(clampingFinite: number), of: Self.talkers[s.talker], at: zero)
        else { continue }
        seen.elevationDegrees = s.number(first + 1).flatMap { abs($0) <= 90 ? $0 : nil }
        seen.azimuthDegrees = s.number(first + 2).flatMap { (0...360).contains($0) ? $0 : nil }
        seen.strength = s.number(first + 3).flatMap { $0 > 0 ? $0 : nil }
        series.append(seen)
      }
    } else if s.name == "GSA" {
      hasUse = true
      let system = s.number(18).map { Int(clampingFinite: $0) - 1 }
      let constellation =
        system.flatMap { Self.systems.indices.contains($0) ? Self.systems[$0] : nil }
        ?? Self.talkers[s.talker]
      used += (3...14).compactMap { place in
        s.number(place).flatMap {
          SatelliteNumber.satellite(Int(clampingFinite: $0), of: constellation, at: zero)
        }
      }
    }
  }

  /// All of them, at `time`.
  func samples(at time: Timestamp) -> [SatelliteSample] {
    series.samples.map { seen in
      var seen = seen
      seen.time = time
      if hasUse {
        seen.isUsed = used.contains { $0.constellation == seen.constellation && $0.number == seen.number }
      }
      return seen
    }
  }
}

extension Int {
  /// The whole part of `value`; 0 where that is no number that fits.
  fileprivate init(clampingFinite value: Double) { self = abs(value) < 1e9 ? Int(value) : 0 }
}
