import Drives
import Foundation
import Navigation
import TestParts
import Testing

/// Tracks as GeoJSON, GPX and KML, read by other parsers than ours.
@Suite struct TrackMarkupTests {
  /// On the shorter way, and not around the world; the two ends lie on the antimeridian.
  @Test(arguments: [1.0, -1]) func linesInKMLEndAtTheAntimeridian(sign: Double) throws {
    let scratch = ScratchFolder()
    var writer = try TrackWriter(path: scratch("track.kml"))
    for i in 0..<8 {
      var solution = WrittenTrack.solutions[i]
      solution.position.longitude = Angle.radians(degrees: sign * (179.99 + Double(i) * 0.004))
      try writer.write(solution)
    }
    try writer.finish()
    let text = String(decoding: try scratch.bytes("track.kml"), as: UTF8.self)
    let longitudes = text.components(separatedBy: "<coordinates>").dropFirst().map { line in
      line.prefix { $0 != "<" }.split(separator: "\n").compactMap { $0.split(separator: ",").first }
        .compactMap { Double($0) }
    }
    #expect(longitudes.map(\.count) == [4, 6])
    #expect(longitudes.first?.last == sign * 180 && longitudes.last?.first == -sign * 180)
    for line in longitudes {
      for (a, b) in zip(line, line.dropFirst()) { #expect(abs(b - a) < 0.01) }
    }
  }

  @Test func geoJSONIsValidAndHoldsEveryPoint() throws {
    for origin in [nil, WrittenTrack.origin] {
      let json = try JSONSerialization.jsonObject(with: WrittenTrack.track("track.geojson", origin: origin))
      let features = try #require((json as? [String: Any])?["features"] as? [[String: Any]])
      #expect((json as? [String: Any])?["type"] as? String == "FeatureCollection")
      #expect(features.count == WrittenTrack.solutions.count)
      let geometry = try #require(features[7]["geometry"] as? [String: Any])
      #expect(geometry["type"] as? String == "Point")
      #expect(geometry["coordinates"] as? [Double] == [8.00007, 50.00007, 107])
      let flat = try #require(features[5]["geometry"] as? [String: Any])
      #expect((flat["coordinates"] as? [Double])?.count == 2)
      let properties = try #require(features[1]["properties"] as? [String: Any])
      #expect(properties["mode"] as? String == "aligning" && properties["heading_deg"] is NSNull)
      #expect(properties["speed_m_s"] as? Double == 5)
    }
  }

  @Test func solutionWithoutPositionBreaksNoFormat() throws {
    var lost = WrittenTrack.solutions[0]
    lost.position = GeodeticPosition(latitude: .nan, longitude: .infinity, height: .nan)
    let some = [lost, WrittenTrack.solutions[0], lost, WrittenTrack.solutions[1]]
    let json = try JSONSerialization.jsonObject(with: WrittenTrack.track("a.geojson", of: some))
    let features = try #require((json as? [String: Any])?["features"] as? [[String: Any]])
    #expect(features.map { $0["geometry"] is NSNull } == [true, false, true, false])
    #expect(WrittenTrack.lines(try WrittenTrack.track("a.csv", of: some))[1][1...3] == ["", "", ""])
    #expect(try Elements(WrittenTrack.track("a.gpx", of: some)).count("trkpt") == 2)
    #expect(
      try Elements(WrittenTrack.track("a.kml", of: some)).text("coordinates").split(separator: "\n").count
        == 2)
    #expect(WrittenTrack.lines(try WrittenTrack.track("a.tum", of: some)).count == 4)
  }

  @Test func trackWithoutPointsIsStillADocument() throws {
    _ = try JSONSerialization.jsonObject(with: WrittenTrack.track("a.geojson", of: []))
    #expect(try Elements(WrittenTrack.track("a.gpx", of: [])).count("trkseg") == 1)
    #expect(try Elements(WrittenTrack.track("a.kml", of: [])).count("Document") == 1)
  }

  @Test func gpxIsValidXMLWithElementsInTheOrderOfTheSchema() throws {
    let xml = try Elements(WrittenTrack.track("track.gpx", origin: WrittenTrack.origin))
    #expect(xml.count("gpx") == 1 && xml.count("trkpt") == 250)
    #expect(xml.count("ele") == 249 && xml.count("time") == 250)
    #expect(xml.attributes("trkpt")["lat"] == "50.002490000")
    #expect(xml.attributes("gpx")["version"] == "1.1")
    let start = try #require(xml.names.firstIndex(of: "trkpt"))
    #expect(xml.names[start...].prefix(5) == ["trkpt", "ele", "time", "geoidheight", "extensions"])
    #expect(try Elements(WrittenTrack.track("track.gpx")).count("time") == 0)
  }

  @Test func kmlIsValidXMLWhoseLinesMeet() throws {
    let xml = try Elements(WrittenTrack.track("track.kml", origin: WrittenTrack.origin))
    #expect(xml.count("kml") == 1 && xml.count("Placemark") == 3 && xml.count("TimeSpan") == 3)
    let points = xml.text("coordinates").split(separator: "\n")
    #expect(points.count == 250 + 2)
    #expect(points[99] == points[100] && points[199] == points[200])
    let level = WrittenTrack.solutions[0].position.heightAboveSeaLevel
    let cells = points[0].split(separator: ",")
    #expect(cells[0] == "8.000000000" && cells[1] == "50.000000000")
    #expect(isNear(Double(cells[2]), level, 1e-3) && abs(level - 51.5) < 1, "KML's heights are above the sea")
    #expect(xml.count("altitudeMode") == 3)
    #expect(try Elements(WrittenTrack.track("track.kml")).count("TimeSpan") == 0)
  }

  /// Above the ellipsoid and above the sea, and what lies between.
  @Test func bothHeightsAreTold() throws {
    let place = WrittenTrack.solutions[7].position
    let (level, separation) = (place.heightAboveSeaLevel, EGM96.separation(place))
    let rows = WrittenTrack.lines(try WrittenTrack.track("track.csv"))
    let cell = { (name: String) in rows[0].firstIndex { $0 == name }.flatMap { Double(rows[8][$0]) } }
    #expect(cell("height_m") == 107 && isNear(cell("height_above_sea_level_m"), level, 1e-3))
    #expect(isNear(cell("geoid_separation_m"), separation, 0.01) && abs(separation - 47.5) < 1)
    let xml = try Elements(WrittenTrack.track("a.gpx", of: [WrittenTrack.solutions[7]]))
    #expect(
      isNear(Double(xml.text("ele")), level, 1e-3)
        && isNear(Double(xml.text("geoidheight")), separation, 0.01))
    #expect(isNear(Double(xml.text("reckon:height_m")), 107, 1e-9))
    let json = try JSONSerialization.jsonObject(
      with: WrittenTrack.track("a.geojson", of: [WrittenTrack.solutions[7]]))
    let features = try #require((json as? [String: Any])?["features"] as? [[String: Any]])
    let properties = try #require(features[0]["properties"] as? [String: Any])
    #expect(isNear(properties["height_above_sea_level_m"] as? Double, level, 1e-3))
  }
}
