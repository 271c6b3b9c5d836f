import CLibrary
import Location
import LocationService
import Navigation
import TestParts
import Testing

@Suite struct HistoryTests {
  private let scratch = ScratchFolder()
  private let program = ClientIdentity(name: "com.example.a", user: Bench.owner)
  private let reduced = AuthorizationPolicy.Grant(
    .authorized, .reduced, fullAccuracyPurposeKeys: ["navigate"])

  /// What a client is told of the last 24 hours; nil where it is denied.
  private func ask(
    _ bench: inout Bench, _ id: Hub.ConnectionID, since: Timestamp? = nil, count: Int64 = 1000
  ) -> [Location]? {
    bench.say(.requestHistory(number: 77, since: since, count: count), id)
    for case .history(77, let answer) in bench.take(id) { return try? answer.get() }
    return nil
  }

  @Test func historyIsThinnedAndBounded() {
    var history = LocationHistory()
    func note(_ second: Double, north: Double) -> Bool {
      history.note(Made.location(north: north, at: second)) != nil
    }
    // 20 m/s, ten times a second; then an hour of standing.
    let driving = (0..<6000).filter { note(Double($0) / 10, north: Double($0) * 2) }
    #expect(driving.count == 60)
    let standing = (0..<3600).filter { note(600 + Double($0), north: 12_000) }
    #expect(standing.count == 4)
    // Two days of driving on.
    for second in 0..<20_000 { _ = note(4200 + Double(second) * 9, north: 12_000 + Double(second) * 100) }
    #expect(history.entries.count == LocationHistory.limit)
    // The clock of a computer that has just started knows nothing of that, …
    var rough = Made.location(at: 100)
    rough.sources = []
    #expect(history.note(rough) == nil && history.entries.count == LocationHistory.limit)
    // … but one of the satellites that goes back was wrong about what seemed to come.
    #expect(note(100, north: 0) && history.entries.last?.utc == Timestamp(seconds: 1.7e9 + 100))
    var none = Made.location(at: 200)
    none.utc = nil
    #expect(history.note(none) == nil)
  }

  /// When the car goes off shows in the quarter of an hour that runs.
  @Test func reducedHistoryEndsWithTheLastWholeQuarter() {
    var history = LocationHistory()
    let quarter: Int64 = 900_000_000_000
    var told = 0
    for second in 0..<5000 {
      let location = Made.location(north: Double(max(0, second - 2000)) * 10, at: Double(second))
      _ = history.note(location)
      guard let now = location.utc, second % 100 == 0 else { continue }
      let places = history.reducedEntries(since: Timestamp(nanoseconds: 0), count: 1000, now: now)
      #expect(places.allSatisfy { $0.utc.nanoseconds / quarter < now.nanoseconds / quarter })
      told = max(told, places.count)
    }
    #expect(told > 3)
  }

  @Test func historyIsToldToWhoHasAskedForIt() throws {
    var bench = Bench()
    let (id, late) = (bench.client(), bench.client("late"))
    bench.drive(north: 0)
    #expect(ask(&bench, id) == [])
    bench.say(.startHistory(number: 1), id)
    #expect(bench.take(id).contains(.history(number: 1, .success([]))))
    #expect(bench.hub.demand == .significantChange)
    for i in 1...100 { bench.drive(north: Double(i) * 100, step: 10) }
    bench.say(.startHistory(number: 1), late)
    for i in 101...110 { bench.drive(north: Double(i) * 100, step: 10) }
    let told = try #require(ask(&bench, id))
    #expect(told.count == 110 && told.map(\.utc) == told.map(\.utc).sorted { $0! < $1! })
    #expect(told.allSatisfy { $0.sources.contains(.cached) && $0.mode == nil })
    #expect(told.last?.timestamp == Made.time(bench.seconds))
    // The last of before holds at the very moment in which it asked.
    #expect(ask(&bench, late)?.count == 11)
    #expect(ask(&bench, id, count: 11)?.map(\.utc) == stride(from: 9, to: 110, by: 10).map { told[$0].utc })
    #expect(ask(&bench, id, since: told[100].utc)?.count == 10)
    #expect(ask(&bench, id, count: .min)?.count == 1)
    // A day later nothing of it is left.
    bench.wait(LocationHistory.memory + 20)
    #expect(ask(&bench, id) == [] && bench.stored.history.isEmpty)
  }

  @Test func historyOutlivesTheServiceAndEndsWithDenial() {
    for end in 0..<4 {
      var bench = Bench()
      let id = bench.client()
      bench.say(.startHistory(number: 1), id)
      for i in 1...50 { bench.drive(north: Double(i) * 100, step: 10) }
      bench.wait(61)
      #expect(bench.stored.history.count == 50)
      var after = Bench(stored: bench.stored)
      after.seconds = bench.seconds
      let back = after.client()
      after.wait(1)
      #expect(ask(&after, back)?.count == 50)
      switch end {
      case 0: after.say(.stopHistory, back)
      case 1: after.hub.decide(.init(.denied), for: program)
      case 2: after.hub.setRules([], locationServicesEnabled: false, trustedUser: Bench.owner)
      default:
        // Denied by the rules of the next start.
        after = Bench(stored: bench.stored, rules: [.init(name: "*", user: nil, grant: .init(.denied))])
        after.written = bench.written
      }
      after.settle()
      var whole = bench
      whole.written += after.written
      #expect(whole.stored.history.isEmpty && whole.stored.clients[program]?.historySince == nil, "\(end)")
      #expect((ask(&after, end == 3 ? after.client() : back) ?? []).isEmpty)
    }
  }

  /// However often and however it asks, also while accuracy is full for a while.
  @Test func historyOfReducedAccuracyIsACellOfEachQuarterOfAnHour() throws {
    var bench = Bench(rules: [.init(name: "com.example.a", user: nil, grant: reduced)])
    let (id, own) = (bench.client(), bench.client("own"))
    for each in [id, own] { bench.say(.startHistory(number: 1), each) }
    // Two days along a meridian.
    var told: [Timestamp: Set<Coordinate>] = [:]
    for i in 0..<17_280 {
      bench.drive(north: Double(i % 8640) * 100, step: 10)
      guard i % 37 == 0 || i > 17_200 else { continue }
      if i == 17_240 {
        bench.say(.requestTemporaryFullAccuracy(number: 1, purposeKey: "navigate"), id)
      }
      for count in [Int64(3), 1000] {
        for place in try #require(ask(&bench, id, since: i % 2 == 0 ? nil : Made.time(1.7e9), count: count)) {
          #expect(place.sources.contains(.reduced) && place.horizontalAccuracy > 3000)
          told[try #require(place.utc), default: []].insert(place.coordinate)
        }
      }
    }
    #expect(told.count > 180 && told.count <= 193)
    for (time, places) in told {
      #expect(places.count == 1 && time.nanoseconds % 900_000_000_000 == 0)
    }
    #expect(ask(&bench, own)?.count == 1000)
  }

  @Test func historyIsAnsweredOnceAtATime() {
    var bench = Bench()
    let id = bench.client()
    bench.say(.startHistory(number: 1), id)
    for i in 1...20 { bench.drive(north: Double(i) * 100, step: 10) }
    _ = bench.take(id)
    for number in 2...5 { bench.say(.requestHistory(number: Int64(number), since: nil, count: 1000), id) }
    let answers = bench.take(id).filter { if case .history = $0 { true } else { false } }
    #expect(answers.count == 4)
    #expect(answers.last == .history(number: 5, .failure(.protocolViolation("too many open requests"))))
    // What waits is taken back from who is denied, or put down.
    for word in [AuthorizationPolicy.Grant(.denied), .init(.authorized, .reduced)] {
      bench.hub.decide(.init(.authorized), for: program)
      bench.say(.startHistory(number: 1), id)
      for i in 1...20 { bench.drive(north: Double(i) * 100, step: 10) }
      _ = bench.take(id)
      bench.say(.requestHistory(number: 6, since: nil, count: 1000), id)
      bench.hub.decide(word, for: program)
      for case .history(6, .success) in bench.take(id) { Issue.record("told after all") }
    }
  }

  @Test func historyOfAReplayedDriveIsNotWritten() {
    var bench = Bench()
    let id = bench.client()
    bench.say(.startHistory(number: 1), id)
    for i in 0..<20 {
      bench.seconds += 10
      var location = Made.location(north: Double(i) * 100, at: bench.seconds)
      location.sources = [.simulated]
      bench.hub.update(.init(location: location, sources: 1), at: Made.time(bench.seconds), utc: location.utc)
      bench.settle()
    }
    #expect(ask(&bench, id)?.count == 20 && bench.stored.history.isEmpty)
  }

  @Test func theManagerAsksForHistoryBehindASocket() async throws {
    let store = try SQLiteStore(path: scratch("store.sqlite"))
    var bench = try HostBench(store: store)
    var manager = try LocationManager(identifier: "a", purpose: "to test", socket: bench.path)
    func allowed() async throws {
      for _ in 0..<500 where manager.authorizationStatus != .authorized {
        try await Task.sleep(for: .milliseconds(10))
      }
    }
    try await allowed()
    bench.publish()
    try await Task.sleep(for: .milliseconds(700))
    try await manager.startKeepingHistory()
    bench.publish()
    try await Task.sleep(for: .milliseconds(300))
    let told = try await manager.requestHistoricalLocations()
    #expect(told.count == 1 && told.first?.horizontalAccuracy == 5)
    manager.close()
    bench.host.stop(within: 5)
    try store.close()
    let again = try SQLiteStore(path: scratch("store.sqlite"))
    bench = try HostBench(stored: again.read(), store: again)
    manager = try LocationManager(identifier: "a", purpose: "to test", socket: bench.path)
    try await allowed()
    try await Task.sleep(for: .milliseconds(200))
    #expect(
      try await manager.requestHistoricalLocations(sampleCount: 5).map(\.coordinate) == told.map(\.coordinate)
    )
    manager.stopKeepingHistory()
    #expect(try await manager.requestHistoricalLocations().isEmpty)
    manager.close()
    bench.host.stop(within: 5)
    #expect(try again.read().history.isEmpty)
    try again.close()
  }
}
