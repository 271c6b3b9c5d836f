import Foundation
import Navigation
import TestParts
import Testing

import Drives

struct ImportGPSDTests {
  /// Lines as gpsd 3.22 writes them for u-blox and NMEA receivers.
  private static let lines = [
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#,
    #"{"class":"TPV","device":"/dev/ttyACM0","mode":1}"#,
    #"{"class":"SKY","device":"/dev/ttyACM0","hdop":1.01,"satellites":[{"PRN":2,"el":5.0,"used":false}]}"#,
    #"{"class":"TPV","device":"/dev/ttyACM0","mode":2,"time":"2021-05-26T16:52:44.000Z","lat":51.5,"lon":-0.25,"altHAE":3.0,"eph":2.0}"#,
    #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2021-05-26T16:52:44.000Z","lat":51.5,"lon":-0.25,"altHAE":53.25,"altMSL":7.5,"epx":3.0,"epy":4.0,"eph":5.0,"epv":2.5,"velN":1.5,"velE":-2.0,"velD":0.5}"#,
    #"{"class":"TPV","device":"/dev/ttyUSB9","mode":3,"time":"2021-05-26T16:52:44.500Z","lat":10,"lon":10,"altHAE":1}"#,
    #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2021-05-26T16:52:45.125Z","lat":51.5001,"lon":-0.2501,"altMSL":8.0,"geoidSep":45.5,"epx":9.8,"epy":19.6,"epv":39.2,"track":90.0,"speed":4.0}"#,
    #"{"class":"GST","device":"/dev/ttyACM0","time":"2021-05-26T16:52:46.000Z","rms":2.0,"major":1,"minor":1,"lat":1.5,"lon":0.5,"alt":3.5}"#,
    #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2021-05-26T16:52:46.000Z","lat":51.5002,"lon":-0.2502,"alt":9.0,"eph":19.19,"speed":0.02}"#,
    #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"lat":51.5002,"lon":-0.2502,"alt":9.0}"#,
  ]

  private func read(_ lines: [String]) throws -> DriveImport {
    let scratch = ScratchFolder()
    try scratch.put("log.json", lines.joined(separator: "\n") + "\n")
    return try ImportFormat.gpsd.read(scratch("log.json"))
  }

  @Test func reportsBecomeFixes() throws {
    let drive = try read(Self.lines)
    #expect(drive.fixes.count == 3)
    let (first, second, third) = (drive.fixes[0], drive.fixes[1], drive.fixes[2])
    // date -u -d 2021-05-26T16:52:44 +%s
    #expect(first.time.nanoseconds == 1_622_047_964_000_000_000)
    #expect(first.position.height == 53.25, "the later report of an epoch knows more")
    #expect(first.velocityNED == Vector3(1.5, -2, 0.5))
    // The receiver's own 5 m, shared out 4 to 3.
    #expect(first.positionSigma == Vector3(4, 3, 2.5))
    #expect(second.time.nanoseconds - first.time.nanoseconds == 1_125_000_000)
    #expect(second.position.height == 53.5, "above sea level and geoid")
    let sigma = try #require(second.positionSigma)
    #expect((sigma - Vector3(10, 5, 20)).norm < 1e-9, "95 % figures of gpsd's own")
    let velocity = try #require(second.velocityNED)
    #expect(abs(velocity.x) < 1e-12 && abs(velocity.y - 4) < 1e-12 && velocity.z.isNaN)
    #expect(abs(third.position.height - (9 + 45.9)) < 0.5, "above sea level, and the geoid of EGM96")
    #expect(drive.notes.contains { $0.contains("brought to the ellipsoid by EGM96") })
    #expect(third.positionSigma == Vector3(1.5, 0.5, 3.5), "of GST")
    #expect(third.velocityNED?.x == 0 && third.velocityNED?.y == 0)
    #expect(drive.notes.contains { $0.contains("/dev/ttyUSB9") })
    #expect(drive.notes.contains { $0.hasPrefix("1 reports say that there is no fix") })
    #expect(drive.notes.contains { $0.hasPrefix("1 fixes have no time") })
    #expect(drive.rejections.map(\.rejected) == [0])
  }

  /// As live: what satellites did not measure is no fix, and is said where it is left out.
  @Test(arguments: [
    (5, false), (7, false), (8, false), (1, true), (2, true), (4, true), (6, true), (99, true),
  ])
  func whatSatellitesDidNotMeasureIsLeftOut(status: Int, isMeasured: Bool) throws {
    let drive = try read([
      #"{"class":"TPV","mode":3,"time":"2021-05-26T16:52:46.000Z","lat":51,"lon":0,"altHAE":1}"#,
      #"{"class":"TPV","status":\#(status),"mode":3,"time":"2021-05-26T16:52:47.000Z","lat":51,"lon":0,"altHAE":1}"#,
    ])
    #expect(drive.fixes.count == (isMeasured ? 2 : 1))
    #expect(drive.notes.contains { $0.hasPrefix("1 positions were not measured") } == !isMeasured)
  }

  /// A horizontal error that is gpsd's constant times the dilution is a 95 % figure.
  @Test func gpsdsOwnErrorIsTakenFor95Percent() throws {
    let drive = try read([
      Self.lines[2],
      #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2021-05-26T16:52:46.000Z","lat":51,"lon":0,"eph":19.19,"epv":19.6}"#,
    ])
    let sigma = try #require(drive.fixes.first?.positionSigma)
    #expect(
      abs(sigma.x - 19.19 / 2.4477) < 1e-9 && abs(sigma.y - sigma.x) < 1e-12 && abs(sigma.z - 10) < 1e-9)
  }

  @Test(arguments: [
    ("2021-05-26 16:52:44.202021: ", 0.202021), ("2021-05-26 16:52:44 1622047964.350000: ", 0.35),
    ("2021-05-26T16:52:44.500Z: ", 0.5),
  ])
  func timesOfArrivalOfGpspipeAreKept(prefix: String, delay: Double) throws {
    let fix = try #require(try read([prefix + Self.lines[4]]).fixes.first)
    #expect(abs((try #require(fix.received)).seconds(since: fix.time) - delay) < 1e-6)
  }

  @Test func wholeSecondsOrAWrongClockGiveNoTimeOfArrival() throws {
    #expect(try read(["2021-05-26 16:52:44: " + Self.lines[4]]).fixes.first?.received == nil)
    let late = try read(["2026-11-21 22:25:22.202021: " + Self.lines[4]])
    #expect(late.fixes.first?.received == nil)
    #expect(late.notes.contains { $0.contains("times of arrival are left out") })
  }

  @Test func aBrokenLineIsCountedAndNamed() throws {
    let drive = try read(Self.lines + [#"{"class":"TPV","mode":3,"ti"#, "\u{1}\u{2}garbage"])
    #expect(drive.fixes.count == 3)
    #expect(drive.rejections[0].rejected == 2)
    #expect(drive.rejections[0].remark?.contains("line 11") == true)
  }

  @Test func whatIsNoJSONIsRefused() throws {
    let scratch = ScratchFolder()
    try scratch.put("log.json", "time,latitude\n1,2\n")
    let error = driveError { _ = try ImportFormat.gpsd.read(scratch("log.json")) }
    #expect(error?.description.contains("log.json: line 1: no JSON object of gpsd") == true)
    try scratch.put("log.json", #"{"class":"TPV","device":"/dev/ttyACM0","mode":1}"#)
    #expect(
      driveError { _ = try ImportFormat.gpsd.read(scratch("log.json")) }
        == .nothingToImport(path: scratch("log.json")))
    #expect(driveError { _ = try ImportFormat.gpsd.read(scratch("none.json")) } != nil)
  }

  /// Logs of real receivers through the real gpsdecode, where both are at hand.
  @Test func realLogsThroughGpsdecode() throws {
    let logs = ProcessInfo.processInfo.environment["RECKON_GPSD_LOGS"] ?? "../shared/logs/gpsd"
    let decode = "/usr/bin/gpsdecode"
    guard FileManager.default.isExecutableFile(atPath: decode),
      FileManager.default.fileExists(atPath: logs + "/ublox-8.log")
    else {
      print("skipped: \(decode) (package gpsd-clients) or \(logs) (RECKON_GPSD_LOGS) is not there")
      return
    }
    let scratch = ScratchFolder()
    // Counted in the JSON of gpsdecode 3.22: times of TPVs of mode 2 and 3. All state an accuracy.
    for (log, count, latitude) in [
      ("ublox-8", 71, 44.0689), ("bu303-moving", 12, 46.4983), ("bu303-climbing", 8, 46.5),
      ("ublox-neo-m8l", 19, 0), ("ublox-neo-m8u", 3, 51.591),
    ] {
      try ProgramRun(
        "/bin/sh",
        ["-c", "timeout 20 \(decode) -j < \(logs)/\(log).log > \(scratch(log + ".json")) 2>/dev/null"])
      var drive = try ImportFormat.gpsd.read(scratch(log + ".json"))
      try drive.write(to: scratch(log))
      let fixes = try Contents(scratch(log)).fixes
      #expect(fixes.count == count, "\(log): \(fixes.count)")
      if latitude != 0 { #expect(abs(fixes[0].position.latitudeDegrees - latitude) < 0.01, "\(log)") }
      #expect(fixes.allSatisfy { ($0.positionSigma?.x).map { $0 > 0 && $0 < 100 } == true }, "\(log)")
    }
  }
}
