import Location
import LocationService
import Navigation
import Testing

/// The rules of the standard service that take several clients to show.
@Suite struct HubTests {
  @Test func rule1TheHubRunsOnlyWhatTheStrictestClientNeeds() {
    var bench = Bench()
    #expect(bench.hub.demand == .off)
    let (a, b) = (bench.client("a"), bench.client("b"))
    #expect(bench.hub.demand == .off)
    bench.say(.start(session: 1), a)
    #expect(bench.hub.demand == .standard(.bestForNavigation))
    var coarse = StandardService.Settings()
    coarse.desiredAccuracy = .kilometer
    bench.say(.configure(coarse), b)
    bench.say(.start(session: 1), b)
    bench.say(.stop(), a)
    #expect(bench.hub.demand == .standard(.kilometer))
    bench.hub.disconnect(b)
    #expect(bench.hub.demand == .off)
  }

  @Test func rule3TheFirstUpdateIsWhatIsKnownAlready() {
    var bench = Bench()
    bench.drive(north: 0)
    bench.wait(5)
    let id = bench.client()
    _ = bench.take(id)
    bench.say(.start(session: 7), id)
    let first = bench.takeLocations(id)
    #expect(first.count == 1 && first[0].sources.contains(.cached))
    #expect(first[0].timestamp == Made.time(1))
  }

  @Test func rule3TheLastPlaceStaysKnownWhereTheEngineHasNoneAnyMore() {
    var bench = Bench()
    bench.drive(north: 0)
    bench.seconds += 5
    bench.hub.update(
      .init(location: nil, sources: 1, lostSources: ["replay"], hasEnded: true),
      at: Made.time(bench.seconds), utc: nil)
    let id = bench.client()
    bench.say(.start(session: 7), id)
    bench.wait(1)
    let messages = bench.take(id)
    let told = messages.flatMap(\.locations)
    #expect(told.map(\.timestamp) == [Made.time(1)] && told.first?.sources.contains(.cached) == true)
    let reasons = messages.compactMap { message -> LocationError.UnknownReason? in
      if case .status(let status) = message { status.unknown } else { nil }
    }
    #expect(!reasons.isEmpty && reasons.allSatisfy { $0 == .replayEnded })
  }

  @Test func rule4ARefinedLocationReachesTheClientsThatHaveToldOlderOnes() {
    var bench = Bench()
    let id = bench.client()
    bench.say(.start(session: 1), id)
    bench.drive(north: 0, accuracy: 50)
    _ = bench.take(id)
    let older = Made.location(north: 1, accuracy: 3, at: bench.seconds - 0.5)
    bench.hub.update(.init(location: older, sources: 1), at: Made.time(bench.seconds + 0.2), utc: nil)
    let told = bench.takeLocations(id)
    #expect(told.map(\.timestamp) == [older.timestamp] && told.first?.sources.contains(.refined) == true)
  }

  @Test func rule5RequestsAreAnsweredOnceAndBelongToNoSession() throws {
    var bench = Bench()
    let id = bench.client()
    _ = bench.take(id)
    bench.say(.requestLocation(number: 5, within: 30), id)
    bench.say(.bestOf(number: 6, count: 3, within: 30), id)
    for i in 0..<5 { bench.drive(north: Double(i), accuracy: 2) }
    let answers = bench.take(id).compactMap { message -> Int64? in
      if case .answer(let number, .success) = message { number } else { nil }
    }
    #expect(answers == [5, 6])
    #expect(bench.hub.demand == .off)
  }

  @Test func rule5ARequestThatCannotBeAnsweredSaysWhy() {
    var bench = Bench()
    let id = bench.client()
    bench.say(.requestLocation(number: 1, within: 3), id)
    _ = bench.take(id)
    bench.wait(3.1)
    #expect(bench.take(id).contains(.answer(number: 1, .failure(.locationUnknown(.hardwareMissing)))))
  }

  @Test func rule6AfterStopNothingThatWasQueuedArrives() {
    var bench = Bench()
    let id = bench.client()
    bench.say(.start(session: 1), id)
    for i in 0..<10 { bench.drive(north: Double(i) * 10) }
    bench.say(.stop(), id)
    #expect(bench.takeLocations(id).isEmpty)
    for i in 0..<10 { bench.drive(north: Double(i) * 10) }
    #expect(bench.takeLocations(id).isEmpty)
  }

  @Test func aLateStopOfAnEarlierSessionDoesNotEndTheOneThatRuns() {
    var bench = Bench()
    let id = bench.client()
    bench.say(.start(session: 1), id)
    bench.say(.start(session: 2), id)
    bench.say(.stop(session: 1), id)
    bench.drive(north: 0)
    #expect(!bench.takeLocations(id).isEmpty)
    bench.say(.stop(session: 2), id)
    bench.drive(north: 10)
    #expect(bench.takeLocations(id).isEmpty && bench.hub.demand == .off)
  }

  @Test func rule7EachClientHasSettingsOfItsOwn() {
    var bench = Bench()
    let (near, far) = (bench.client("near"), bench.client("far"))
    var settings = StandardService.Settings()
    settings.distanceFilter = 45
    bench.say(.configure(settings), far)
    bench.say(.start(session: 1), near)
    bench.say(.start(session: 9), far)
    for i in 0...20 { bench.drive(north: Double(i) * 10) }
    #expect(bench.takeLocations(near).count == 21)
    #expect(bench.takeLocations(far).count == 5)
  }

  @Test func rule7ASlowClientLosesOldLocationsAndNothingElse() throws {
    var bench = Bench()
    let (slow, quick) = (bench.client("slow"), bench.client("quick"))
    bench.say(.start(session: 1), slow)
    bench.say(.start(session: 1), quick)
    bench.say(.startMonitoring(Made.home), slow)
    bench.say(.allowDeferredUpdates(number: 2, untilTraveled: 100, timeout: nil), slow)
    var quickCount = 0
    // 2 hours at 10 Hz, in and out of the region twice.
    for i in 0..<72_000 {
      let north = i < 20_000 ? 0 : i < 40_000 ? 500.0 : i < 60_000 ? 0 : 500
      bench.drive(north: north + Double(i % 10), step: 0.1)
      quickCount += bench.takeLocations(quick).count
    }
    #expect(quickCount == 72_000)
    #expect(bench.hub.lostLocations > 70_000)
    let late = bench.take(slow)
    #expect(late.count < 100)
    #expect(late.compactMap(\.event).map(\.kind) == [.exited, .entered, .exited])
    #expect(late.contains(.deferredFinished(number: 2, .traveled)))
    #expect(late.flatMap(\.locations).last?.timestamp == Made.time(bench.seconds))
    #expect(late.count(where: \.isStatus) == 1)
  }

  @Test func errorStatusComesToEveryClientAlsoWhenNothingIsKnown() {
    var bench = Bench()
    let id = bench.client()
    _ = bench.take(id)
    var statuses = 0
    for _ in 0..<100 {
      bench.wait(0.1)
      statuses += bench.take(id).count(where: \.isStatus)
    }
    #expect((9...11).contains(statuses))
  }

  @Test func errorALostSourceIsAnnouncedToEveryClientAtOnce() {
    var bench = Bench()
    let id = bench.client()
    bench.drive(north: 0, step: 0.1)
    _ = bench.take(id)
    bench.drive(north: 0, step: 0.1, lost: ["gnss"])
    let said = bench.take(id).compactMap { if case .status(let status) = $0 { status } else { nil } }
    #expect(said.map(\.lostSources) == [["gnss"]])
    // Dead reckoning goes on: the place is known, its radius grows.
    #expect(said.first?.unknown == nil)
  }

  @Test func significantChangesWaitUntilTheClientStartsTheServiceAgain() {
    var bench = Bench()
    let id = bench.client()
    bench.say(.startSignificantChange(session: 1), id)
    bench.drive(north: 0)
    #expect(bench.takeLocations(id).count == 1)
    bench.hub.disconnect(id)
    for i in 1...120 { bench.drive(north: Double(i) * 10) }
    var after = Bench(stored: bench.stored)
    let back = after.client()
    after.wait(1)
    #expect(after.takeLocations(back).isEmpty)
    after.say(.startSignificantChange(session: 2), back)
    let told = after.takeLocations(back)
    #expect(told.count == 2)
    after.say(.startSignificantChange(session: 3), back)
    #expect(after.takeLocations(back).allSatisfy { $0.sources.contains(.cached) })
  }

  @Test func significantChangeIsMeasuredAcrossARestartOfTheService() {
    var bench = Bench()
    let id = bench.client()
    bench.say(.startSignificantChange(session: 1), id)
    bench.drive(north: 0)
    #expect(bench.takeLocations(id).count == 1)
    // Killed and begun again, after a boot whose clock is behind: to stand where the car stood is no
    // change, 600 m further is one.
    for (north, expected) in [(0.0, 0), (30, 0), (600, 1)] {
      var after = Bench(stored: bench.stored)
      after.seconds = -900
      after.drive(north: north)
      let back = after.client()
      after.say(.startSignificantChange(session: 2), back)
      #expect(after.takeLocations(back).count { !$0.sources.contains(.cached) } == expected)
    }
  }

  @Test func significantChangeGetsBetterLocationsForFreeWhileAnotherRunsTheStandardService() {
    var bench = Bench()
    let id = bench.client()
    bench.say(.startSignificantChange(session: 1), id)
    #expect(bench.hub.demand == .significantChange)
    bench.drive(north: 0, accuracy: 2000)
    #expect(bench.takeLocations(id).map(\.horizontalAccuracy) == [2000])
    let other = bench.client("navigator")
    bench.say(.start(session: 1), other)
    #expect(bench.hub.demand == .standard(.bestForNavigation))
    for i in 0..<20 { bench.drive(north: Double(i), accuracy: 5, step: 0.1) }
    #expect(bench.takeLocations(id).map(\.horizontalAccuracy) == [5])
  }

  @Test func significantChangeStoppedMeansStoppedForGood() {
    var bench = Bench()
    let id = bench.client()
    bench.say(.startSignificantChange(session: 1), id)
    bench.say(.stopSignificantChange, id)
    bench.hub.disconnect(id)
    #expect(bench.hub.demand == .off)
    for i in 0...120 { bench.drive(north: Double(i) * 10) }
    let back = bench.client()
    bench.say(.startSignificantChange(session: 2), back)
    #expect(bench.takeLocations(back).allSatisfy { $0.sources.contains(.cached) })
  }
}
