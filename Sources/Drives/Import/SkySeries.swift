import Navigation

/// Satellites of one time after the other; several signals of one satellite become one row, with the
/// strength of the strongest.
struct SkySeries {
  private(set) var samples: [SatelliteSample] = []
  /// Where those of the newest time begin.
  private var start = 0

  mutating func append(_ sample: SatelliteSample) {
    if let last = samples.last, last.time != sample.time { start = samples.count }
    let known = samples[start...].firstIndex {
      $0.constellation == sample.constellation && $0.number == sample.number
    }
    guard let known else {
      samples.append(sample)
      return
    }
    samples[known].elevationDegrees = samples[known].elevationDegrees ?? sample.elevationDegrees
    samples[known].azimuthDegrees = samples[known].azimuthDegrees ?? sample.azimuthDegrees
    samples[known].strength = [samples[known].strength, sample.strength].compactMap(\.self).max()
    samples[known].isUsed = [samples[known].isUsed, sample.isUsed].compactMap(\.self).max { !$0 && $1 }
  }
}

/// Which satellite a number of NMEA 0183, or of gpsd's `PRN`, is.
enum SatelliteNumber {
  /// NMEA 0183 4.11, table of satellite numbers, with the extensions that receivers use: the first number,
  /// the last, gpsd's number of the constellation, and what is to be taken off.
  private static let ranges: [(numbers: ClosedRange<Int>, constellation: UInt8, offset: Int)] = [
    (1...32, 0, 0), (33...64, 1, -87), (65...96, 6, 64), (120...158, 1, 0), (193...200, 5, 192),
    (201...263, 3, 200), (301...336, 2, 300), (401...463, 3, 400),
  ]

  /// The satellite that `number` is among those of `constellation`, where that is known.
  static func satellite(
    _ number: Int, of constellation: UInt8?, at time: Timestamp
  ) -> SatelliteSample? {
    guard (1...999).contains(number) else { return nil }
    let range = ranges.first { $0.numbers.contains(number) }
    // What speaks for GPS speaks for SBAS and QZSS too.
    if let range,
      constellation == nil || constellation == range.constellation
        || constellation == 0 && [1, 5].contains(range.constellation)
    {
      return SatelliteSample(
        time: time, constellation: range.constellation, number: Int16(number - range.offset))
    }
    return constellation.map { SatelliteSample(time: time, constellation: $0, number: Int16(number)) }
  }
}
