import Navigation
import SensorEvents
import TestParts
import Testing

import CompatibleOutputs

@Suite struct GPSDReportTests {
  let reports = GPSDReports(device: "reckon")

  /// σ of 2 m north, 3 m east, 4 m down: 95 % bounds are 1.96 times that; the circle's radius for 95 % at
  /// the ratio 2/3 is 2.1257 times the larger (AccuracyRadius' table), and 1.4 times that for a solution's
  /// tail. Speed and course: σ 0.2 m/s along and across of 20 m/s.
  @Test func anAidedReportIsThisObject() {
    #expect(
      String(decoding: reports.tpv(someReport()), as: UTF8.self)
        == #"{"class":"TPV","device":"reckon","status":6,"mode":3,"time":"2026-03-29T10:20:30.250Z","#
        + #""lat":48.117300000,"lon":11.516666667,"altHAE":592.3000,"altMSL":545.4000,"alt":545.4000,"#
        + #""geoidSep":46.900,"epx":5.880,"epy":3.920,"eph":8.928,"epv":7.840,"#
        + #""track":53.1301,"epd":1.1230,"speed":20.000,"eps":0.392,"climb":0.500,"epc":0.196,"#
        + #""velN":12.000,"velE":16.000,"velD":-0.500}"#)
  }

  @Test func attitudeIsTheCarsOwn() throws {
    let bytes = try #require(reports.att(someReport()))
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"class":"ATT","device":"reckon","time":"2026-03-29T10:20:30.250Z","#
        + #""heading":53.000,"pitch":3.000,"yaw":53.000,"roll":-2.000}"#)
    #expect(reports.att(someReport(someSolution(mode: .aligning))) == nil)
    #expect(reports.att(PositionReport(utcNanoseconds: nil, solution: nil)) == nil)
  }

  @Test func statusIsGPSDsNumber() {
    func status(_ report: PositionReport) -> Double? { parseJSON(reports.tpv(report)).number("status") }
    #expect(status(someReport()) == 6)
    #expect(status(someReport(someSolution(mode: .stationary))) == 6)
    #expect(status(someReport(someSolution(mode: .deadReckoning))) == 5)
    let parked = PositionReport(utcNanoseconds: 0, solution: someSolution(mode: .stationary), isAided: false)
    #expect(status(parked) == 5)
    var aligning = someReport(someSolution(mode: .aligning))
    #expect(status(aligning) == nil)
    aligning.isCorrected = true
    #expect(status(aligning) == 2)
    aligning.isSimulated = true
    #expect(status(aligning) == 8)
  }

  @Test func theModeSaysWhatIsKnown() {
    #expect(
      String(decoding: reports.tpv(nil), as: UTF8.self) == #"{"class":"TPV","device":"reckon","mode":0}"#)
    #expect(
      String(decoding: reports.tpv(PositionReport(utcNanoseconds: nil, solution: nil)), as: UTF8.self)
        == #"{"class":"TPV","device":"reckon","mode":1}"#)
    var flat = someSolution()
    flat.positionCovariance.z.z = .infinity
    let tpv = parseJSON(reports.tpv(someReport(flat)))
    #expect(tpv.number("mode") == 2 && tpv["altHAE"] == nil && tpv["epv"] == nil && tpv.number("lat") != nil)
  }

  @Test func heightAboveTheSeaNeedsAGeoid() {
    var report = someReport()
    report.geoidSeparation = nil
    let tpv = parseJSON(reports.tpv(report))
    #expect(tpv["altMSL"] == nil && tpv["alt"] == nil && tpv["geoidSep"] == nil)
    #expect(tpv.number("altHAE") == 592.3)
  }

  @Test func theGeoidComesFromAFixWithBothHeights() {
    var fix = FixReading(
      fix: GNSSFix(
        time: Timestamp(nanoseconds: 0),
        position: GeodeticPosition(latitude: 0, longitude: 0, height: 592.3)), dimensions: .three)
    #expect(PositionReport.geoidSeparation(of: fix) == nil)
    fix.heightAboveSeaLevel = 545.4
    #expect(abs((PositionReport.geoidSeparation(of: fix) ?? 0) - 46.9) < 1e-9)
    fix.heightAboveSeaLevel = -9999
    #expect(PositionReport.geoidSeparation(of: fix) == nil)
  }

  @Test func aStandstillHasNoTrack() {
    for solution in [someSolution(mode: .stationary), someSolution(velocityNED: Vector3(0.01, 0, 0))] {
      let tpv = parseJSON(reports.tpv(someReport(solution)))
      #expect(tpv["track"] == nil && tpv["epd"] == nil && tpv.number("speed") != nil)
    }
  }

  /// Not a number is nothing that JSON can say: the field is left out and the rest stays.
  @Test func noFieldIsEverNotANumber() {
    var random = Dice(seed: 1002)
    let poison: [Double] = [.nan, .infinity, -.infinity, 1e300, -1e300, .greatestFiniteMagnitude, -0.0]
    for _ in 0..<5_000 {
      func value() -> Double {
        Bool.random(using: &random)
          ? poison.randomElement(using: &random) ?? 0 : .random(in: -1e3...1e3, using: &random)
      }
      var solution = someSolution()
      solution.position = GeodeticPosition(latitude: value(), longitude: value(), height: value())
      if Bool.random(using: &random) { solution.position = someSolution().position }
      solution.velocityNED = Vector3(value(), value(), value())
      solution.navFromVehicle = Quaternion(roll: value(), pitch: value(), yaw: value())
      solution.positionCovariance = Matrix3(diagonal: Vector3(value(), value(), value()))
      solution.velocityCovariance = Matrix3(diagonal: Vector3(value(), value(), value()))
      var report = someReport(solution, utc: .random(in: .min ... .max, using: &random))
      report.geoidSeparation = value()
      #expect(parseJSON(reports.tpv(report)).text("class") == "TPV")
      if let att = reports.att(report) { #expect(parseJSON(att).text("class") == "ATT") }
      #expect(parseSentences(NMEASentences.sentences(report)).count >= 3)
    }
  }

  @Test func randomPositionsSurviveTheRoundTrip() {
    var random = Dice(seed: 1003)
    for _ in 0..<5_000 {
      let latitude = Double.random(in: -90...90, using: &random)
      let longitude = Double.random(in: -360...360, using: &random)
      let height = Double.random(in: -500...9000, using: &random)
      let tpv = parseJSON(
        reports.tpv(
          someReport(
            someSolution(latitudeDegrees: latitude, longitudeDegrees: longitude, height: height))))
      #expect(abs((tpv.number("lat") ?? .nan) - latitude) < 6e-10)
      let stated = tpv.number("lon") ?? .nan
      #expect(stated >= -180 && stated <= 180)
      #expect(abs((stated - longitude).remainder(dividingBy: 360)) < 6e-10)
      #expect(abs((tpv.number("altHAE") ?? .nan) - height) < 6e-5)
    }
  }

  @Test func theSkyIsPassedOn() throws {
    let sky = parseJSON(reports.sky(someSky, utcNanoseconds: someUTC))
    #expect(sky.number("nSat") == 8 && sky.number("uSat") == 6 && sky.number("hdop") == 0.9)
    let satellites = try #require(sky["satellites"] as? [[String: Any]])
    #expect(satellites.count == 8)
    let glonass = try #require(satellites.first { $0.number("PRN") == 66 })
    #expect(glonass.number("gnssid") == 6 && glonass.number("svid") == 2)
    #expect(glonass.number("el") == 50 && glonass.number("az") == 160 && glonass.number("ss") == 34)
    #expect(satellites.filter { $0["used"] as? Bool == true }.count == 6)
  }

  @Test func aSkyTooLargeForGPSDsClientsKeepsTheSatellitesInUse() throws {
    let crowd = (0..<300).map { i in
      SkyReading.Satellite(
        constellation: 0, number: Int16(i), elevationDegrees: 45, azimuthDegrees: 359.9, strength: 40.5,
        isUsed: i >= 280)
    }
    let bytes = reports.sky(
      SkyReading(visible: 300, used: 20, satellites: crowd), utcNanoseconds: someUTC)
    #expect(bytes.count < 8_300)
    let satellites = try #require(parseJSON(bytes)["satellites"] as? [[String: Any]])
    #expect(satellites.count > 60 && satellites.count <= 140)
    #expect(satellites.filter { $0["used"] as? Bool == true }.count == 20)
  }

  @Test func textIsEscaped() {
    var object = JSONObject(class: "X")
    object.string("s", "a\"b\\c\n\u{0}é🚗")
    #expect(parseJSON(object.bytes).text("s") == "a\"b\\c\n\u{0}é🚗")
    #expect(object.bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
  }
}
