import Navigation

/// The satellites of a GnssLogger file: `Status` rows, which say where they stand, or where there are none
/// the `Raw` ones, which say how strong they are.
struct GnssLoggerSky {
  /// Of android.location.GnssStatus, from 1: GPS, SBAS, GLONASS, QZSS, BeiDou, Galileo, NavIC. gpsd's number,
  /// which numbers there are (GLONASS has 93 to 106, which are channels, for a satellite whose slot is not
  /// known), and what is to be taken off for the number within the constellation.
  private static let constellations: [(id: UInt8, numbers: ClosedRange<Double>, offset: Int16)] = [
    (0, 1...32, 0), (1, 120...192, 0), (6, 1...106, 0), (5, 183...206, 192), (3, 1...63, 0), (2, 1...36, 0),
    (7, 1...14, 0),
  ]

  private var status = SkySeries(), raw = SkySeries()
  /// That of the last fix, for rows without a time of their own.
  var lastTime: Timestamp?
  /// Rows of satellites that there are none of, and rows ahead of the first time.
  private var unknown = 0, untimed = 0

  var samples: [SatelliteSample] { status.samples.isEmpty ? raw.samples : status.samples }

  /// What was left out, in sentences.
  var notes: [String] {
    [
      (unknown, "have a constellation or a number that no satellite has"),
      (untimed, "stand before the first row with a time"),
    ].filter { $0.0 > 0 }.map { "\($0.0) rows of satellites \($0.1) and were left out" }
  }

  mutating func add(_ rows: borrowing TextRows, _ columns: ColumnIndex) throws(DriveError) {
    guard let kind = columns.find("ConstellationType"), let id = columns.find("Svid") else { return }
    let constellation = try rows.number(kind, "ConstellationType")
    let number = try rows.number(id, "Svid")
    guard let seen = Self.satellite(constellation, number) else {
      unknown += 1
      return
    }
    guard let time = try time(rows, columns) else {
      untimed += 1
      return
    }
    var sample = SatelliteSample(time: time, constellation: seen.constellation, number: seen.number)
    func value(_ name: String) throws(DriveError) -> Double {
      guard let column = columns.find(name) else { return .nan }
      return try rows.number(column, name)
    }
    sample.strength = SatelliteSample.strength(try value("Cn0DbHz"))
    guard rows.text(0) == "Status" else {
      raw.append(sample)
      return
    }
    sample.elevationDegrees = SatelliteSample.elevation(try value("ElevationDegrees"))
    sample.azimuthDegrees = SatelliteSample.azimuth(try value("AzimuthDegrees"))
    sample.isUsed = try value("UsedInFix").known.map { $0 != 0 }
    status.append(sample)
  }

  private static func satellite(_ kind: Double, _ number: Double) -> (constellation: UInt8, number: Int16)? {
    guard kind >= 1, kind <= Double(constellations.count) else { return nil }
    let constellation = constellations[Int(kind) - 1]
    guard constellation.numbers.contains(number) else { return nil }
    let within = Int16(number) - constellation.offset
    // QZSS's own corrections are sent under numbers below those of its satellites.
    return (constellation.id, within > 0 ? within : Int16(number))
  }

  private func time(_ rows: borrowing TextRows, _ columns: ColumnIndex) throws(DriveError) -> Timestamp? {
    guard let column = columns.find("UnixTimeMillis", "utcTimeMillis"), !rows.text(column).isEmpty else {
      return lastTime
    }
    return try rows.time(column, "UnixTimeMillis", exponent: 6)
  }
}
