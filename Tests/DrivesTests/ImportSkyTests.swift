import Drives
import Foundation
import Navigation
import TestParts
import Testing

/// What gpsd, NMEA 0183 and GnssLogger say of the satellites.
struct ImportSkyTests {
  private func read(_ format: ImportFormat, _ lines: [String]) throws -> [SatelliteSample] {
    let scratch = ScratchFolder()
    try scratch.put("log.txt", lines.joined(separator: "\n") + "\n")
    return try format.read(scratch("log.txt")).sky
  }

  private func sentence(_ body: String) -> String {
    let sum = String(body.utf8.reduce(0) { $0 ^ $1 }, radix: 16, uppercase: true)
    return "$\(body)*\(sum.utf8.count == 1 ? "0" : "")\(sum)"
  }

  private func sample(
    _ second: Int64, _ constellation: UInt8, _ number: Int16, _ angles: (Double, Double)?,
    _ strength: Double?,
    _ isUsed: Bool?
  ) -> SatelliteSample {
    var sample = SatelliteSample(
      time: Timestamp(nanoseconds: second * 1_000_000_000), constellation: constellation, number: number)
    (sample.elevationDegrees, sample.azimuthDegrees) = (angles?.0, angles?.1)
    (sample.strength, sample.isUsed) = (strength, isUsed)
    return sample
  }

  /// Versions with gnssid and without, with a time of its own and without, and in two parts.
  @Test func skiesOfGpsdAreRead() throws {
    let sky = try read(
      .gpsd,
      [
        #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2026-03-01T12:00:00.000Z","lat":52.5,"lon":13.4,"altHAE":40}"#,
        #"{"class":"SKY","device":"/dev/a","satellites":[{"PRN":5,"el":30,"az":120,"ss":41.5,"used":true},{"PRN":70,"ss":0,"used":false}]}"#,
        #"{"class":"SKY","device":"/dev/b","satellites":[{"PRN":9,"used":true}]}"#,
        #"{"class":"SKY","device":"/dev/a","time":"2026-03-01T12:00:01.000Z","uSat":1}"#,
        #"{"class":"SKY","device":"/dev/a","time":"2026-03-01T12:00:01.000Z","satellites":[{"PRN":301,"gnssid":2,"svid":1,"el":91,"az":5,"ss":30,"used":false}]}"#,
        #"{"class":"SKY","device":"/dev/a","time":"2026-03-01T12:00:01.000Z","satellites":[{"PRN":301,"gnssid":2,"svid":1,"el":12,"az":5,"ss":28,"used":true}]}"#,
      ])
    let start: Int64 = 1_772_366_400
    #expect(
      sky == [
        sample(start, 0, 5, (30, 120), 41.5, true), sample(start, 6, 6, nil, nil, false),
        {
          var galileo = sample(start + 1, 2, 1, (12, 5), 30, true)
          galileo.azimuthDegrees = 5
          return galileo
        }(),
      ])
  }

  /// Talkers, signals of one satellite, and what GSA says of use.
  @Test func satellitesOfNMEAAreRead() throws {
    let sky = try read(
      .nmea,
      [
        sentence("GNRMC,120000.00,A,5230.0,N,01324.0,E,0.0,,010326,,,A"),
        sentence("GNGSA,A,3,05,,,,,,,,,,,,1.5,1.0,1.1,1"), sentence("GNGSA,A,3,70,,,,,,,,,,,,1.5,1.0,1.1,2"),
        sentence("GPGSV,1,1,03,05,30,120,41,07,10,200,,40,20,180,33,1"),
        sentence("GPGSV,1,1,01,05,30,120,44,8"), sentence("GLGSV,1,1,02,70,15,010,28,08,,,25,1"),
        sentence("GAGSV,1,1,01,05,60,090,39,7"), sentence("GBGSV,1,1,01,33,45,045,30,1"),
        sentence("GNRMC,120001.00,A,5230.0,N,01324.0,E,0.0,,010326,,,A"),
      ])
    let start: Int64 = 1_772_366_400
    #expect(
      sky == [
        sample(start, 0, 5, (30, 120), 44, true), sample(start, 0, 7, (10, 200), nil, false),
        sample(start, 1, 127, (20, 180), 33, false), sample(start, 6, 6, (15, 10), 28, true),
        sample(start, 6, 8, nil, 25, false), sample(start, 2, 5, (60, 90), 39, false),
        sample(start, 3, 33, (45, 45), 30, false),
      ])
  }

  /// Status rows, of which some have no time; Raw ones where there are no others.
  @Test func satellitesOfPhonesAreRead() throws {
    let fixes = [
      "# Fix,Provider,LatitudeDegrees,LongitudeDegrees,AltitudeMeters,UnixTimeMillis",
      "Fix,GPS,52.5,13.4,40,1772366400000",
    ]
    let status = [
      "# Status,UnixTimeMillis,SignalCount,SignalIndex,ConstellationType,Svid,CarrierFrequencyHz,Cn0DbHz,"
        + "AzimuthDegrees,ElevationDegrees,UsedInFix",
      "Status,,2,0,1,5,1575420030,41.5,120,30,1", "Status,,2,1,1,5,1176450050,38,120,30,0",
      "Status,1772366401000,1,0,6,11,1575420030,33,20.5,70,0",
      "Status,1772366401000,1,0,9,11,1575420030,33,20.5,70,0",
    ]
    let raw = ["# Raw,utcTimeMillis,Svid,Cn0DbHz,ConstellationType", "Raw,1772366400000,3,29.5,5"]
    let start: Int64 = 1_772_366_400
    #expect(
      try read(.gnsslogger, fixes + status + raw) == [
        sample(start, 0, 5, (30, 120), 41.5, true), sample(start + 1, 2, 11, (70, 20.5), 33, false),
      ])
    #expect(try read(.gnsslogger, fixes + raw) == [sample(start, 3, 3, nil, 29.5, nil)])
  }

  /// Rows as a phone writes them, without a time and with all fourteen cells; numbers
  /// and angles that cannot be.
  @Test func rowsOfPhonesAreChecked() throws {
    let scratch = ScratchFolder()
    let status =
      "# Status,UnixTimeMillis,SignalCount,SignalIndex,ConstellationType,Svid,CarrierFrequencyHz,Cn0DbHz,AzimuthDegrees,"
      + "ElevationDegrees,UsedInFix,HasAlmanacData,HasEphemerisData,BasebandCn0DbHz"
    let rows = [
      "1,18,1575420030,45.1,120.0,47.0,1,1,1,41.2", "4,195,1575420030,38.0,90.0,60.0,1,1,1,34.0",
      "3,93,1602000000,22.0,10.0,5.0,0,1,1,18.0", "5,6,1561098000,0.0,511.0,91.0,0,1,1,0.0",
      "0,6,1575420030,30,1,1,1,1,1,1", "1,33,1575420030,30,1,1,1,1,1,1", "6,37,1575420030,30,1,1,1,1,1,1",
    ]
    let fix = [
      "# Fix,Provider,LatitudeDegrees,LongitudeDegrees,UnixTimeMillis", "Fix,gps,52.5,13.4,1772366400000",
    ]
    let lines = [status, "Status,,7,0,\(rows[0])"] + fix + rows.map { "Status,,7,0," + $0 }
    try scratch.put("log.txt", lines.joined(separator: "\n") + "\n")
    let drive = try ImportFormat.gnsslogger.read(scratch("log.txt"))
    let start: Int64 = 1_772_366_400
    #expect(
      drive.sky == [
        sample(start, 0, 18, (47, 120), 45.1, true), sample(start, 5, 3, (60, 90), 38, true),
        sample(start, 6, 93, (5, 10), 22, false), sample(start, 3, 6, nil, nil, false),
      ])
    #expect(drive.notes.contains { $0.hasPrefix("3 rows of satellites have a constellation or a number") })
    #expect(drive.notes.contains { $0.hasPrefix("1 rows of satellites stand before") }, "\(drive.notes)")
  }
}
