import CLibrary
import Foundation
import TestParts
import Testing

/// The example programs at their work: real processes, a real `reckond`, a replay at twenty times its pace.
@Suite(.serialized, .enabled(if: Daemon.binary != nil, "the reckond binary is not beside the tests"))
final class ExampleTests {
  private static let drive = #filePath.replacing(/Tests\/.*/, with: "datasets/open-sky-commute")
  /// Where the drive begins, degrees, by its truth.csv.
  private static let start = (latitude: 47.49618, longitude: 8.72150)
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path }

  /// One that runs until it is let go, as a power cut would end it.
  private final class Example {
    private let process = Process()
    private let file: URL
    /// Lives as long.
    private let daemon: Daemon

    init(_ name: String, at daemon: Daemon, in folder: String) throws {
      self.daemon = daemon
      file = URL(filePath: "\(folder)/\(name)-\(UInt32.random(in: 0 ... .max))")
      try Data().write(to: file)
      process.executableURL = try #require(Daemon.binary).deletingLastPathComponent().appending(path: name)
      process.environment = ProcessInfo.processInfo.environment.merging(["RECKON_SOCKET": daemon.socket]) {
        $1
      }
      process.standardOutput = try FileHandle(forWritingTo: file)
      try process.run()
    }

    deinit { end() }

    func end() {
      if process.isRunning { CLibrary.kill(process.processIdentifier, SIGKILL) }
      process.waitUntilExit()
    }

    /// The lines that it has printed whole, as soon as they are enough, or after 40 s; without what is said
    /// to one who comes before the first fix.
    func lines(until isEnough: ([String]) -> Bool) throws -> [String] {
      var lines: [String] = []
      for _ in 0..<800 {
        let text = try String(contentsOf: file, encoding: .utf8)
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
          .filter { $0 != "-- the place is not known yet: waiting for a fix" }
        if isEnough(lines) { break }
        usleep(50_000)
      }
      return lines
    }
  }

  /// Metres north and east of the start of the drive, of a line that begins with a position.
  private func place(_ line: String) -> (north: Double, east: Double)? {
    guard let found = line.firstMatch(of: /(-?\d+\.\d+)° (-?\d+\.\d+)° ±/), let latitude = Double(found.1),
      let longitude = Double(found.2)
    else { return nil }
    let metres = 111_200.0  // a degree of latitude
    return (
      (latitude - Self.start.latitude) * metres,
      (longitude - Self.start.longitude) * metres * cos(latitude * .pi / 180)
    )
  }

  private func daemon() throws -> Daemon {
    let daemon = try Daemon(folder, drive: Self.drive, speed: 20)
    _ = try daemon.client()
    return daemon
  }

  @Test func trackerPrintsTheWayByTenMetres() throws {
    let tracker = try Example("tracker", at: daemon(), in: folder)
    let lines = try tracker.lines { $0.count >= 30 }
    let places = try lines.map { try #require(place($0), "\($0) is no location") }
    #expect(places.count >= 30)
    let first = try #require(places.first)
    #expect(hypot(first.north, first.east) < 20)
    let steps = zip(places, places.dropFirst()).map { hypot($1.north - $0.north, $1.east - $0.east) }
    // Six decimals of a degree are a tenth of a metre.
    #expect(steps.allSatisfy { $0 > 9.7 && $0 < 200 }, "\(steps)")
  }

  /// The car leaves while nobody watches: told to the next run, which need not set the alarm again.
  @Test func geofenceAlarmTellsWhatHappenedWhileItWasAway() throws {
    let daemon = try daemon()
    let alarm = try Example("geofence-alarm", at: daemon, in: folder)
    let set = try #require(try alarm.lines { !$0.isEmpty }.first)
    #expect(set.hasPrefix("the alarm is set at "))
    let parked = try #require(place(set))
    #expect(hypot(parked.north, parked.east) < 20)
    alarm.end()
    let tracker = try Example("tracker", at: daemon, in: folder)
    func isAway(_ line: String) -> Bool { place(line).map { hypot($0.north, $0.east) > 400 } ?? false }
    #expect(try tracker.lines { $0.contains(where: isAway) }.contains(where: isAway))
    let again = try Example("geofence-alarm", at: daemon, in: folder)
    let told = try again.lines { $0.contains { $0.hasPrefix("ALARM") } }
    #expect(
      told.sorted() == [
        "ALARM: the car has left parking", "the alarm of an earlier run is set: parking, 200.0 m",
      ])
  }

  @Test func tripLoggerGetsABatchAKilometre() throws {
    let logger = try Example("trip-logger", at: daemon(), in: folder)
    func batch(_ line: String) -> (count: Int, metres: Int)? {
      guard let found = line.wholeMatch(of: /(\d+) locations, (\d+) m so far/), let count = Int(found.1),
        let metres = Int(found.2)
      else { return nil }
      return (count, metres)
    }
    let lines = try logger.lines { $0.compactMap(batch).contains { $0.metres > 3000 } }
    let batches = try lines.map { try #require(batch($0), "\($0)") }
    // What is deferred comes together; what came before, one by one.
    let deferred = batches.filter { $0.metres > 500 }
    #expect(deferred.count >= 3 && deferred.allSatisfy { $0.count > 5 }, "\(lines)")
    let steps = zip(deferred, deferred.dropFirst()).map { $1.metres - $0.metres }
    #expect(steps.allSatisfy { (900...1400).contains($0) }, "\(lines)")
  }
}
