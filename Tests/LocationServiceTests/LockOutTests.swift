import CLibrary
import Location
import LocationService
import Navigation
import Testing

/// Nobody keeps others out: connections that are let nothing go first, and there is always room for who
/// decides.
@Suite(.serialized) struct LockOutTests {
  private static let tools = ["/usr/bin/setpriv", "/usr/bin/python3"]
  static var canBeOthers: Bool { getuid() == 0 && tools.allSatisfy { access($0, X_OK) == 0 } }

  /// Connections that a process of `user` holds: it says so many are open once it has all that it gets.
  private final class Crowd {
    private let process: Int32
    private let output: Int32

    init(user: UInt32, count: Int, at path: String, hello: Bool) throws {
      let program = """
        import socket, sys, time, json
        kept = []
        for i in range(\(count)):
          s = socket.socket(socket.AF_UNIX); s.settimeout(5)
          try:
            s.connect('\(path)')
            if \(hello ? "True" : "False"):
              hello = {'type':'hello','version':1,'name':'crowd%d' % i,'purpose':'to be many'}
              s.sendall((json.dumps(hello)+'\\n').encode())
              s.recv(4096)
            kept.append(s)
          except OSError: pass
        sys.stdout.write('%d\\n' % len(kept)); sys.stdout.flush()
        time.sleep(60)
        """
      var ends: [Int32] = [0, 0]
      pipe(&ends)
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
      posix_spawn_file_actions_addclose(&actions, ends[0])
      let words = [
        LockOutTests.tools[0], "--reuid=\(user)", "--regid=\(user)", "--clear-groups", LockOutTests.tools[1],
        "-c", program,
      ]
      var arguments = words.map { strdup($0) } + [nil]
      defer { arguments.forEach { free($0) } }
      var pid: pid_t = 0
      try #require(posix_spawn(&pid, words[0], &actions, nil, &arguments, environ) == 0)
      close(ends[1])
      (process, output) = (pid, ends[0])
      var byte: UInt8 = 0
      while read(output, &byte, 1) == 1, byte != 10 {}
    }

    deinit {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
      close(output)
    }
  }

  /// What a crowd at the door may keep out for a moment: the kernel's queue of connections is full.
  private func patiently<T>(_ connect: () throws -> T) throws -> T {
    for _ in 0..<40 {
      if let connected = try? connect() { return connected }
      usleep(50_000)
    }
    return try connect()
  }

  @Test(
    .enabled(if: canBeOthers, "takes root, setpriv and python3 to run as other users"),
    arguments: [true, false])
  func twoUsersWithAsManyConnectionsAsTheyGetKeepNobodyOut(_ hello: Bool) throws {
    let bench = try HostBench { $0.limits.hello = 60 }
    let crowds = try [65_533, 65_534].map { try Crowd(user: $0, count: 200, at: bench.path, hello: hello) }
    let told = bench.host.takeStatistics()
    // Whoever is denied is dropped beyond 8; who says nothing counts against its user.
    #expect(told.connections <= (hello ? 16 : 128))
    // Root decides, a third user is heard.
    let admin = try patiently { try bench.client(name: "admin") }
    let spy = ClientIdentity(name: "crowd1", user: 65_534)
    admin.say(.authorize(spy, .init(.denied)))
    #expect(admin.first { if case .authorizations = $0 { true } else { false } } != nil)
    withExtendedLifetime(crowds) {}
  }

  @Test(.enabled(if: canBeOthers, "takes root, setpriv and python3 to run as other users"))
  func aServiceFullOfLetConnectionsHasRoomForRoot() throws {
    let bench = try HostBench(rules: [.init(name: "*", user: nil, grant: .init(.authorized))]) {
      $0.limits.connections = 64
      $0.limits.connectionsPerUser = 40
    }
    let crowds = try [65_533, 65_534].map { try Crowd(user: $0, count: 100, at: bench.path, hello: true) }
    #expect(bench.host.takeStatistics().connections == 48)
    let admin = try bench.client(name: "admin")
    #expect(admin.next() == .welcome(version: 1, accuracy: .full))
    withExtendedLifetime(crowds) {}
  }

  @Test(.enabled(if: canBeOthers, "takes root, setpriv and python3 to run as other users"))
  func aConnectionThatNobodyLetsEndsAfterAWhile() throws {
    let bench = try HostBench { $0.limits.denied = 0.3 }
    let crowd = try Crowd(user: 65_534, count: 5, at: bench.path, hello: true)
    for _ in 0..<100 where bench.host.takeStatistics().connections > 0 { usleep(50_000) }
    let count = bench.host.takeStatistics()
    #expect(count.connections == 0 && count.dropped == 5)
    withExtendedLifetime(crowd) {}
  }

  @Test func aUserHasAtMost64NamesOfWhichAnythingIsKept() {
    var bench = Bench(rules: [.init(name: "*", user: nil, grant: .init(.authorized))])
    let home = Made.home
    for i in 0..<2000 {
      let id = bench.client("name\(i)", user: Bench.stranger)
      bench.say(.startMonitoring(home), id)
      bench.say(.startSignificantChange(session: 1), id)
      let said = bench.take(id)
      let isLet = i < 64
      #expect(said.contains(.regionStarted(identifier: "home")) == isLet)
      #expect(said.contains(.regionFailed(identifier: "home", .tooManyNames(limit: 64))) != isLet)
      #expect(said.contains(.failed(.tooManyNames(limit: 64))) != isLet)
      bench.hub.disconnect(id)
    }
    #expect(bench.stored.clients.count == 64)
    // Another user has its own; and a name that ends what it had makes room for another.
    let other = bench.client("other")
    bench.say(.startMonitoring(home), other)
    #expect(bench.take(other).contains(.regionStarted(identifier: "home")))
    let first = bench.client("name0", user: Bench.stranger)
    bench.say(.stopMonitoring(identifier: "home"), first)
    bench.say(.stopSignificantChange, first)
    let next = bench.client("next", user: Bench.stranger)
    bench.say(.startMonitoring(home), next)
    #expect(bench.take(next).contains(.regionStarted(identifier: "home")))
  }

  @Test func aUserWithManyNamesDoesNotDriveOthersOutOfTheAudit() {
    var audit = UsageAudit()
    let utc = Timestamp(seconds: 1.7e9)
    for i in 0..<10 {
      audit.note(.init(name: "quiet\(i)", user: 1), purpose: "p", count: 1, at: utc)
    }
    for i in 0..<3000 { audit.note(.init(name: "loud\(i)", user: 2), purpose: "p", count: 1, at: utc) }
    #expect(audit.entries.count == UsageAudit.limit)
    #expect(audit.entries.count { $0.client.user == 1 } == 10)
  }
}
