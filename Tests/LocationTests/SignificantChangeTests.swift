import Location
import Navigation
import Testing

@Suite struct SignificantChangeTests {
  @Test func significantChangeReportsOnAbout500MetresMoved() {
    var change = SignificantChange()
    let told = (0...300).filter { change.shouldReport(Made.location(north: Double($0) * 10, at: Double($0))) }
    #expect(told.first == 0)
    // 510 because a few nanometres of rounding may make 500 m out of reach of the 50th.
    for (a, b) in zip(told, told.dropFirst()) { #expect((50...51).contains(b - a)) }
    #expect(told.count >= 6)
  }

  @Test func significantChangeHasHysteresis() {
    var change = SignificantChange()
    // To and fro across the line 500 m away: told at the start, and once at the line.
    var told = 0
    for i in 0..<1000 {
      let north = i == 0 ? 0 : 500 + (i % 2 == 0 ? 40.0 : -40)
      if change.shouldReport(Made.location(north: north, at: Double(i))) { told += 1 }
    }
    #expect(told == 2)
  }

  @Test func significantChangeIsNeverNoise() {
    var change = SignificantChange()
    var dice = Dice(seed: 5)
    // Fixes by cells: 1 km standard deviation each way, honest about it.
    var told = 0
    for i in 0..<5000 {
      let (north, east) = (dice.normal() * 1000, dice.normal() * 1000)
      let location = Made.location(north: north, east: east, accuracy: 1510, at: Double(i))
      if change.shouldReport(location) { told += 1 }
    }
    // The first, and at twice both radii (4.3 standard deviations of a difference) one in some ten thousand.
    #expect(told <= 3)
  }

  @Test func significantChangeGetsBetterLocationsForFree() {
    var change = SignificantChange()
    #expect(change.shouldReport(Made.location(accuracy: 3000, at: 0)) == true)
    #expect(change.shouldReport(Made.location(accuracy: 2000, at: 1)) == false)
    #expect(change.shouldReport(Made.location(accuracy: 5, at: 2)) == true)
    #expect(change.shouldReport(Made.location(accuracy: 1, at: 3)) == false)
  }

  @Test func significantChangeComesAtLittleCost() {
    let demand = HardwareDemand.significantChange
    #expect(!demand.isInertialOn && demand.gnssRate < HardwareDemand.standard(.nearestTenMeters).gnssRate)
  }
}
