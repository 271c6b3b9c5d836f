import CLibrary
import Coarse
import Foundation
import Location
import LocationService
import Navigation
import TestParts
import Testing

/// Places by cells and access points among the engine's.
@Suite struct CoarseTests {
  private let scratch = ScratchFolder()

  private func coarse(
    _ bench: inout Bench, north: Double = 0, accuracy: Double = 800, step: Double = 1
  ) {
    bench.seconds += step
    var location = Made.location(north: north, accuracy: accuracy, at: bench.seconds, mode: .aligning)
    location.sources = .cell
    bench.hub.update(coarse: location, at: Made.time(bench.seconds), utc: location.utc)
    bench.settle()
  }

  /// The engine runs and has no place.
  private func search(_ bench: inout Bench) {
    bench.seconds += 0.1
    bench.hub.update(
      .init(location: nil, mode: .aligning, sources: 1), at: Made.time(bench.seconds), utc: nil)
  }

  @Test func coarsePlacesAreToldWhileTheEngineHasNoneAndFlagged() {
    var bench = Bench()
    let id = bench.client()
    bench.say(.start(session: 1), id)
    search(&bench)
    _ = bench.take(id)
    coarse(&bench)
    let said = bench.take(id)
    #expect(said.flatMap(\.locations).map(\.sources) == [.cell])
    #expect(
      said.contains {
        if case .status(let status) = $0 {
          status.unknown == nil && status.horizontalAccuracy == 800
        } else {
          false
        }
      })
    // Who begins later is told it with its true time, and a question is answered by it.
    search(&bench)
    let late = bench.client("late")
    bench.say(.start(session: 1), late)
    let cached = bench.takeLocations(late)
    #expect(cached.map(\.sources) == [[.cell, .cached]] && cached.first?.timestamp == Made.time(1.1))
    var settings = StandardService.Settings()
    settings.desiredAccuracy = .kilometer
    bench.say(.configure(settings), late)
    bench.say(.requestLocation(number: 7, within: 10), late)
    #expect(
      bench.take(late).contains {
        if case .answer(7, .success(let location)) = $0 { location.sources == .cell } else { false }
      })
  }

  @Test func coarsePlacesEndWithTheEnginesFirst() {
    var bench = Bench()
    let id = bench.client()
    var settings = StandardService.Settings()
    settings.distanceFilter = 5000
    bench.say(.configure(settings), id)
    bench.say(.start(session: 1), id)
    coarse(&bench)
    bench.drive(north: 100)
    for i in 0..<20 {
      coarse(&bench, north: 300, step: 0.5)
      bench.drive(north: 100 + Double(i), step: 0.5)
    }
    // The better one is told at once though it is within the distance; none by cells after it.
    #expect(bench.takeLocations(id).map(\.sources) == [.cell, .gnss])
    // The engine falls silent: cells are better than nothing.
    bench.say(.stop(), id)
    bench.say(.start(session: 2), id)
    _ = bench.take(id)
    bench.wait(5)
    coarse(&bench, north: 9000)
    #expect(bench.takeLocations(id).map(\.sources) == [.cell])
  }

  @Test func coarsePlacesGrowOld() {
    var bench = Bench()
    let id = bench.client()
    search(&bench)
    coarse(&bench)
    #expect(bench.hub.demand == .off)
    bench.wait(59)
    bench.say(.start(session: 1), id)
    #expect(bench.takeLocations(id).count == 1)
    bench.say(.stop(), id)
    bench.wait(2)
    bench.say(.start(session: 2), id)
    let said = bench.take(id)
    #expect(said.flatMap(\.locations).isEmpty)
    bench.wait(1)
    #expect(
      bench.take(id).contains {
        if case .status(let status) = $0 { status.unknown == .searching } else { false }
      })
    // A place of 40 km is told, and is not known well enough.
    coarse(&bench, accuracy: 40_000)
    let wide = bench.take(id)
    #expect(wide.flatMap(\.locations).map(\.horizontalAccuracy) == [40_000])
    #expect(
      wide.contains {
        if case .status(let status) = $0 { status.unknown == .notEnoughAccuracy } else { false }
      })
  }

  @Test func coarsePlacesAreKeptOverARestartWhereTheEngineHadNone() {
    var bench = Bench()
    search(&bench)
    coarse(&bench, north: 700)
    bench.wait(61)
    let kept = bench.stored.lastLocation
    #expect(kept?.sources == .cell && kept?.coordinate == Made.location(north: 700, at: 0).coordinate)
    var after = Bench(stored: bench.stored)
    after.seconds = bench.seconds
    let id = after.client()
    after.say(.start(session: 1), id)
    #expect(after.takeLocations(id).map(\.sources) == [[.cell, .cached]])
    // The engine's own place is kept in its stead, as soon as there is one.
    bench.drive(north: 0, accuracy: 5)
    bench.wait(61)
    #expect(bench.stored.lastLocation?.sources == .gnss)
  }

  @Test func coarsePlacesObeyThePolicyAsAllDo() {
    var bench = Bench(rules: [
      .init(name: "reduced", user: nil, grant: .init(.authorized, .reduced)),
      .init(name: "denied", user: nil, grant: .init(.denied)),
    ])
    let (reduced, denied) = (bench.client("reduced"), bench.client("denied"))
    for id in [reduced, denied] { bench.say(.start(session: 1), id) }
    coarse(&bench, accuracy: 100)
    let told = bench.takeLocations(reduced)
    #expect(told.map(\.sources) == [.reduced] && told.first?.horizontalAccuracy ?? 0 > 3000)
    #expect(bench.takeLocations(denied).isEmpty)
  }

  /// From the table to the client: `reckond` with a database, a program that hears, and one that asks.
  @Test(.enabled(if: Daemon.binary != nil, "the reckond binary is not beside the tests"))
  func coarsePlacesComeFromTheSocketToTheClients() throws {
    let folder = scratch.path
    let (table, places, socket) = (folder + "/t.csv", folder + "/p.sqlite", folder + "/c")
    try "LTE,262,1,4711,1,,11.5,48.1,900\n".write(toFile: table, atomically: true, encoding: .utf8)
    _ = try CoarseImport.make(places, from: [table])
    let settings = """
      [sensors]
      gpsd = "127.0.0.1:1"
      imu = "none"
      [coarse]
      database = "\(places)"
      socket = "\(socket)"

      """
    let daemon = try Daemon(folder, drive: nil, settings: settings)
    let client = try daemon.client()
    client.say(.start(session: 1))
    let modem = RawClient(descriptor: try UnixSocket.connect(socket))
    #expect(access(socket, F_OK) == 0)
    // Nonsense is answered, half a scan gives nothing, and what follows is heard all the same.
    modem.send("nonsense\ncell lte 262 1 4711 1 -95\n")
    #expect(try line(modem.descriptor) == "error 1 neither wifi nor cell: nonsense")
    #expect(client.first(within: 0.3) { !$0.locations.isEmpty } == nil)
    modem.send("\n")
    let told = client.first { !$0.locations.isEmpty }?.locations.first
    #expect(told?.sources == .cell && abs((told?.horizontalAccuracy ?? 0) - 990) < 1)
    #expect(abs((told?.coordinate.latitudeDegrees ?? 0) - 48.1) < 1e-9)
    // One that sends no lines is hung up on; another takes its place.
    for _ in 0..<20 {
      let wild = RawClient(descriptor: try UnixSocket.connect(socket))
      wild.send([UInt8](repeating: 0x61, count: 5000))
      while wild.next(within: 5) != nil {}
      #expect(wild.isEnded)
    }
    let other = RawClient(descriptor: try UnixSocket.connect(socket))
    usleep(150_000)  // Updates come ten times a second at most.
    other.send("cell lte 262 1 4711 77\n\n")
    #expect(client.first { $0.locations.first?.horizontalAccuracy ?? 0 > 1000 } != nil)
    daemon.signal(SIGTERM)
    #expect(daemon.status(within: 10) == 0)
    #expect(access(socket, F_OK) != 0)
  }

  private func line(_ descriptor: Int32) throws -> String {
    var (text, byte): ([UInt8], UInt8) = ([], 0)
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&polled, 1, 5000) == 1, CLibrary.read(descriptor, &byte, 1) == 1, byte != 10 {
      text.append(byte)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
