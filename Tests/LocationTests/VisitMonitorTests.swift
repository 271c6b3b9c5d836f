import Foundation
import Location
import Navigation
import TestParts
import Testing

@Suite struct VisitMonitorTests {
  private func location(
    north: Double = 0, accuracy: Double = 5, at seconds: Double, speed: Double = 0,
    mode: NavigationMode? = nil
  ) -> Location {
    var location = Made.location(
      north: north, accuracy: accuracy, at: seconds,
      mode: mode ?? (speed == 0 ? .stationary : .aided), speed: speed)
    location.utc = utc(seconds)
    return location
  }

  private func utc(_ seconds: Double) -> Timestamp { Timestamp(seconds: 1.7e9 + seconds) }

  /// Drives up at 10 m/s until 0, then stands `seconds`; what was told meanwhile.
  private func park(_ monitor: inout VisitMonitor, seconds: Int) -> [Visit] {
    (-20..<0).compactMap { monitor.update(location(north: Double($0) * 10, at: Double($0), speed: 10)) }
      + (0...seconds).compactMap { monitor.update(location(at: Double($0))) }
  }

  @Test func visitIsToldAsTheCarHasParkedAndAsItHasLeft() {
    var monitor = VisitMonitor()
    let arrivals = park(&monitor, seconds: 3600)
    #expect(arrivals.count == 1)
    #expect(arrivals.first?.arrival == utc(0) && arrivals.first?.departure == nil)
    #expect(arrivals.first?.arrivalDate == location(at: 0).date)
    #expect(arrivals.first?.departureDate == .distantFuture)
    let departures = (3601..<3660).compactMap {
      monitor.update(location(north: Double($0 - 3600) * 8, at: Double($0), speed: 8))
    }
    #expect(departures.count == 1 && departures.first?.arrival == utc(0))
    #expect(departures.first?.departure == utc(3600))
    #expect(monitor.kept == nil)
  }

  @Test func visitIsNoneAtLightsAndInAJam() {
    var monitor = VisitMonitor()
    var (north, told) = (0.0, 0)
    // Two hours: reds of up to 3 min, a level crossing of 9, and a jam that creeps on 8 m every 4 min.
    for second in 0..<7200 {
      let (cycle, phase) =
        second < 3600 ? (200, second) : second < 4200 ? (590, second - 3600) : (240, second)
      let creeps = phase % cycle < (second < 4200 ? 20 : 4)
      if creeps { north += second < 4200 ? 12 : 2 }
      let place = location(north: north, at: Double(second), speed: creeps ? (second < 4200 ? 12 : 2) : 0)
      if monitor.update(place) != nil { told += 1 }
    }
    #expect(told == 0)
  }

  @Test func visitSurvivesThatTheComputerIsOff() throws {
    for standing in [90, 1200] {
      var before = VisitMonitor()
      let first = park(&before, seconds: standing)
      let kept = try #require(before.kept)
      #expect(first.count == (standing > 600 ? 1 : 0) && kept.isVisit == (standing > 600))
      // Eight hours later, by another boot's clock, the engine begins as the car drives off.
      var after = VisitMonitor(kept: kept)
      func later(_ second: Double, _ north: Double) -> Location {
        var location = location(north: north, at: second - 500, speed: 6)
        location.utc = utc(28_800 + second)
        return location
      }
      let told = (0..<40).compactMap { after.update(later(Double($0), Double($0) * 6)) }
      #expect(told.compactMap(\.arrival) == Array(repeating: utc(0), count: standing > 600 ? 1 : 2))
      let departure = try #require(told.last?.departure)
      #expect(departure >= utc(28_800) && departure <= utc(28_815))
    }
  }

  @Test func visitThatIsOverAsTheComputerStartsElsewhereEndsThen() throws {
    var before = VisitMonitor()
    _ = park(&before, seconds: 1200)
    var after = VisitMonitor(kept: before.kept)
    let told = (0..<10).compactMap { after.update(location(north: 9000, at: 50_000 + Double($0), speed: 9)) }
    #expect(told.count == 1 && told.first?.departure == utc(50_005))
    // One that was not told is over without a word.
    before = VisitMonitor()
    _ = park(&before, seconds: 90)
    after = VisitMonitor(kept: before.kept)
    #expect(
      (0..<10).allSatisfy { after.update(location(north: 9000, at: 50_000 + Double($0), speed: 9)) == nil })
  }

  @Test func visitOfACarThatStoodBeforeHasNoArrival() {
    var monitor = VisitMonitor()
    let told = (0...700).compactMap { monitor.update(location(at: Double($0))) }
    #expect(told.count == 1 && told.first?.arrival == nil)
    #expect(told.first?.arrivalDate == .distantPast)
  }

  @Test func visitStandsStillWhateverTheReceiverSays() {
    var monitor = VisitMonitor()
    #expect(park(&monitor, seconds: 700).count == 1)
    var dice = Dice(seed: 3)
    for second in 701..<20_000 {
      // Between houses, honest about it, now and then far off, and without any place at times.
      let isFar = second % 97 == 0
      let place = location(
        north: isFar ? 400 : dice.normal() * 15, accuracy: isFar ? 8 : 25, at: Double(second),
        mode: .deadReckoning)
      #expect(monitor.update(place) == nil)
      var none = place
      none.horizontalAccuracy = -1
      #expect(monitor.update(none) == nil)
    }
  }

  @Test func visitTakesNoStepOfTheClockForTime() {
    var monitor = VisitMonitor()
    #expect(park(&monitor, seconds: 30).isEmpty)
    // UTC goes a day ahead at a light.
    for second in 31..<120 {
      var place = location(at: Double(second))
      place.utc = utc(86_400 + Double(second))
      #expect(monitor.update(place) == nil)
    }
  }
}
