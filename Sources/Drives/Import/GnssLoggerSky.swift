import Navigation

/// The satellites of a GnssLogger file: `Status` rows, which say where they stand, or where there are none the `Raw` ones, which
/// say how strong they are.
struct GnssLoggerSky {
  /// Of android.location.GnssStatus, from 1: GPS, SBAS, GLONASS, QZSS, BeiDou, Galileo, NavIC.
  private static let constellations: [UInt8] = [0, 1, 6, 5, 3, 2, 7]

  private var status = SkySeries(), raw = SkySeries()
  /// That of the last fix, for rows without a time of their own.
  var lastTime: Timestamp?

  var samples: [SatelliteSample] { status.samples.isEmpty ? raw.samples : status.samples }

  mutating func add(_ rows: borrowing TextRows, _ columns: ColumnIndex) throws(DriveError) {
    guard let kind = columns.find("ConstellationType"), let id = columns.find("Svid") else { return }
    let constellation = try rows.number(kind, "ConstellationType")
    let number = try rows.number(id, "Svid")
    guard let time = try time(rows, columns), (1...7).contains(constellation), (1...999).contains(number)
    else { return }
    var seen = SatelliteSample(
      time: time, constellation: Self.constellations[Int(constellation) - 1], number: Int16(number))
    func value(_ name: String) throws(DriveError) -> Double? {
      guard let column = columns.find(name) else { return nil }
      return try rows.number(column, name).known
    }
    seen.strength = try value("Cn0DbHz")
    guard rows.text(0) == "Status" else {
      raw.append(seen)
      return
    }
    seen.elevationDegrees = try value("ElevationDegrees")
    seen.azimuthDegrees = try value("AzimuthDegrees")
    seen.isUsed = try value("UsedInFix").map { $0 != 0 }
    status.append(seen)
  }

  private func time(_ rows: borrowing TextRows, _ columns: ColumnIndex) throws(DriveError) -> Timestamp? {
    guard let column = columns.find("UnixTimeMillis", "utcTimeMillis"), !rows.text(column).isEmpty else {
      return lastTime
    }
    return try rows.time(column, "UnixTimeMillis", exponent: 6)
  }
}
