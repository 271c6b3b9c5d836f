import Location
import LocationService
import Navigation
import Testing

@Suite struct HubRegionTests {
  private func comeHome(_ bench: inout Bench) {
    for north in stride(from: 1000.0, through: 0, by: -50) { bench.drive(north: north) }
    for _ in 0..<3 { bench.drive(north: 0) }
  }

  @Test func regionEventLeavesOnlyOnceItIsWritten() {
    var bench = Bench()
    let id = bench.client()
    bench.say(.startMonitoring(Made.home), id)
    bench.drive(north: 1000)
    bench.drive(north: 1000)
    bench.writes = false
    comeHome(&bench)
    #expect(bench.take(id).compactMap(\.event).isEmpty)
    bench.writes = true
    bench.settle()
    #expect(bench.take(id).compactMap(\.event).map(\.kind) == [.entered])
  }

  @Test func regionEnteredWhileTheClientWasAwayIsDeliveredOnReturnOnce() {
    var bench = Bench()
    let id = bench.client()
    bench.say(.startMonitoring(Made.home), id)
    bench.drive(north: 1000)
    bench.drive(north: 1000)
    bench.hub.disconnect(id)
    #expect(bench.hub.demand == .regions)
    comeHome(&bench)
    // The service is killed; all there is is what was written.
    var after = Bench(stored: bench.stored)
    let back = after.client()
    #expect(after.take(back).compactMap(\.event).map(\.kind) == [.entered])
    after.say(.acknowledge(event: 1), back)
    after.hub.disconnect(back)
    var last = Bench(
      stored: {
        var state = bench.stored
        for (client, kept) in after.stored.clients { state.clients[client] = kept }
        return state
      }())
    let again = last.client()
    #expect(last.take(again).compactMap(\.event).isEmpty)
    last.say(.requestRegions, again)
    #expect(last.take(again).contains(.regions([Made.home])))
  }

  @Test func regionEventNotAcknowledgedComesAgainOnTheNextConnection() {
    var bench = Bench()
    let id = bench.client()
    bench.say(.startMonitoring(Made.home), id)
    bench.drive(north: 1000)
    bench.drive(north: 1000)
    comeHome(&bench)
    #expect(bench.take(id).compactMap(\.event).count == 1)
    // A second connection of the same client does not get it as long as the first may acknowledge it.
    let second = bench.client()
    #expect(bench.take(second).compactMap(\.event).isEmpty)
    bench.hub.disconnect(id)
    #expect(bench.take(second).compactMap(\.event).count == 1)
  }

  @Test func regionsBelongToTheClientsNameAndUser() {
    var bench = Bench(rules: [.init(name: "*", user: nil, grant: .init(.authorized))])
    let (mine, theirs) = (bench.client("a"), bench.client("a", user: Bench.stranger))
    bench.say(.startMonitoring(Made.home), mine)
    bench.say(.requestRegions, theirs)
    #expect(bench.take(theirs).contains(.regions([])))
  }

  @Test func regionFailureIsReportedWhileNothingCanBeWritten() {
    var bench = Bench()
    let id = bench.client()
    bench.writes = false
    bench.say(.startMonitoring(Made.home), id)
    let number = bench.hub.takeStoreChanges()?.number ?? 99
    bench.hub.stored(number, succeeded: false)
    #expect(bench.take(id).contains(.regionFailed(identifier: "home", .notStored)))
    bench.say(.startMonitoring(.init(identifier: "b", center: Made.home.center, radius: 50)), id)
    bench.hub.stored(bench.hub.takeStoreChanges()?.number ?? 99, succeeded: false)
    #expect(bench.take(id).contains(.regionFailed(identifier: "b", .notStored)))
  }

  @Test func regionStateIsAnsweredAlsoForOnesThatAreNotMonitored() {
    var bench = Bench()
    let id = bench.client()
    bench.say(.startMonitoring(Made.home), id)
    for _ in 0..<3 { bench.drive(north: 0) }
    bench.say(.requestState(identifier: "home"), id)
    bench.say(.requestState(identifier: "nowhere"), id)
    let said = bench.take(id)
    #expect(said.contains(.regionState(identifier: "home", .inside)))
    #expect(said.contains(.regionState(identifier: "nowhere", .unknown)))
  }

  @Test func regionStoppedMakesNoEventsAlsoNotThoseThatWait() {
    var bench = Bench()
    let id = bench.client()
    bench.say(.startMonitoring(Made.home), id)
    bench.drive(north: 1000)
    bench.drive(north: 1000)
    bench.hub.disconnect(id)
    comeHome(&bench)
    let back = bench.client()
    bench.hub.disconnect(back)
    let third = bench.client()
    _ = bench.take(third)
    bench.say(.stopMonitoring(identifier: "home"), third)
    bench.hub.disconnect(third)
    let fourth = bench.client()
    #expect(bench.take(fourth).compactMap(\.event).isEmpty)
  }
}
