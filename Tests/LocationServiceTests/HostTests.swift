import CLibrary
import Foundation
import JSON
import Location
import LocationService
import Navigation
import TestParts
import Testing

/// The host behind its socket, with clients that do as they please. Every wait ends after 5 s at most.
@Suite(.serialized) struct HostTests {
  @Test func aClientIsWelcomedAndTold() throws {
    let bench = try HostBench()
    let client = try bench.client()
    #expect(client.next() == .welcome(version: 1, accuracy: .full))
    client.say(.start(session: 1))
    client.say(.requestRegions)
    #expect(client.first { $0 == .regions([]) } != nil)
    bench.publish(north: 10)
    #expect(client.first { !$0.locations.isEmpty } != nil)
  }

  @Test func locationsComeTheSameHoweverManyClientsShareTheirText() throws {
    let bench = try HostBench()
    let clients = try (0..<3).map { _ in try bench.client() }
    for (i, client) in clients.enumerated() { client.say(.start(session: Int64(i))) }
    for client in clients {
      client.say(.requestRegions)
      #expect(client.first { $0 == .regions([]) } != nil)
    }
    for north in [1.0, 2] {
      usleep(110_000)
      bench.publish(north: north)
      let told = clients.enumerated().map { i, client in
        client.first {
          if case .locations(.standard, session: Int64(i), _) = $0 { true } else { false }
        }?.locations
      }
      #expect(told[0]?.count == 1 && told[0] == told[1] && told[1] == told[2])
      #expect(told[0]?[0].coordinate == Made.location(north: north, at: 0).coordinate)
    }
  }

  /// Locations made after the administrator had its answer are told to nobody; the last word is `denied`.
  /// The 100 ms are beside what this machine takes at the same moment for a question and its answer, so that
  /// they hold on a busy one.
  @Test func authorizationRevokedCutsARunningClientOffWithin100Milliseconds() throws {
    let bench = try HostBench()
    let (client, admin) = (try bench.client(), try bench.client(name: "admin"))
    client.say(.start(session: 1))
    let spy = ClientIdentity(name: "raw", user: getuid())
    let isAnswer = { (message: ServiceMessage) in if case .authorizations = message { true } else { false } }
    var (delays, answers) = ([Double](), [Double]())
    for _ in 0..<20 {
      usleep(110_000)
      bench.publish()
      try #require(client.first { !$0.locations.isEmpty } != nil)
      let asked = BootClock.now()
      admin.say(.requestAuthorizations)
      try #require(admin.first(isAnswer) != nil)
      let began = BootClock.now()
      answers.append(began.seconds(since: asked))
      admin.say(.authorize(spy, .init(.denied)))
      try #require(client.first { $0 == .failed(.denied(.deniedForClient)) } != nil)
      delays.append(BootClock.now().seconds(since: began))
      try #require(admin.first(isAnswer) != nil)
      let decided = BootClock.now()
      for _ in 0..<5 {
        usleep(2000)
        bench.publish()
      }
      // What comes until it is let again: no location, least of all a new one.
      admin.say(.authorize(spy, nil))
      while let message = client.next(), message != .authorization(.init(.authorized)) {
        #expect(message.locations.isEmpty && !message.isStatus && message.event == nil)
      }
      // Let again, it goes on at its next start.
      client.say(.start(session: 1))
      client.say(.requestRegions)
      var cached: [Location] = []
      while let message = client.next(), message != .regions([]) { cached += message.locations }
      #expect(cached.allSatisfy { $0.sources.contains(.cached) || $0.timestamp > decided })
    }
    #expect(delays.sorted()[10] < 0.1 + 2 * (answers.max() ?? 0))
  }

  /// A program of another user, by the kernel's word: it runs as one, and says no more than its name.
  @Test func authorizationAnotherUsersProcessGetsDeniedAndNothingElse() throws {
    let tools = ["/usr/bin/setpriv", "/usr/bin/perl"]
    guard getuid() == 0, tools.allSatisfy({ access($0, X_OK) == 0 }) else {
      print("skipped: takes root, setpriv and perl to run as another user")
      return
    }
    let bench = try HostBench()
    let program = """
      use IO::Socket::UNIX;
      my $s = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die;
      print $s qq({"type":"hello","version":1,"name":"raw","purpose":"to look"}\n);
      print $s qq({"type":"start","session":1}\n{"type":"requestLocation","number":1,"within":1}\n);
      $s->flush;
      my $end = time + 3;
      while (time < $end) {
        my $ready = ''; vec($ready, fileno($s), 1) = 1;
        next unless select($ready, undef, undef, 0.2) > 0;
        sysread($s, my $bytes, 65536) or last;
        syswrite(STDOUT, $bytes);
      }
      """
    let run = try ProgramRun(
      tools[0],
      ["--reuid=65534", "--regid=65534", "--clear-groups", tools[1], "-e", program, bench.path], within: 20
    ) { _ in bench.publish() }
    let said = run.output.utf8.split(separator: 10).map {
      JSONParser.parse(Array($0)[...]).flatMap(ServiceMessage.init(json:))
    }
    #expect(said.count == 3)
    for message in said {
      switch message {
      case .failed(.denied(.notDetermined)), .answer(1, .failure(.denied(.notDetermined))): break
      default: Issue.record("\(String(describing: message))")
      }
    }
  }

  @Test func aMalformedClientCostsItOnlyItsOwnConnection() throws {
    let bench = try HostBench()
    let calm = try bench.client()
    calm.say(.start(session: 1))
    #expect(calm.first { $0 == .welcome(version: 1, accuracy: .full) } != nil)
    let floods: [[UInt8]] = [
      Array("nonsense\n".utf8), Array("{\"type\":\"nothing\"}\n".utf8), [0, 255, 10],
      Array(String(repeating: "[", count: 5000).utf8) + [10],
      [UInt8](repeating: 0x61, count: 70_000), Array("{\"type\":\"start\",\"session\":1}\n".utf8),
    ]
    for flood in floods {
      let wild = try bench.client(hello: false)
      wild.send(flood)
      let said = wild.first(within: 5) { if case .failed(.protocolViolation) = $0 { true } else { false } }
      #expect(said != nil)
      #expect(wild.next() == nil && wild.isEnded)
    }
    bench.publish()
    #expect(calm.first { !$0.locations.isEmpty } != nil)
    #expect(bench.host.takeStatistics().connections == 1)
  }

  @Test func aClientThatSendsTooMuchIsEnded() throws {
    let bench = try HostBench { $0.limits.messagesPerSecond = 10 }
    let client = try bench.client()
    for _ in 0..<200 { client.say(.requestRegions) }
    let isViolation = { (message: ServiceMessage) in
      message == .failed(.protocolViolation("too many messages"))
    }
    #expect(client.first(isViolation) != nil)
  }

  @Test func aSilentOrHalfOpenClientIsEnded() throws {
    let bench = try HostBench {
      $0.limits.hello = 0.2
      $0.limits.line = 0.2
    }
    let silent = try bench.client(hello: false)
    let slow = try bench.client()
    slow.send("{\"type\":")
    #expect(silent.first { if case .failed(.protocolViolation) = $0 { true } else { false } } != nil)
    #expect(slow.first { if case .failed(.protocolViolation) = $0 { true } else { false } } != nil)
    #expect(silent.next() == nil && slow.next() == nil)
  }

  @Test func tooManyConnectionsAreRefusedAndTheOthersGoOn() throws {
    let bench = try HostBench {
      $0.limits.connections = 20
      $0.limits.hello = 60
    }
    let calm = try bench.client()
    calm.say(.start(session: 1))
    #expect(calm.next() != nil)
    // 10,000 in all, opened and left; those that are let in take the places of those that went.
    var open: [RawClient] = []
    for i in 0..<10_000 {
      if let client = try? bench.client(hello: false) { open.append(client) }
      if open.count > 40 { open.removeFirst(20) }
      if i % 1000 == 0 {
        usleep(110_000)  // Updates come ten times a second at most.
        bench.publish(north: Double(i))
        try #require(calm.first { !$0.locations.isEmpty } != nil)
      }
    }
    open = []
    usleep(110_000)
    bench.publish(north: 1)
    try #require(calm.first { !$0.locations.isEmpty } != nil)
    let count = bench.host.takeStatistics()
    #expect(count.refused > 0 && count.connections <= 20)
  }

  @Test func aStoppedClientDelaysNobodyAndLosesOldLocationsOnly() throws {
    let bench = try HostBench()
    let (stopped, quick) = (try bench.client(), try bench.client())
    for client in [stopped, quick] { client.say(.start(session: 1)) }
    #expect(quick.next() != nil)
    var settings = StandardService.Settings()
    settings.desiredAccuracy = .bestForNavigation
    var told = 0
    for i in 0..<3000 {
      // Apart by more than the interval of updates, told by the location's own time.
      var location = Made.location(north: Double(i), at: Double(i))
      location.timestamp = Timestamp(seconds: Double(i))
      bench.host.publish(.init(location: location, sources: 1), utc: nil)
      if quick.first(within: 5, { !$0.locations.isEmpty }) != nil { told += 1 }
    }
    #expect(told == 3000)
    #expect(bench.host.takeStatistics().lostLocations > 0)
    var newest: Location?
    while let message = stopped.next(within: 0.5) { newest = message.locations.last ?? newest }
    #expect(newest?.timestamp == Timestamp(seconds: 2999))
  }

  @Test func aSecondServiceDoesNotTakeTheSocketOfTheFirst() throws {
    let bench = try HostBench()
    #expect(throws: UnixSocket.Failure.self) { try UnixSocket.listen(bench.path, mode: 0o600) }
    #expect(try bench.client().next() != nil)
  }

  @Test func aServiceThatEndsLeavesTheSocketOfItsSuccessor() throws {
    let first = try HostBench()
    // Somebody removed the file; another service listens there by now.
    unlink(first.path)
    let second = try UnixSocket.listen(first.path, mode: 0o600)
    #expect(first.host.stop(within: 5))
    #expect((try? UnixSocket.connect(first.path)).map { close($0) } == 0)
    close(second)
    unlink(first.path)
    // And takes its own away.
    let third = try HostBench()
    #expect(access(third.path, F_OK) == 0)
    #expect(third.host.stop(within: 5))
    #expect(access(third.path, F_OK) != 0)
  }

  @Test func aSocketLeftByAServiceThatWasKilledIsTakenOver() throws {
    let path = "/tmp/reckon-test-\(getpid())-stale.sock"
    // Bound and never unlinked, as after kill -9.
    close(try UnixSocket.listen(path, mode: 0o600))
    let again = try UnixSocket.listen(path, mode: 0o600)
    #expect((try? UnixSocket.connect(path)).map { close($0) } == 0)
    close(again)
    unlink(path)
    let file = open(path, O_CREAT | O_WRONLY, 0o600)
    close(file)
    #expect(throws: UnixSocket.Failure.self) { try UnixSocket.listen(path, mode: 0o600) }
    unlink(path)
  }
}
