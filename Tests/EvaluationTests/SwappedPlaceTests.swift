import TestParts
import Testing

/// Latitude and longitude that hold each other's values, which are in range.
@Suite(.enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"))
struct SwappedPlaceTests {
  private let scratch = ScratchFolder()
  private var drive: String { scratch("drive") }

  /// A way to the north-east by 14 m/s for 100 s, from 47° N 8° E.
  private func put(
    fixesSwapped: Bool, truthSwapped: Bool, statesVelocity: Bool, longitude: Double = 8
  ) throws {
    var (gnss, truth) = (
      "time_s,latitude_deg,longitude_deg,velocity_north_m_s,velocity_east_m_s\n",
      "time_s,latitude_deg,longitude_deg\n"
    )
    for i in 0...100 {
      let place = (north: 47 + Double(i) * 9e-5, east: longitude + Double(i) * 1.31e-4)
      let pair = { (isSwapped: Bool) in
        isSwapped ? "\(i),\(place.east),\(place.north)" : "\(i),\(place.north),\(place.east)"
      }
      gnss += pair(fixesSwapped) + (statesVelocity ? ",10,10\n" : ",,\n")
      truth += pair(truthSwapped) + "\n"
    }
    try scratch.put("drive/drive.json", #"{"name": "swapped"}"#)
    try scratch.put("drive/gnss.csv", gnss)
    try scratch.put("drive/truth.csv", truth)
  }

  @Test(arguments: [
    (true, false, false, "in one of the two, and a map shows in which"),
    (false, true, false, "in one of the two, and a map shows in which"),
    (true, false, true, "in gnss.csv, whose velocities say so too"),
    (false, true, true, "in truth.csv, since the fixes move as their velocities say"),
  ])
  func filesThatAgreeOnlyWhenSwappedAreSaid(
    fixes: Bool, truth: Bool, statesVelocity: Bool, which: String
  ) throws {
    try put(fixesSwapped: fixes, truthSwapped: truth, statesVelocity: statesVelocity)
    let run = try Tool.run(["evaluate", drive])
    #expect(run.status == 0)
    for words in ["gnss.csv and truth.csv lie 5", which, "write latitude under latitude_deg"] {
      #expect(run.errors.contains(words), "\(words) in \(run.errors)")
    }
  }

  @Test func whatEachSystemSaysIsHeldAgainstTheFixes() throws {
    try put(fixesSwapped: false, truthSwapped: true, statesVelocity: true)
    try scratch.put(
      "drive/receiver.csv", String(decoding: try scratch.bytes("drive/truth.csv"), as: UTF8.self))
    let run = try Tool.run(["evaluate", drive])
    #expect(run.errors.contains("gnss.csv and receiver.csv lie 5"), "\(run.errors)")
  }

  /// Where nothing else is there, or all is swapped, the way tells.
  @Test func fixesThatMoveOtherwiseThanTheySayAreSaid() throws {
    try put(fixesSwapped: true, truthSwapped: true, statesVelocity: true)
    for command in ["replay", "evaluate"] {
      let run = try Tool.run([command, drive])
      #expect(run.status == 0)
      let words = "the fixes move as their velocities say only if latitude and longitude change places"
      #expect(run.errors.contains(words) && !run.errors.contains("km apart"), "\(run.errors)")
    }
  }

  @Test func aLongitudeThatIsNoLatitudeIsSaid() throws {
    try put(fixesSwapped: true, truthSwapped: false, statesVelocity: true, longitude: 121)
    try scratch.put("drive/wheel.csv", "time_s,speed_m_s\n0,14\n100,14\n")
    let run = try Tool.run(["replay", drive])
    #expect(
      run.errors.contains(
        "are latitude_deg (from -90 to 90) and longitude_deg in degrees, and each under its own name?"))
  }

  @Test func placesThatNoSwapExplainsAreSaid() throws {
    try put(fixesSwapped: false, truthSwapped: false, statesVelocity: false)
    let west = (0...100).map { "\($0),\(47 + Double($0) * 9e-5),-8\n" }.joined()
    try scratch.put("drive/truth.csv", "time_s,latitude_deg,longitude_deg\n" + west)
    let run = try Tool.run(["evaluate", drive])
    let words =
      "gnss.csv and truth.csv lie 1213 km apart: are both of one drive, and in degrees, north and east"
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  @Test(arguments: [false, true]) func whatIsRightIsNotSaid(statesVelocity: Bool) throws {
    try put(fixesSwapped: false, truthSwapped: false, statesVelocity: statesVelocity)
    let run = try Tool.run(["evaluate", drive])
    #expect(run.status == 0 && !run.errors.contains("latitude"), "\(run.errors)")
  }

  @Test func aTrackWhosePlacesAreSwappedIsSaid() throws {
    try put(fixesSwapped: false, truthSwapped: false, statesVelocity: false)
    let rows = (0...100).map { "\($0),8,\(47 + Double($0) * 9e-5)\n" }.joined()
    try scratch.put("track.csv", "time_s,latitude_deg,longitude_deg\n" + rows)
    let run = try Tool.run(["score", scratch("track.csv"), "--drive", drive])
    #expect(run.status == 0)
    #expect(
      (run.output + run.errors).contains(
        "km from the truth, and on it if latitude and longitude change places"),
      "\(run)")
  }
}
