import Location
import Navigation
import TestParts
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
    // Fixes by cells: 1 km standard deviation each way, honest about it.
    var told = 0
    for seed in 1...100 {
      var change = SignificantChange()
      var dice = Dice(seed: UInt64(seed))
      for i in 0..<1000 {
        let (north, east) = (dice.normal() * 1000, dice.normal() * 1000)
        let location = Made.location(north: north, east: east, accuracy: 1510, at: Double(i))
        if change.shouldReport(location) { told += 1 }
      }
    }
    // The first of each hundred, and one in some five thousand after: mostly back from a
    // first one that was far off.
    #expect(told < 140)
  }

  @Test func significantChangeOfACoarsePlaceIsToldOnceASecondLocationBearsItOut() {
    var change = SignificantChange()
    #expect(change.shouldReport(Made.location(accuracy: 1000, at: 0)) == true)
    #expect(change.shouldReport(Made.location(north: 4000, accuracy: 1000, at: 1)) == false)
    #expect(change.shouldReport(Made.location(north: 0, accuracy: 1000, at: 2)) == false)
    #expect(change.shouldReport(Made.location(north: 4000, accuracy: 1000, at: 3)) == false)
    #expect(change.shouldReport(Made.location(north: 4000, accuracy: 1000, at: 4)) == true)
    #expect(change.shouldReport(Made.location(north: 10000, accuracy: 1000, at: 5)) == true)
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
