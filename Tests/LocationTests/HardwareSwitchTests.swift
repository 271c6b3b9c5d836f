import Location
import Navigation
import Testing

/// What hardware runs while clients come and go.
struct HardwareSwitchTests {
  private static let fused = HardwareDemand.standard(.bestForNavigation)
  private static let coarse = HardwareDemand.standard(.threeKilometers)

  @Test func rule1MoreRunsAtOnceAndLessOnlyAfterAWhile() {
    var hardware = HardwareSwitch(patience: 60)
    #expect(hardware.update(.off, at: Made.time(0)) == .off)
    #expect(hardware.update(Self.fused, at: Made.time(1)) == Self.fused)
    // A client that goes leaves its hardware running for a minute, and one that comes again finds it so.
    #expect(hardware.update(Self.coarse, at: Made.time(2)) == Self.fused)
    #expect(hardware.update(Self.coarse, at: Made.time(60)) == Self.fused)
    #expect(hardware.update(Self.fused, at: Made.time(60.5)) == Self.fused)
    #expect(hardware.update(Self.coarse, at: Made.time(120)) == Self.fused)
    #expect(hardware.update(Self.coarse, at: Made.time(120.5)) == Self.coarse)
    #expect(hardware.update(Self.fused, at: Made.time(121)) == Self.fused)
  }

  @Test func rule1AllIsOffAfterTheLastStop() {
    var hardware = HardwareSwitch(patience: 5)
    _ = hardware.update(Self.fused, at: Made.time(0))
    #expect(hardware.update(.off, at: Made.time(4.9)) == Self.fused)
    #expect(hardware.update(.off, at: Made.time(5)) == .off)
    var impatient = HardwareSwitch(patience: 0)
    _ = impatient.update(Self.fused, at: Made.time(0))
    #expect(impatient.update(.off, at: Made.time(0.1)) == .off)
  }

  /// The receiver slows down while the IMU is still in its minute, and the other way round.
  @Test func rule1EachPartHasATimeOfItsOwn() {
    var hardware = HardwareSwitch(patience: 10)
    _ = hardware.update(.init(gnssRate: 5, isInertialOn: false), at: Made.time(0))
    _ = hardware.update(.init(gnssRate: 1, isInertialOn: true), at: Made.time(8))
    #expect(
      hardware.update(.init(gnssRate: 1, isInertialOn: false), at: Made.time(11))
        == .init(gnssRate: 1, isInertialOn: true))
    #expect(
      hardware.update(.init(gnssRate: 1, isInertialOn: false), at: Made.time(18))
        == .init(gnssRate: 1, isInertialOn: false))
  }

  @Test func rule1WhoNeedsNoBetterThanAHundredMetresNeedsNoIMU() {
    for level in DesiredAccuracy.allCases {
      #expect(HardwareDemand.standard(level).isInertialOn == (level.meters < 100), "\(level)")
    }
    #expect(!HardwareDemand.regions.isInertialOn && !HardwareDemand.significantChange.isInertialOn)
  }
}
