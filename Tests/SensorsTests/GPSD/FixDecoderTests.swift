import Navigation
import SensorEvents
import Sensors
import TestParts
import Testing

/// A TPV to a fix.
struct FixDecoderTests {
  /// A 3D fix of a good receiver, one second after another.
  static func position(second: Double = 0, mode: Int = 3) -> GPSDPosition {
    var position = GPSDPosition()
    position.device = "/dev/ttyACM0"
    position.time = Timestamp(seconds: 1_717_243_200 + second)
    position.mode = mode
    position.status = .gnss
    position.latitude = 52.5 + second * 1e-5
    position.longitude = 13.4
    position.heightAboveEllipsoid = 84.6
    position.heightAboveSeaLevel = 40
    position.geoidHeight = 44.6
    position.eph = 2
    position.epv = 3
    return position
  }

  static func reading(_ outcome: FixDecoder.Outcome) throws -> FixReading {
    guard case .reading(let reading) = outcome else {
      Issue.record("\(outcome)")
      throw ChildProcess.Failure(text: "no reading")
    }
    return reading
  }

  @Test func positionAndTimeAreKept() throws {
    var decoder = FixDecoder()
    let reading = try Self.reading(decoder.take(Self.position()))
    #expect(reading.fix.time == Timestamp(seconds: 1_717_243_200))
    #expect(reading.fix.received == nil)
    #expect(reading.dimensions == .three)
    #expect(
      reading.fix.position == GeodeticPosition(latitudeDegrees: 52.5, longitudeDegrees: 13.4, height: 84.6))
    #expect(reading.heightAboveSeaLevel == 40)
    #expect(!reading.isCorrected)
  }

  @Test func whatComesBeforeAnAccuracyIsNotTakenForAGoodFix() throws {
    func unstated(_ second: Double) -> GPSDPosition {
      var position = Self.position(second: second, mode: 2)
      (position.eph, position.epv) = (.nan, .nan)
      return position
    }
    var decoder = FixDecoder()
    #expect(try Self.reading(decoder.take(unstated(0))).fix.positionSigma == Vector3(15, 15, 30))
    #expect(try Self.reading(decoder.take(Self.position(second: 1))).fix.positionSigma?.x ?? 9 < 2)
    #expect(try Self.reading(decoder.take(unstated(1.5))).fix.positionSigma == nil)
    // A receiver that never says is judged by what it does.
    var silent = FixDecoder()
    _ = silent.take(unstated(0))
    #expect(try Self.reading(silent.take(unstated(5))).fix.positionSigma == nil)
  }

  @Test func aTwoDimensionalFixHasNoHeight() throws {
    var decoder = FixDecoder()
    let reading = try Self.reading(decoder.take(Self.position(mode: 2)))
    #expect(reading.dimensions == .two)
    #expect(reading.fix.position.height.isNaN)
    #expect(reading.heightAboveSeaLevel == nil)
    let sigma = try #require(reading.fix.positionSigma)
    #expect(sigma.isFinite)
  }

  @Test func heightAboveSeaLevelBecomesEllipsoidalOnlyWithTheGeoid() throws {
    var decoder = FixDecoder()
    var position = Self.position()
    position.heightAboveEllipsoid = .nan
    #expect(try Self.reading(decoder.take(position)).fix.position.height == 84.6)
    var without = Self.position(second: 1)
    without.heightAboveEllipsoid = .nan
    without.geoidHeight = .nan
    let reading = try Self.reading(decoder.take(without))
    #expect(reading.fix.position.height.isNaN)
    #expect(reading.heightAboveSeaLevel == 40)
    #expect(reading.dimensions == .two)
    var ellipsoidOnly = Self.position(second: 2)
    ellipsoidOnly.heightAboveSeaLevel = .nan
    let height = try #require(try Self.reading(decoder.take(ellipsoidOnly)).heightAboveSeaLevel)
    #expect(abs(height - 40) < 1e-9)
  }

  @Test(arguments: [0, 1]) func noFixIsToldAsSuch(mode: Int) throws {
    var decoder = FixDecoder()
    let reading = try Self.reading(decoder.take(Self.position(mode: mode)))
    #expect(reading.dimensions == .none)
    #expect(!reading.fix.position.isValid)
    // A receiver without a fix need not know the time.
    var timeless = GPSDPosition()
    timeless.mode = mode
    #expect(try Self.reading(decoder.take(timeless)).dimensions == .none)
  }

  @Test func aRepeatedFixIsADuplicateUnlessItSaysMore() throws {
    var decoder = FixDecoder()
    _ = try Self.reading(decoder.take(Self.position(mode: 2)))
    #expect(decoder.take(Self.position(mode: 2)) == .duplicate)
    // The same epoch once more, with its height: gpsd does so until it has learned where
    // the receiver's cycle ends.
    #expect(try Self.reading(decoder.take(Self.position())).dimensions == .three)
    var moving = Self.position()
    moving.speed = 10
    moving.track = 90
    #expect(try Self.reading(decoder.take(moving)).fix.velocityNED != nil)
    #expect(decoder.take(moving) == .duplicate)
    #expect(decoder.take(Self.position()) == .duplicate)
    // Standing still is no repetition.
    var later = moving
    later.time = Timestamp(seconds: 1_717_243_201)
    _ = try Self.reading(decoder.take(later))
  }

  @Test(arguments: [GPSDStatus.deadReckoning, .time, .simulated])
  func whatSatellitesDidNotMeasureIsNoFix(status: GPSDStatus) {
    var decoder = FixDecoder()
    var position = Self.position()
    position.status = status
    #expect(decoder.take(position) == .unusable(.notMeasured(status)))
  }

  @Test(arguments: [
    (GPSDStatus.differential, true), (.rtkFixed, true), (.rtkFloat, true), (.gnss, false),
    (.unknown, false), (.gnssWithDeadReckoning, false),
  ])
  func correctionsAreTold(status: GPSDStatus, isCorrected: Bool) throws {
    var decoder = FixDecoder()
    var position = Self.position()
    position.status = status
    #expect(try Self.reading(decoder.take(position)).isCorrected == isCorrected)
  }

  @Test func positionsNowhereOnEarthAndFixesWithoutTimeAreRefused() {
    var decoder = FixDecoder()
    for (latitude, longitude) in [(Double.nan, 13.4), (52.5, .infinity), (91, 0), (0, 0), (52.5, 361)] {
      var position = Self.position()
      position.latitude = latitude
      position.longitude = longitude
      #expect(decoder.take(position) == .unusable(.notAPosition))
    }
    var timeless = Self.position()
    timeless.time = nil
    #expect(decoder.take(timeless) == .unusable(.noTime))
  }

  @Test func velocityIsTakenFromItsComponentsFirst() throws {
    var decoder = FixDecoder()
    var position = Self.position()
    (position.velocityNorth, position.velocityEast, position.velocityDown) = (3, -4, 0.5)
    (position.speed, position.track) = (99, 10)
    #expect(try Self.reading(decoder.take(position)).fix.velocityNED == Vector3(3, -4, 0.5))
  }

  @Test func speedAndTrackMakeAHorizontalVelocity() throws {
    var decoder = FixDecoder()
    var position = Self.position()
    (position.speed, position.track) = (10, 120)
    let velocity = try #require(try Self.reading(decoder.take(position)).fix.velocityNED)
    #expect(abs(velocity.x + 5) < 1e-12)
    #expect(abs(velocity.y - 8.660254037844386) < 1e-12)
    #expect(velocity.z.isNaN)
  }

  @Test func aClimbThatGPSDMadeOfTwoHeightsIsLeftOut() throws {
    // Figures of a u-blox M8L at 10 Hz on gpsd 3.22: a climb of 0.76 m/s for 76 mm in 0.1 s.
    var decoder = FixDecoder()
    func moving(_ second: Double, height: Double, climb: Double) -> GPSDPosition {
      var position = Self.position(second: second)
      (position.speed, position.track, position.climb) = (10, 0, climb)
      position.heightAboveEllipsoid = height
      return position
    }
    func down(_ position: GPSDPosition) throws -> Double {
      try #require(try Self.reading(decoder.take(position)).fix.velocityNED).z
    }
    #expect(try down(moving(0, height: 311.221, climb: 0.5)).isNaN)
    #expect(try down(moving(0.1, height: 311.297, climb: 0.76)).isNaN)
    #expect(try down(moving(0.2, height: 311.371, climb: 0.31)) == -0.31)
    // gpsd 3.22 keeps the climb that it made of the first two heights for all that follow:
    // 2.456 m/s on a level road.
    #expect(try down(moving(0.3, height: 311.374, climb: 0.03)).isNaN)
    #expect(try down(moving(0.4, height: 311.391, climb: 0.03)).isNaN)
    #expect(try down(moving(0.5, height: 311.311, climb: 0.03)).isNaN)
  }

  @Test func aSpeedWithoutTrackIsOnlyBelievedAtRest() throws {
    var decoder = FixDecoder()
    var standing = Self.position()
    standing.speed = 0.015
    let velocity = try #require(try Self.reading(decoder.take(standing)).fix.velocityNED)
    #expect(velocity.x == 0 && velocity.y == 0)
    var made = Self.position(second: 1)
    made.speed = 12
    #expect(try Self.reading(decoder.take(made)).fix.velocityNED == nil)
  }

  @Test func aSpeedErrorThatGPSDMadeOfPositionsIsLeftOut() throws {
    // Figures of a u-blox M8U on gpsd 3.22: (2.625 + 2.625) / 1 s.
    var decoder = FixDecoder()
    func moving(_ second: Double, eps: Double) -> GPSDPosition {
      var position = Self.position(second: second)
      (position.speed, position.track) = (10, 0)
      (position.epx, position.epy, position.eps) = (2.475, 2.625, eps)
      return position
    }
    // What the epoch before stated is not known yet.
    #expect(try Self.reading(decoder.take(moving(0, eps: 5.25))).fix.speedSigma == nil)
    #expect(try Self.reading(decoder.take(moving(1, eps: 5.25))).fix.speedSigma == nil)
    #expect(try Self.reading(decoder.take(moving(2, eps: 0.3))).fix.speedSigma == 0.3)
    // Twice in one epoch, still against the epoch before.
    var again = moving(2, eps: 5.25)
    again.latitude += 1e-6
    #expect(try Self.reading(decoder.take(again)).fix.speedSigma == nil)
    // Without errors per axis there is nothing to make it of: a u-blox M8L.
    var own = Self.position(second: 3)
    (own.speed, own.track, own.eps, own.epd) = (10, 0, 0.28, 4.8486)
    let fix = try Self.reading(decoder.take(own)).fix
    #expect(fix.speedSigma == 0.28)
    #expect(abs((fix.courseSigma ?? 0) - 0.0846240) < 1e-6)
  }

  @Test func aDateBeforeTheEarliestIsKeptAsItIs() throws {
    var decoder = FixDecoder()
    var position = Self.position()
    position.time = Timestamp(seconds: 1_118_327_684)  // 2005, 1024 weeks ago and more
    #expect(try Self.reading(decoder.take(position)).fix.time == Timestamp(seconds: 1_118_327_684))
  }
}
