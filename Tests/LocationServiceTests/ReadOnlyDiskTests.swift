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

  /// `reckond` with its database in `folder/disk`, in a mount namespace that `script` prepares; its log goes
  /// to `folder/log`.
  private func start(_ script: String) throws -> Process {
    let drive = try StandingDrive.write(folder)
    try "[service]\nsocket = \"\(folder)/s\"\ndatabase = \"\(folder)/disk/store.sqlite\"\n".write(
      toFile: folder + "/reckond.toml", atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/unshare")
    process.arguments = [
      "-m", "sh", "-c", script + "; exec \"$@\"", "sh", try #require(Daemon.binary).path, "--config",
      folder + "/reckond.toml", "--replay", drive,
    ]
    try Data().write(to: URL(filePath: folder + "/log"))
    process.standardError = FileHandle(forWritingAtPath: folder + "/log")
    try process.run()
    return process
  }

  private var log: String { (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "" }

  private func inNamespace(_ process: Process, _ command: String) throws -> Int32? {
    try Daemon.run("/usr/bin/nsenter", ["-m", "-t", "\(process.processIdentifier)", "sh", "-c", command])
  }

  private func decisions(_ client: RawClient) -> [ServiceMessage.Decision]? {
    client.say(.requestAuthorizations)
    let answer = client.first { if case .authorizations = $0 { true } else { false } }
    return if case .authorizations(let decisions, _)? = answer { decisions } else { nil }
  }

  private func waitForLog(_ text: String) {
    for _ in 0..<1000 where !log.contains(text) { usleep(10_000) }
    #expect(log.contains(text), "\(log)")
  }

  private func end(_ process: Process) {
    CLibrary.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
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
    let process = try start(
      "cp -r \(disk) \(folder)/copy && mount -t tmpfs none \(disk) "
        + "&& cp \(folder)/copy/* \(disk) && mount -o remount,ro \(disk)"
    )
    defer { end(process) }
    let client = try Daemon.client(at: folder + "/s")
    #expect(decisions(client)?.map(\.client) == [spy])
    client.say(.startMonitoring(Made.home))
    let refusal = ServiceMessage.regionFailed(identifier: "home", .notStored)
    #expect(client.first { if case .regionFailed = $0 { true } else { false } } == refusal)
    waitForLog("its file system lets nothing be written")
    client.say(.start(session: 1))
    #expect(client.first { !$0.locations.isEmpty } != nil)
    #expect(try inNamespace(process, "mount -o remount,rw \(disk)") == 0)
    waitForLog("everything is written again")
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
    let process = try start("mount -o loop \(image) \(disk)")
    defer { end(process) }
    let client = try Daemon.client(at: folder + "/s")
    client.say(.startMonitoring(Made.home))
    #expect(client.first { $0 == .regionStarted(identifier: "home") } != nil)
    _ = try inNamespace(process, "mount -o remount,abort \(disk)")
    client.say(.authorize(spy, .init(.denied)))
    #expect(client.first { if case .failed = $0 { true } else { false } } == .failed(.notStored))
    waitForLog("its file system lets nothing be written")
    client.say(.start(session: 1))
    #expect(client.first { !$0.locations.isEmpty } != nil)
    usleep(1_500_000)
    #expect(process.isRunning, "\(log)")
    CLibrary.kill(process.processIdentifier, SIGTERM)
    for _ in 0..<1000 where process.isRunning { usleep(10_000) }
    #expect(!process.isRunning && process.terminationStatus == 0, "\(log)")
  }
}
