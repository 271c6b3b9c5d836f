import CLibrary
import Foundation
import Location
import LocationService
import Locks
import Navigation
import TestParts
import Testing

/// An answer that says that something outlives the service comes once it is on the disk, or says that it is
/// not.
@Suite struct DurableAnswerTests {
  private let spy = ClientIdentity(name: "com.example.spy", user: Bench.stranger)

  private func isDecided(_ message: ServiceMessage) -> Bool {
    if case .authorizations = message { true } else { false }
  }

  @Test func aDecisionIsAnsweredOnlyOnceItIsWrittenAndHoldsAtOnce() throws {
    var bench = Bench(rules: [.init(name: spy.name, user: nil, grant: .init(.authorized))])
    let (admin, told) = (bench.client("admin"), bench.client(spy.name, user: spy.user))
    _ = (bench.take(admin), bench.take(told))
    bench.writes = false
    bench.say(.authorize(spy, .init(.denied)), admin)
    #expect(bench.take(admin).isEmpty)
    #expect(bench.take(told).contains(.failed(.denied(.deniedForClient))))
    let (number, changes) = try bench.handOver()
    #expect(changes == [.decision(spy, .init(.denied))] && bench.take(admin).isEmpty)
    bench.hub.stored(number)
    #expect(bench.take(admin) == [.authorizations([.init(client: spy, grant: .init(.denied))], [])])
  }

  @Test func aDecisionThatCannotBeWrittenIsAnsweredByAnErrorAndListedAsNotStored() throws {
    var bench = Bench()
    let admin = bench.client("admin")
    _ = bench.take(admin)
    bench.writes = false
    bench.say(.authorize(spy, .init(.denied)), admin)
    let number = try bench.handOver().number
    bench.hub.stored(number, succeeded: false)
    #expect(bench.take(admin) == [.failed(.notStored)])
    bench.say(.requestAuthorizations, admin)
    let listed = ServiceMessage.Decision(client: spy, grant: .init(.denied), isStored: false)
    #expect(bench.take(admin) == [.authorizations([listed], [])])
    // Tried again, it is stored.
    bench.hub.stored(number)
    bench.say(.requestAuthorizations, admin)
    #expect(bench.take(admin) == [.authorizations([.init(client: spy, grant: .init(.denied))], [])])
    bench.say(.authorize(spy, nil), admin)
    let later = try bench.handOver().number
    bench.hub.stored(later, succeeded: false)
    bench.say(.requestAuthorizations, admin)
    let forgotten = ServiceMessage.Decision(client: spy, grant: nil, isStored: false)
    #expect(bench.take(admin) == [.failed(.notStored), .authorizations([forgotten], [])])
  }

  @Test func aDiskThatDoesNotAnswerIsWaitedForThreeSeconds() {
    var bench = Bench()
    let id = bench.client()
    bench.writes = false
    bench.say(.authorize(spy, .init(.denied)), id)
    bench.say(.startMonitoring(Made.home), id)
    bench.say(.requestRegions, id)
    _ = bench.hub.takeStoreChanges()
    bench.wait(2.9)
    let early = bench.take(id)
    #expect(!early.contains(.failed(.notStored)) && !early.contains(.regions([])))
    bench.wait(0.2)
    let late = bench.take(id)
    #expect(late.contains(.failed(.notStored)))
    #expect(late.contains(.regionFailed(identifier: "home", .notStored)) && late.contains(.regions([])))
    #expect(bench.hub.demand == .off)
  }

  @Test func aRegionIsConfirmedAndListedOnlyOnceItIsWritten() throws {
    var bench = Bench()
    let id = bench.client()
    _ = bench.take(id)
    bench.writes = false
    bench.say(.startMonitoring(Made.home), id)
    bench.say(.requestRegions, id)
    bench.say(.requestState(identifier: "home"), id)
    let number = try bench.handOver().number
    bench.drive(north: 0)
    let early = bench.take(id).filter { !$0.isStatus }
    #expect(early.isEmpty)
    bench.hub.stored(number)
    #expect(
      bench.take(id) == [
        .regionStarted(identifier: "home"), .regions([Made.home]),
        .regionState(identifier: "home", .unknown),
      ])
  }

  @Test func aRegionThatCannotBeWrittenHasNotBegunAndTheOneBeforeItGoesOn() throws {
    var bench = Bench()
    let id = bench.client()
    bench.say(.startMonitoring(Made.home), id)
    _ = bench.take(id)
    bench.writes = false
    func home(_ radius: Double) -> Region {
      .init(identifier: "home", center: Made.home.center, radius: radius)
    }
    for radius in [150.0, 200] { bench.say(.startMonitoring(home(radius)), id) }
    bench.say(.startMonitoring(.init(identifier: "new", center: Made.home.center, radius: 50)), id)
    let first = try bench.handOver().number
    bench.say(.startMonitoring(home(250)), id)
    let second = try bench.handOver().number
    bench.hub.stored(first, succeeded: false)
    bench.hub.stored(second, succeeded: false)
    bench.say(.requestRegions, id)
    let said = bench.take(id)
    #expect(said.count { $0 == .regionFailed(identifier: "home", .notStored) } == 3)
    #expect(said.contains(.regionFailed(identifier: "new", .notStored)))
    #expect(said.last == .regions([Made.home]))
    // What was taken back is written over what may have been written after all.
    guard case .client(_, let kept)? = bench.hub.takeStoreChanges()?.changes.last else {
      Issue.record("nothing is written")
      return
    }
    #expect(kept.regions.regions == [Made.home])
  }

  @Test func aRegionThatCannotBeForgottenIsSaid() throws {
    var bench = Bench()
    let id = bench.client()
    bench.say(.startMonitoring(Made.home), id)
    _ = bench.take(id)
    bench.writes = false
    bench.say(.stopMonitoring(identifier: "home"), id)
    bench.hub.stored(try bench.handOver().number, succeeded: false)
    #expect(bench.take(id) == [.regionFailed(identifier: "home", .notStored)])
  }

  @Test func whoIsDeniedWhileItWaitsIsToldThatAndNoRegion() throws {
    var bench = Bench()
    let id = bench.client()
    _ = bench.take(id)
    bench.writes = false
    bench.say(.startMonitoring(Made.home), id)
    bench.say(.requestRegions, id)
    bench.hub.decide(.init(.denied), for: .init(name: "com.example.a", user: Bench.owner))
    bench.hub.stored(try bench.handOver().number)
    let said = bench.take(id)
    #expect(said.contains(.regionFailed(identifier: "home", .denied(.deniedForClient))))
    #expect(!said.contains(.regionStarted(identifier: "home")) && !said.contains(.regions([Made.home])))
  }
}

/// The built `reckond`, killed the moment after it has answered, and with its database taken away.
@Suite(.serialized, .enabled(if: Daemon.binary != nil, "the reckond binary is not beside the tests"))
struct DurabilityTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path }

  private func isDecisions(_ message: ServiceMessage) -> Bool {
    if case .authorizations = message { true } else { false }
  }

  private func region(_ i: Int) -> Region {
    .init(identifier: "region \(i)", center: Made.home.center, radius: 100)
  }

  @Test func whatWasAnsweredOutlivesKill9() throws {
    let drive = try StandingDrive.write(folder)
    for i in 0..<12 {
      var daemon = try Daemon(folder, drive: drive)
      var client = try daemon.client()
      let spies = (0..<20).map { ClientIdentity(name: "spy-\(i)-\($0)", user: 4711) }
      for spy in spies { client.say(.authorize(spy, .init(.denied))) }
      for _ in spies { try #require(client.first(isDecisions) != nil) }
      client.say(.startMonitoring(region(i)))
      try #require(client.first { $0 == .regionStarted(identifier: region(i).identifier) } != nil)
      daemon.kill()
      daemon = try Daemon(folder, drive: drive)
      client = try daemon.client()
      client.say(.requestAuthorizations)
      guard case .authorizations(let decisions, _)? = client.first(isDecisions) else {
        Issue.record("no answer")
        return
      }
      #expect(Set(spies).isSubset(of: decisions.map(\.client)))
      client.say(.requestRegions)
      let all = (0...i).map(region).sorted { $0.identifier < $1.identifier }
      #expect(client.first { if case .regions = $0 { true } else { false } } == .regions(all))
      daemon.kill()
    }
  }

  @Test(arguments: ["database", "log", "both", "folder"])
  func aDatabaseThatIsDeletedWhileItRunsIsSaidAndMadeAnewOfAllThatIsKnown(_ what: String) throws {
    let (home, database) = (folder + "/state", folder + "/state/store.sqlite")
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    let log = LineLog()
    var configuration = ServiceConfiguration()
    configuration.socket = folder + "/s"
    configuration.database = database
    let feed = try ReplayFeed(path: try StandingDrive.write(folder))
    let service = try LocationDaemon(configuration, feed: feed, log: log.logger)
    try service.start()
    let client = try Daemon.client(at: folder + "/s")
    let spy = ClientIdentity(name: "spy", user: 4711)
    client.say(.authorize(spy, .init(.denied)))
    try #require(client.first(isDecisions) != nil)
    client.say(.startMonitoring(region(0)))
    try #require(client.first { $0 == .regionStarted(identifier: "region 0") } != nil)
    switch what {
    case "database": try FileManager.default.removeItem(atPath: database)
    case "log": try FileManager.default.removeItem(atPath: database + "-wal")
    case "both":
      for end in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: database + end) }
    default:
      try FileManager.default.removeItem(atPath: home)
      #expect(service.beat())
      for _ in 0..<500 where !log.lines.contains(where: { $0.contains("no folder") }) { usleep(10_000) }
      #expect(log.lines.contains { $0.contains("there is no folder") }, "\(log.lines)")
      try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    }
    // Seen within a second also where nothing is to be written; and what is answered from then on is in the
    // new one.
    #expect(service.beat())
    client.say(.startMonitoring(region(1)))
    let isTold = { (message: ServiceMessage) in
      message == .regionStarted(identifier: "region 1")
        || message == .regionFailed(identifier: "region 1", .notStored)
    }
    #expect(client.first(isTold) == .regionStarted(identifier: "region 1"))
    for _ in 0..<500 where !log.lines.contains(where: { $0.hasSuffix("written again") }) { usleep(10_000) }
    #expect(log.lines.contains { $0.contains("was removed or replaced while in use") }, "\(log.lines)")
    let stored = try SQLiteStore(path: database).read()
    #expect(stored.decisions == [spy: .init(.denied)])
    #expect(stored.clients.values.map(\.regions.regions) == [[region(0), region(1)]])
    #expect(service.stop(within: 10))
  }
}
