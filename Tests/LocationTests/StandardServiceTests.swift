import Location
import Navigation
import TestParts
import Testing

/// The numbered rules of the standard service that a single client can show.
@Suite struct StandardServiceTests {
  private func locations(_ outputs: [StandardService.Output]) -> [Location] {
    outputs.flatMap { if case .locations(let batch) = $0 { batch } else { [Location]() } }
  }

  private func running(_ change: (inout StandardService.Settings) -> Void = { _ in }) -> StandardService {
    var settings = StandardService.Settings()
    change(&settings)
    var service = StandardService(settings: settings)
    _ = service.start(session: 1, cached: nil, at: Made.time(0))
    return service
  }

  @Test func rule1DesiredAccuracyIsARequestAndWhatWasReachedIsReported() {
    var service = running { $0.desiredAccuracy = .nearestTenMeters }
    let told = locations(service.offer(Made.location(accuracy: 80, at: 1), at: Made.time(1)))
    #expect(told.map(\.horizontalAccuracy) == [80])
    #expect(StandardService.Settings().desiredAccuracy == .bestForNavigation)
  }

  @Test func rule1OnlyTheHardwareOfTheStrictestClientRuns() {
    let levels = DesiredAccuracy.allCases.sorted()
    for (i, strict) in levels.enumerated() {
      let demands = levels[...i].shuffled().map { HardwareDemand.standard($0) }
      #expect(HardwareDemand.strictest(demands) == .standard(strict))
    }
    #expect(HardwareDemand.standard(.bestForNavigation).isInertialOn)
    #expect(!HardwareDemand.standard(.hundredMeters).isInertialOn)
  }

  @Test func rule1HardwareIsOffWhenTheLastClientStops() {
    var (first, second) = (running(), running { $0.desiredAccuracy = .kilometer })
    func demand() -> HardwareDemand { .strictest([first.demand, second.demand]) }
    #expect(demand() == .standard(.bestForNavigation))
    _ = first.stop()
    #expect(demand() == .standard(.kilometer))
    _ = second.stop()
    #expect(demand() == .off)
  }

  @Test func rule1WhoAsksForLittleIsNotWokenForMore() {
    var service = running { $0.desiredAccuracy = .hundredMeters }
    var told = 0
    for i in 0..<100 {
      let seconds = Double(i) / 10
      told += locations(service.offer(Made.location(at: seconds), at: Made.time(seconds))).count
    }
    #expect(told == 10)
  }

  @Test func rule2NoDistanceFilterIsTheDefault() {
    var service = running()
    for i in 0..<10 {
      let location = Made.location(at: Double(i) / 10)
      #expect(locations(service.offer(location, at: location.timestamp)) == [location])
    }
  }

  @Test func rule2AFilterNotAboveZeroIsNone() {
    var settings = StandardService.Settings()
    for none in [-1.0, 0, -.infinity, .nan] {
      settings.distanceFilter = none
      #expect(settings == StandardService.Settings())
    }
    settings.distanceFilter = 0.1
    #expect(settings.distanceFilter == 0.1)
  }

  @Test func rule2DistanceFilterMeasuresFromLastReported() {
    var filter = DistanceFilter(distance: 10)
    // 4 m a second away from the start, then back: from the location before it is never 10 m.
    let north = [0.0, 4, 8, 12, 16, 20, 24, 20, 16, 12]
    let told = north.enumerated().compactMap { filter.filter(Made.location(north: $1, at: Double($0))) }
    #expect(told.map { ($0.distance(from: Made.location(at: 0))).rounded() } == [0, 12, 24, 12])
  }

  @Test func rule2DistanceFilterOfTheEdgeItselfPasses() {
    var filter = DistanceFilter(distance: 10)
    #expect(filter.filter(Made.location(at: 0)) != nil)
    #expect(filter.filter(Made.location(north: 9.99, at: 1)) == nil)
    #expect(filter.filter(Made.location(north: 10.001, at: 2)) != nil)
  }

  @Test func rule2ClearlyImprovedAccuracyIsToldThoughTheCarHasNotMoved() {
    var filter = DistanceFilter(distance: 1000)
    #expect(filter.filter(Made.location(accuracy: 500, at: 0)) != nil)
    #expect(filter.filter(Made.location(accuracy: 400, at: 1)) == nil)
    #expect(filter.filter(Made.location(accuracy: 100, at: 2)) != nil)
    // Good enough already: 4 m to 2 m is no news, and worse is none either.
    #expect(filter.filter(Made.location(accuracy: 4, at: 3)) != nil)
    #expect(filter.filter(Made.location(accuracy: 2, at: 4)) == nil)
    #expect(filter.filter(Made.location(accuracy: 300, at: 5)) == nil)
  }

  @Test func rule3TheFirstUpdateMayBeCachedAndSaysSo() {
    var service = StandardService()
    let old = Made.location(at: -600)
    let told = locations(service.start(session: 1, cached: old, at: Made.time(0)))
    #expect(told.count == 1 && told[0].sources.contains(.cached))
    #expect(told[0].timestamp == old.timestamp)
    // The next is new and not marked.
    let new = locations(service.offer(Made.location(at: 1), at: Made.time(1)))
    #expect(new.count == 1 && !new[0].sources.contains(.cached))
  }

  @Test func rule3OfAnEarlierBootOrInvalidNothingIsTold() {
    var service = StandardService()
    #expect(service.start(session: 1, cached: Made.location(at: 50), at: Made.time(0)).isEmpty)
    #expect(service.start(session: 2, cached: Made.location(accuracy: -1, at: -1), at: Made.time(0)).isEmpty)
  }

  @Test func rule4AMoreAccurateLocationMayBeOlderAndIsFlaggedRefined() {
    var service = running()
    _ = service.offer(Made.location(accuracy: 50, at: 10), at: Made.time(10))
    let refined = locations(service.offer(Made.location(accuracy: 5, at: 9), at: Made.time(10.1)))
    #expect(refined.count == 1 && refined[0].sources.contains(.refined))
    #expect(refined[0].timestamp == Made.time(9))
    // Older and worse is not told; nor is the same one twice.
    #expect(service.offer(Made.location(accuracy: 60, at: 8), at: Made.time(10.2)).isEmpty)
    #expect(service.offer(Made.location(accuracy: 5, at: 9), at: Made.time(10.3)).isEmpty)
    // A newer one is no refinement, also after an older one was told.
    let next = locations(service.offer(Made.location(accuracy: 5, at: 10.1), at: Made.time(10.4)))
    #expect(next.count == 1 && !next[0].sources.contains(.refined))
  }

  @Test func rule6AfterStopNothingMoreArrives() {
    var dice = Dice(seed: 3)
    for round in 0..<10_000 {
      var service = running { $0.pausesAutomatically = dice.uniform() < 0.5 }
      var seconds = 0.0
      if dice.uniform() < 0.5 {
        _ = service.allowDeferredUpdates(
          number: 1, untilTraveled: 50, timeout: dice.uniform() * 5, at: Made.time(0))
      }
      for _ in 0..<Int(dice.uniform() * 20) {
        seconds += dice.uniform()
        _ = service.offer(Made.location(north: dice.uniform() * 30, at: seconds), at: Made.time(seconds))
      }
      #expect(locations(service.stop()).isEmpty)
      #expect(service.session == nil && service.demand == .off)
      for _ in 0..<5 {
        seconds += dice.uniform() * 10
        let offered = service.offer(Made.location(at: seconds), at: Made.time(seconds))
        #expect(offered.isEmpty && service.tick(at: Made.time(seconds)).isEmpty, "round \(round)")
      }
    }
  }
}
