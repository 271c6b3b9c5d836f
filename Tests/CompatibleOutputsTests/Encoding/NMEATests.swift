import Foundation
import Navigation
import SensorEvents
import TestParts
import Testing

import CompatibleOutputs

@Suite struct NMEATests {
  private func text(_ report: PositionReport) -> String {
    String(decoding: NMEASentences.sentences(report), as: UTF8.self)
  }

  /// 48.1173° are 48° 7.038'; 11.516666667° are 11° 31.00000002'. 20 m/s are 38.877 kn and 72 km/h;
  /// the course is atan2(16, 12) = 53.13°. Checksums by hand (exclusive or), standard deviations 2, 3 and
  /// 4 m, the major axis east.
  @Test func anAidedReportIsTheseSentences() {
    var report = someReport()
    report.sky = someSky
    #expect(
      text(report) == """
        $GNGGA,102030.25,4807.038000,N,01131.000000,E,1,06,0.90,545.4,M,46.9,M,,*43\r
        $GNRMC,102030.25,A,4807.038000,N,01131.000000,E,38.877,53.1,290326,,,A*4D\r
        $GNGST,102030.25,,3.00,2.00,90.0,2.00,3.00,4.00*6D\r
        $GNVTG,53.1,T,,M,38.877,N,72.000,K,A*22\r

        """)
  }

  @Test func deadReckoningSaysSoAndClaimsNoSatellite() {
    var report = someReport(someSolution(mode: .deadReckoning))
    report.sky = someSky
    let sentences = parseSentences(NMEASentences.sentences(report))
    #expect(sentences.count == 4)
    #expect(sentences[1].fields[12] == "E" && sentences[1].fields[2] == "A")
    // The radius of 95 %, 8.928 m, over the 19 m that gpsd multiplies by.
    #expect(Array(sentences[0].fields[6...8]) == ["6", "00", "0.47"])
    #expect(sentences[3].fields[9] == "E")
  }

  @Test func modesFollowTheFix() {
    var report = someReport()
    #expect(text(report).contains(",A*"))
    report.isCorrected = true
    #expect(text(report).contains(",D*") && text(report).contains(",E,2,"))
    report.isSimulated = true
    #expect(text(report).contains(",S*") && text(report).contains(",E,8,"))
    // At a standstill without fixes the position is estimated too.
    let parked = PositionReport(
      utcNanoseconds: someUTC, solution: someSolution(mode: .stationary), isAided: false)
    #expect(text(parked).contains(",E*"))
  }

  @Test func whatIsNotKnownIsAnEmptyField() {
    let nothing = PositionReport(utcNanoseconds: nil, solution: nil)
    #expect(
      text(nothing) == """
        $GNGGA,,,,,,0,00,,,,,,,*78\r
        $GNRMC,,V,,,,,,,,,,N*4D\r
        $GNVTG,,,,,,,,,N*2E\r

        """)
    // Without a geoid there is no height above the sea; at rest no course.
    var report = someReport(someSolution(velocityNED: .zero))
    report.geoidSeparation = nil
    let sentences = parseSentences(NMEASentences.sentences(report))
    #expect(Array(sentences[0].fields[9...12]) == ["", "", "", ""])
    #expect(sentences[1].fields[8] == "" && sentences[1].fields[7] == "0.000")
    #expect(Array(sentences[3].fields[1...4]) == ["", "T", "", "M"])
  }

  @Test(arguments: [
    // The last minute of a degree, rounded up and down.
    (47.999_999_999_9, "4800.000000", "N"), (-47.999_999_999_9, "4800.000000", "S"),
    (47.999_999_99, "4759.999999", "N"), (59.999_999_4 / 60, "0059.999999", "N") as (Double, String, String),
    // Nothing is north, not minus nothing.
    (-1e-12, "0000.000000", "N"), (-0.0, "0000.000000", "N"), (1e-9, "0000.000000", "N"),
    // The poles.
    (90, "9000.000000", "N"), (-90, "9000.000000", "S"), (89.999_999_999_9, "9000.000000", "N"),
  ]) func latitudesRoundBeforeTheyAreTakenApart(degrees: Double, field: String, side: String) {
    let sentences = parseSentences(
      NMEASentences.sentences(someReport(someSolution(latitudeDegrees: degrees))))
    #expect(Array(sentences[1].fields[3...4]) == [field, side])
    #expect(Array(sentences[0].fields[2...3]) == [field, side])
  }

  @Test(arguments: [
    (179.999_999_999_9, "18000.000000", "E"), (-179.999_999_999_9, "18000.000000", "W"),
    (180.0, "18000.000000", "W"), (180.5, "17930.000000", "W"), (-180.5, "17930.000000", "E"),
    (359.999_999_999_9, "00000.000000", "E"), (-1e-12, "00000.000000", "E"), (9.5, "00930.000000", "E"),
  ]) func longitudesAreWrappedOnTheirWayAcrossTheAntimeridian(degrees: Double, field: String, side: String) {
    let sentences = parseSentences(
      NMEASentences.sentences(someReport(someSolution(longitudeDegrees: degrees))))
    #expect(Array(sentences[1].fields[5...6]) == [field, side])
  }

  @Test func theRoundedTimeCarriesIntoTheDate() {
    // 2027-12-31 23:59:59.996 rounds into the new year; .994 does not.
    let newYear: Int64 = 1_830_297_600_000_000_000
    for (offset, time, date) in [
      (Int64(-4_000_000), "000000.00", "010128"), (-6_000_000, "235959.99", "311227"),
      (0, "000000.00", "010128"),
    ] {
      let sentence = parseSentences(NMEASentences.sentences(someReport(utc: newYear + offset)))[1]
      #expect(sentence.fields[1] == time && sentence.fields[9] == date)
    }
  }

  /// The major axis lies along the greatest variance: here 30° east of north, with σ 5 m and 1 m.
  @Test func gstStatesTheErrorEllipse() {
    let (c, s) = (0.75.squareRoot(), 0.5)
    var solution = someSolution()
    var p = Matrix3(diagonal: Vector3(25 * c * c + s * s, 25 * s * s + c * c, 9))
    p.x.y = (25 - 1) * c * s
    p.y.x = p.x.y
    solution.positionCovariance = p
    let gst = parseSentences(NMEASentences.sentences(someReport(solution)))[2]
    #expect(Array(gst.fields[3...5]) == ["5.00", "1.00", "30.0"])
  }

  /// Any valid solution: frame, checksum and length hold, and the position comes back within half of the last
  /// digit (5e-7 minutes) and the rounding of Double.
  @Test func randomPositionsSurviveTheRoundTrip() {
    var random = Dice(seed: 1001)
    for _ in 0..<5_000 {
      let latitude = Double.random(in: -90...90, using: &random)
      let longitude = Double.random(in: -180..<180, using: &random)
      let speed = Double.random(in: 0...90, using: &random)
      let course = Double.random(in: 0..<360, using: &random)
      var report = someReport(
        someSolution(
          latitudeDegrees: latitude, longitudeDegrees: longitude,
          height: .random(in: -500...9000, using: &random), mode: .deadReckoning,
          velocityNED: Vector3(
            speed * cos(Angle.radians(degrees: course)), speed * sin(Angle.radians(degrees: course)), 0)),
        utc: .random(in: 0...4_000_000_000_000_000_000, using: &random))
      report.geoidSeparation = .random(in: -107...86, using: &random)
      report.sky = someSky
      let sentences = parseSentences(NMEASentences.sentences(report))
      #expect(sentences.count == 4)
      for (sentence, at) in [(sentences[1], 3), (sentences[0], 2)] {
        let tolerance = 5e-7 / 60 + 1e-12
        #expect(abs((sentence.degrees(at: at, digits: 2) ?? .nan) - latitude) < tolerance)
        #expect(abs((sentence.degrees(at: at + 2, digits: 3) ?? .nan) - longitude) < tolerance)
      }
      #expect(abs((Double(sentences[1].fields[7]) ?? .nan) * 1852 / 3600 - speed) < 0.000_26)
      if let stated = Double(sentences[1].fields[8]) {
        #expect(abs((stated - course).remainder(dividingBy: 360)) <= 0.05 + 1e-9 && stated < 360)
      }
    }
  }

  @Test func nonsenseIsNoPosition() {
    for position in [
      GeodeticPosition(latitude: .nan, longitude: 0, height: 0),
      GeodeticPosition(latitude: 2, longitude: 0, height: 0),
      GeodeticPosition(latitude: 0, longitude: .infinity, height: 0),
    ] {
      var solution = someSolution()
      solution.position = position
      #expect(text(someReport(solution)).contains("$GNRMC,102030.25,V,,,,,"))
    }
    var solution = someSolution()
    solution.positionCovariance.x.x = .nan
    #expect(text(someReport(solution)).contains(",V,"))
    // A velocity that is none leaves its own fields empty, not the position's.
    solution = someSolution(velocityNED: Vector3(.nan, 0, 0))
    #expect(text(someReport(solution)).contains("A,4807.038000,N,01131.000000,E,,,290326"))
  }
}
