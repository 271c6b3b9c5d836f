import CLibrary
import Foundation
import Location
import LocationService
import Navigation
import TestParts
import Testing

/// A file system that lets nothing be written, by its mount or by a fault of the disk while the service runs.
@Suite(.serialized, .enabled(if: Daemon.binary != nil, "the reckond binary is not beside the tests"))
struct ReadOnlyDiskTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path }
  private let spy = ClientIdentity(name: "spy", user: 4711)

  /// `reckond` with its database in `folder/disk`, in a mount namespace that `script` prepares.
  private func start(_ script: String) throws -> Daemon {
    try Daemon(
      folder, drive: try StandingDrive.write(folder), database: folder + "/disk/store.sqlite",
      startedBy: ["/usr/bin/unshare", "-m", "sh", "-c", script + "; exec \"$@\"", "sh"])
  }

  private func inNamespace(_ daemon: Daemon, _ command: String) throws -> Int32? {
    try Daemon.run("/usr/bin/nsenter", ["-m", "-t", "\(daemon.identifier)", "sh", "-c", command])
  }

  private func decisions(_ client: RawClient) -> [ServiceMessage.Decision]? {
    client.say(.requestAuthorizations)
    let answer = client.first { if case .authorizations = $0 { true } else { false } }
    return if case .authorizations(let decisions, _)? = answer { decisions } else { nil }
  }

  private func waitForLog(_ daemon: Daemon, _ text: String) {
    #expect(becomesTrue(within: 10) { daemon.errors.contains(text) }, "\(daemon.errors)")
  }

  @Test func aServiceThatStartsOnAReadOnlyDiskKnowsWhatWasStoredAndStoresOnceItCan() throws {
    let disk = folder + "/disk"
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    guard try Daemon.run("/usr/bin/unshare", ["-m", "mount", "-t", "tmpfs", "none", disk]) == 0 else {
      print("skipped: takes a mount namespace of its own, for a disk that cannot be written")
      return
    }
    let store = try SQLiteStore(path: disk + "/store.sqlite")
    try store.write([.decision(spy, .init(.denied))])
    // As after kill -9: what was decided last stands in the log alone.
    let daemon = try start(
      "cp -r \(disk) \(folder)/copy && mount -t tmpfs none \(disk) "
        + "&& cp \(folder)/copy/* \(disk) && mount -o remount,ro \(disk)"
    )
    let client = try daemon.client()
    #expect(decisions(client)?.map(\.client) == [spy])
    client.say(.startMonitoring(Made.home))
    let refusal = ServiceMessage.regionFailed(identifier: "home", .notStored)
    #expect(client.first { if case .regionFailed = $0 { true } else { false } } == refusal)
    waitForLog(daemon, "its file system lets nothing be written")
    client.say(.start(session: 1))
    #expect(client.first { !$0.locations.isEmpty } != nil)
    #expect(try inNamespace(daemon, "mount -o remount,rw \(disk)") == 0)
    waitForLog(daemon, "everything is written again")
    client.say(.startMonitoring(Made.home))
    #expect(client.first { $0 == .regionStarted(identifier: "home") } != nil)
    try store.close()
  }

  /// ext4 gives up writing for good when its journal fails: the kernel does the same on demand.
  @Test func aDiskThatTurnsReadOnlyWhileItRunsDoesNotEndTheService() throws {
    let (disk, image) = (folder + "/disk", folder + "/image")
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    let make = "truncate -s 16M \(image) && mkfs.ext4 -q \(image) && mount -o loop \(image) \(disk)"
    guard try Daemon.run("/usr/bin/unshare", ["-m", "sh", "-c", "PATH=$PATH:/sbin; \(make)"]) == 0 else {
      print("skipped: takes a loop device and mkfs.ext4, for a disk that fails")
      return
    }
    let daemon = try start("mount -o loop \(image) \(disk)")
    let client = try daemon.client()
    client.say(.startMonitoring(Made.home))
    #expect(client.first { $0 == .regionStarted(identifier: "home") } != nil)
    _ = try inNamespace(daemon, "mount -o remount,abort \(disk)")
    client.say(.authorize(spy, .init(.denied)))
    #expect(client.first { if case .failed = $0 { true } else { false } } == .failed(.notStored))
    waitForLog(daemon, "its file system lets nothing be written")
    client.say(.start(session: 1))
    #expect(client.first { !$0.locations.isEmpty } != nil)
    usleep(1_500_000)
    #expect(daemon.status(within: 0) == nil, "\(daemon.errors)")
    daemon.signal(SIGTERM)
    #expect(daemon.status(within: 10) == 0, "\(daemon.errors)")
  }
}
