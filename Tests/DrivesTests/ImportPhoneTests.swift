import Drives
import Navigation
import TestParts
import Testing

/// NMEA 0183 and GnssLogger, by text as it is documented.
struct ImportPhoneTests {
  private func read(_ format: ImportFormat, _ text: String) throws -> DriveImport {
    let scratch = ScratchFolder()
    try scratch.put("log.txt", text)
    return try format.read(scratch("log.txt"))
  }

  private func sentence(_ body: String) -> String {
    let sum = String(body.utf8.reduce(0) { $0 ^ $1 }, radix: 16, uppercase: true)
    return "$\(body)*\(sum.utf8.count == 1 ? "0" : "")\(sum)\r\n"
  }

  @Test func sentencesOfOneTimeAreOneFix() throws {
    let log =
      sentence("GPGGA,115958.00,5230.0000,N,01324.0000,E,1,08,1.0,12.0,M,40.5,M,,")
      + sentence("GNRMC,115959.50,A,5230.6000,N,01324.0000,W,10.0,90.0,010326,,,A")
      + sentence("GNGGA,115959.50,5230.6000,N,01324.0000,W,4,12,0.7,10.0,M,40.0,M,,")
      + sentence("GNGST,115959.50,1.0,,,,1.5,2.5,3.5")
      + sentence("GNVTG,90.0,T,,M,10.0,N,18.0,K,A") + "some text between\r\n"
      + sentence("GNGGA,120000.50,5230.6000,S,01324.0000,E,0,00,,,M,,M,,")
      + sentence("GNGGA,120001.50,5230.6000,S,01324.0000,E,1,05,1.0,10.0,M,,M,,")
      + "$GNRMC,115959.50,A*00\r\n"
    let drive = try read(.nmea, log)
    #expect(drive.fixes.count == 2 && drive.isUTC)
    let (first, second) = (drive.fixes[0], drive.fixes[1])
    // date -u -d '2026-03-01 11:59:59.5' +%s
    #expect(first.time.nanoseconds == 1_772_366_399_500_000_000)
    #expect(
      isNear(first.position.latitudeDegrees, 52.51, 1e-12)
        && isNear(first.position.longitudeDegrees, -13.4, 1e-12))
    #expect(first.position.height == 50 && first.positionSigma == Vector3(1.5, 2.5, 3.5))
    #expect(isNear(first.velocityNED?.y, 5, 1e-12) && isNear(first.velocityNED?.x, 0, 1e-12), "VTG after RMC")
    #expect(isNear(second.position.latitudeDegrees, -52.51, 1e-12) && second.velocityNED == nil)
    #expect(second.time.nanoseconds - first.time.nanoseconds == 2_000_000_000, "the date goes on")
    #expect(drive.rejections[0].rejected == 1, "a wrong checksum")
    for note in [
      "1 times are without a fix", "1 fixes before the first date", "1 heights above sea level",
      "1 lines are no",
    ] {
      #expect(drive.notes.contains { $0.hasPrefix(note) }, "\(note): \(drive.notes)")
    }
  }

  @Test func aReceiversOwnDateGoesOverMidnight() throws {
    let drive = try read(
      .nmea,
      sentence("GNRMC,235959.00,A,5230.0,N,01324.0,E,0.0,,280226,,,A")
        + sentence("GNGGA,000000.00,5230.0,N,01324.0,E,1,08,1.0,12.0,M,40.5,M,,"))
    #expect(drive.fixes.count == 2)
    #expect(drive.fixes[1].time.nanoseconds == 1_772_323_200_000_000_000)
    #expect(drive.fixes[0].velocityNED?.horizontalNorm == 0, "no course at rest")
  }

  @Test(arguments: ["9930.0,N,01324.0,E", "9000.1,S,01324.0,E", "5230.0,N,18001.0,W"])
  func placesThatAreNotOnEarthAreCounted(place: String) throws {
    let drive = try read(
      .nmea,
      sentence("GNRMC,115958.00,A,5230.0,N,01324.0,E,0.0,,010326,,,A")
        + sentence("GNGGA,115958.00,\(place),1,08,1.0,12.0,M,40.5,M,,")
        + sentence("GNRMC,115959.00,A,\(place),10.0,90.0,010326,,,A")
        + sentence("GNRMC,120000.00,A,9000.0,N,18000.0,W,0.0,,010326,,,A"))
    #expect(drive.fixes.map { ($0.position.latitudeDegrees * 10).rounded() } == [525, 900])
    #expect(drive.rejections[0].rejected == 2)
    #expect(drive.rejections[0].remark?.contains("latitude beyond 90°") == true)
  }

  /// Of a number that the log ends in some digits may be missing.
  @Test func aSentenceThatTheFileEndsInIsLeftOut() throws {
    let whole = sentence("GNRMC,115958.00,A,5230.0,N,01324.0,E,10.0,90.0,010326,,,A")
    let cut = "$GNRMC,115959.00,A,5230.0,N,01324.0,E,1"
    let drive = try read(.nmea, whole + cut)
    #expect(drive.fixes.count == 1 && drive.rejections[0].rejected == 1)
    // One that lacks its checksum, as some receivers', is whole where a line end says so.
    #expect(try read(.nmea, whole + cut + "\r\n").fixes.count == 2)
    #expect(try read(.nmea, String(whole.dropLast())).rejections.first?.rejected ?? 0 == 0)
  }

  /// As live: dead reckoning (E, 6), a place set by hand (M, 7) and a simulated one (S, 8) are no fixes.
  @Test(arguments: [
    ("A", 1, true), ("D", 2, true), ("E", 6, false), ("M", 7, false), ("S", 8, false), ("", 6, false),
    ("E", 1, false),
  ])
  func whatSatellitesDidNotMeasureIsLeftOut(mode: String, quality: Int, isMeasured: Bool) throws {
    let drive = try read(
      .nmea,
      sentence("GNRMC,115958.00,A,5230.0,N,01324.0,E,0.0,,010326,,,A")
        + sentence("GNRMC,115959.00,A,5230.6,N,01324.0,E,10.0,90.0,010326,,,\(mode)")
        + sentence("GNGGA,115959.00,5230.6,N,01324.0,E,\(quality),12,0.7,10.0,M,40.0,M,,"))
    #expect(drive.fixes.count == (isMeasured ? 2 : 1))
    #expect(drive.notes.contains { $0.hasPrefix("1 positions were not measured") } == !isMeasured)
  }

  @Test(arguments: ["", "no sentence\n", "$GPGGA,1,2*00\n", "$GNRMC,,V,,,,,,,,,,N*4D\n"])
  func aFileWithoutAFixIsAnError(text: String) {
    #expect(driveError { _ = try read(.nmea, text) } != nil)
  }

  @Test func filesOfGnssLoggerAreRead() throws {
    var log = """
      # Header Description:
      # Version: v3.0.6.4 Platform: 13 Manufacturer: some Model: phone
      #
      # Raw,utcTimeMillis,TimeNanos,LeapSecond
      # UncalAccel,utcTimeMillis,elapsedRealtimeNanos,UncalAccelXMps2,UncalAccelYMps2,UncalAccelZMps2,BiasXMps2,BiasYMps2,BiasZMps2
      # UncalGyro,utcTimeMillis,elapsedRealtimeNanos,UncalGyroXRadPerSec,UncalGyroYRadPerSec,UncalGyroZRadPerSec,DriftXRadPerSec
      # Fix,Provider,LatitudeDegrees,LongitudeDegrees,AltitudeMeters,SpeedMps,AccuracyMeters,BearingDegrees,UnixTimeMillis,SpeedAccuracyMps,BearingAccuracyDegrees,elapsedRealtimeNanos,VerticalAccuracyMeters
      Raw,1,2,3

      """
    for i in 0..<20 {
      let (utc, elapsed) = (1_772_366_400_000 + i * 10, 5_000_000_000 + i * 10_000_000)
      log +=
        "UncalAccel,\(utc),\(elapsed),0.5,9.75,\(i),0,0,0\nUncalGyro,\(utc),\(elapsed),0.25,-0.5,\(i),0\n"
      if i % 10 == 0 {
        log += "Fix,GPS,52.5,13.4,80.5,5,3.0192,90,\(utc),0.5,2,\(elapsed),4\n"
        log += "Fix,FLP,52.6,13.4,80.5,5,3,90,\(utc),0.5,2,\(elapsed),4\n"
      }
    }
    log += "Fix,GPS,not a number,13.4,80.5,5,3,90,1772366400990,0.5,2,1,4\n"
    let drive = try read(.gnsslogger, log)
    #expect(drive.fixes.count == 2 && drive.inertial.count == 20)
    let fix = drive.fixes[1]
    #expect(fix.time.nanoseconds == 1_772_366_400_100_000_000 && fix.position.height == 80.5)
    #expect(isNear(fix.positionSigma?.x, 2, 1e-12) && fix.positionSigma?.z == 4 && fix.speedSigma == 0.5)
    #expect(isNear(fix.velocityNED?.y, 5, 1e-12))
    let sample = drive.inertial[3]
    #expect(sample.time.nanoseconds == 1_772_366_400_030_000_000)
    #expect(sample.angularRate == Vector3(0.25, -0.5, 3) && sample.specificForce == Vector3(0.5, 9.75, 3))
    #expect(drive.notes.contains { $0.contains("2 fixes of another provider, FLP") })
    #expect(
      drive.rejections[0].rejected == 1
        && drive.rejections[0].first.map { "\($0)" }?.contains("LatitudeDegrees") == true)
  }

  /// The header of the first versions, names without units; and a fix that a program made up.
  @Test func firstVersionsOfGnssLoggerAreRead() throws {
    let drive = try read(
      .gnsslogger,
      """
      # Fix,Provider,Latitude,Longitude,Altitude,Speed,Accuracy,(UTC)TimeInMs
      Fix,gps,37.422541,-122.081659,-33.000000,2.500000,3.000000,1467321969000
      Fix,gps,37.422542,-122.081659,-33.000000,0.000000,3.000000,1467321970000

      """)
    #expect(drive.fixes.count == 2)
    let fix = drive.fixes[0]
    #expect(fix.time.nanoseconds == 1_467_321_969_000_000_000 && fix.position.height == -33)
    #expect(
      isNear(fix.positionSigma?.x, 3 / 1.5096, 1e-12) && fix.velocityNED == nil, "a speed without a course")
    #expect(drive.fixes[1].velocityNED?.horizontalNorm == 0)
    let mocked = try read(
      .gnsslogger,
      """
      # Fix,Provider,LatitudeDegrees,LongitudeDegrees,AltitudeMeters,SpeedMps,AccuracyMeters,BearingDegrees,UnixTimeMillis,SpeedAccuracyMps,BearingAccuracyDegrees,elapsedRealtimeNanos,VerticalAccuracyMeters,MockLocation
      Fix,gps,52.17132169,0.1711431,86.537353515625,1.05,35.74975,324.2,1741096809398,1.2041595,43.867138,327904097670807,20.321562,0
      Fix,gps,52.2,0.2,86.5,1.05,35.7,324.2,1741096810398,1.2,43.8,327905097670807,20.3,1
      Fix,nlp,52.2,0.2,,,400.0,,1741096811398,,,327906097670807,,0

      """)
    #expect(mocked.fixes.count == 1 && mocked.fixes[0].position.height == 86.537353515625)
    #expect(isNear(mocked.fixes[0].courseSigma, 43.867138 * .pi / 180, 1e-12))
    #expect(mocked.notes.contains { $0.hasPrefix("1 fixes that a program made up") }, "\(mocked.notes)")
  }
}
