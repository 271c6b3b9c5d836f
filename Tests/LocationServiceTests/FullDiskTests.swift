import CLibrary
import Foundation
import Location
import LocationService
import Locks
import Navigation
import TestParts
import Testing

/// A disk without room: the service goes on, says so once, and writes everything once there is room.
@Suite(.serialized) struct FullDiskTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path }

  private func kept(_ count: Int) -> DurableClient {
    var kept = DurableClient()
    kept.regions = RegionMonitor(
      watches: (0..<count).map {
        RegionWatch(region: .init(identifier: "region \($0)", center: Made.home.center, radius: 50))
      })
    return kept
  }

  @Test func storeWithoutRoomLosesNothingThatWasStoredAndGoesOnOnceThereIsRoom() throws {
    let path = folder + "/store.sqlite"
    let store = try SQLiteStore(path: path, mostPages: 16)
    var stored = 0
    func name(_ i: Int) -> ClientIdentity { .init(name: "client-\(i)", user: 1) }
    #expect(throws: StoreError.full(path: path)) {
      for i in 0..<100 {
        try store.write([.client(name(i), kept(10))])
        stored = i + 1
      }
    }
    #expect(stored > 3)
    for _ in 0..<3 {
      #expect(throws: StoreError.full(path: path)) { try store.write([.client(name(stored), kept(100))]) }
    }
    let expected = Dictionary(uniqueKeysWithValues: (0..<stored).map { (name($0), kept(10)) })
    #expect(try store.read().clients == expected)
    // What takes no more room can be written all the while, and is over a restart.
    try store.write([.client(name(0), DurableClient())])
    try store.close()
    let again = try SQLiteStore(path: path, mostPages: 16)
    #expect(try again.read().clients.count == stored - 1)
    #expect(throws: StoreError.full(path: path)) { try again.write([.client(name(stored), kept(100))]) }
    try again.allow(mostPages: 1000)
    try again.write([.client(name(stored), kept(100))])
    #expect(try again.read().clients[name(stored)] == kept(100))
  }

  /// Takes what is written as long as it may.
  private final class Disk: LocationStore {
    let isFull = Mutex(false)
    let written = Mutex<[[StoreChange]]>([])
    func write(_ changes: [StoreChange]) throws {
      if isFull.withLock({ $0 }) { throw StoreError.full(path: "/disk") }
      written.withLock { $0.append(changes) }
    }
  }

  @Test func serviceWithoutRoomGoesOnSaysSoOnceAndWritesAllOnceThereIsRoom() throws {
    let disk = Disk()
    let log = LineLog()
    let bench = try HostBench(store: disk) { $0.log = log.logger }
    let client = try bench.client()
    client.say(.start(session: 1))
    disk.isFull.withLock { $0 = true }
    // Each a write that fails, the first too, and is said to have.
    var (refused, held) = (0, [Region]())
    for i in 0..<50 {
      client.say(
        .startMonitoring(.init(identifier: "\(i % 5)", center: Made.home.center, radius: 50 + Double(i))))
      client.say(.requestRegions)
      _ = client.first { message in
        if case .regionFailed(_, .notStored) = message { refused += 1 }
        if case .regions(let regions) = message { held += regions }
        return message.isRegions
      }
      if i.isMultiple(of: 10) {
        usleep(110_000)
        bench.publish()
        #expect(client.first { !$0.locations.isEmpty } != nil)
      }
    }
    #expect(refused == 50 && held.isEmpty)
    let admin = try bench.client(name: "admin")
    let spy = ClientIdentity(name: "spy", user: 4711)
    admin.say(.authorize(spy, .init(.denied)))
    #expect(admin.first { if case .failed = $0 { true } else { false } } == .failed(.notStored))
    #expect(log.lines.count == 1 && log.lines[0].contains("no room"))
    #expect(bench.host.takeStatistics().storeFailures > 0)
    disk.isFull.withLock { $0 = false }
    for _ in 0..<1000 where log.lines.count < 2 { usleep(10_000) }
    #expect(log.lines.last == "storage: everything is written again")
    // One change a client, however often it changed.
    let changes = disk.written.withLock { $0.flatMap(\.self) }
    let clients = changes.compactMap { if case .client(_, let kept) = $0 { kept } else { nil } }
    #expect(clients == [DurableClient()] && changes.contains(.decision(spy, .init(.denied))))
    client.say(.startMonitoring(Made.home))
    for _ in 0..<500 where disk.written.withLock({ $0.count }) < 2 { usleep(10_000) }
    #expect(disk.written.withLock { $0.count } >= 2)
  }

  /// `reckond` on a real disk of 300 kB that something else has filled before it begins.
  @Test(.enabled(if: Daemon.binary != nil, "the reckond binary is not beside the tests"))
  func aServiceThatBeginsOnAFullDiskServesAndStoresOnceThereIsRoom() throws {
    let probe = try? Daemon.run("/usr/bin/unshare", ["-m", "mount", "-t", "tmpfs", "none", folder])
    guard probe == 0 else {
      print("skipped: takes a mount namespace of its own, for a small disk")
      return
    }
    let disk = folder + "/disk"
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    let drive = try StandingDrive.write(folder)
    let fill = "! cat /dev/zero > \(disk)/other 2>/dev/null"
    let daemon = try Daemon(
      folder, drive: drive, database: disk + "/store.sqlite",
      startedBy: [
        "/usr/bin/unshare", "-m", "sh", "-c",
        "mount -t tmpfs -o size=300k none \(disk) && \(fill); exec \"$@\"", "sh",
      ])
    let client = try daemon.client()
    client.say(.startMonitoring(Made.home))
    let refusal = ServiceMessage.regionFailed(identifier: "home", .notStored)
    #expect(client.first { if case .regionFailed = $0 { true } else { false } } == refusal)
    client.say(.start(session: 1))
    #expect(client.first { !$0.locations.isEmpty } != nil)
    func said() -> [Substring] { daemon.errors.split(separator: "\n") }
    for _ in 0..<500 where !said().contains(where: { $0.contains("no room") }) { usleep(10_000) }
    usleep(500_000)
    #expect(said().count { $0.contains("no room") } == 1, "\(said())")
    let inside = "/proc/\(daemon.identifier)/root\(disk)"
    #expect(unlink(inside + "/other") == 0)
    for _ in 0..<1000 where !said().contains(where: { $0.contains("written again") }) { usleep(10_000) }
    #expect(said().contains { $0.contains("written again") }, "\(said())")
    // What could not be stored was refused; now it is taken.
    client.say(.startMonitoring(Made.home))
    #expect(client.first { $0 == .regionStarted(identifier: "home") } != nil)
    daemon.signal(SIGSTOP)
    for name in ["store.sqlite", "store.sqlite-wal"] {
      try Data(contentsOf: URL(filePath: "\(inside)/\(name)")).write(
        to: URL(filePath: "\(folder)/copy" + name.dropFirst(5)))
    }
    #expect(
      try SQLiteStore(path: folder + "/copy.sqlite").read().clients.values.map(\.regions.regions) == [
        [Made.home]
      ])
  }
}

extension ServiceMessage {
  fileprivate var isRegions: Bool { if case .regions = self { true } else { false } }
}
