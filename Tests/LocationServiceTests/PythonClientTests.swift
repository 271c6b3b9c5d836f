import Foundation
import Location
import LocationService
import Navigation
import TestParts
import Testing

enum Python {
  static let program = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Runs `arguments` for at most so many seconds.
  static func process(_ arguments: [String], seconds: Int) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/timeout")
    process.arguments = ["--kill-after=5", "\(seconds)", try #require(program), "-B"] + arguments
    return process
  }
}

/// `clients/python` against the built `reckond`.
@Suite(
  .serialized,
  .enabled(
    if: Daemon.binary != nil && Python.program != nil, "the reckond binary or python3 is missing"))
struct PythonClientTests {
  @Test func thePythonClientPassesItsTests() throws {
    let folder = #filePath.replacing(/Tests\/.*/, with: "clients/python/tests")
    let run = try ProgramRun(
      try #require(Python.program), ["-B", "-m", "unittest", "discover", "-s", folder],
      environment: ["RECKOND": try #require(Daemon.binary).path], within: 300)
    let said = run.errors
    #expect(run.status == 0 && said.contains("OK") && !said.contains("skipped"), "\(said)")
  }

  /// A car that parks, leaves and turns: ten minutes of it told in some seconds, so by
  /// a host of the test's own.
  @Test func visitsAndHeadingsReachPython() throws {
    let bench = try HostBench()
    let client = #filePath.replacing(/Tests\/.*/, with: "clients/python")
    let script = """
      import asyncio, json, reckon
      async def main():
        async with reckon.Client("com.example.test", "to test", socket="\(bench.path)") as client:
          async def take(iterator, count):
            told = []
            async for item in iterator:
              told.append(item)
              if len(told) == count:
                return told
          def seconds(time):
            return time and round(time.timestamp())
          started = asyncio.gather(take(client.visits(), 2), take(client.headings(5), 2))
          await asyncio.sleep(0.5)
          print("ready", flush=True)
          visits, headings = await asyncio.wait_for(started, 30)
          print(json.dumps([[[v.latitude_degrees, seconds(v.arrival), seconds(v.departure)] for v in visits],
                            [[h.true_heading_degrees, h.heading_accuracy_degrees, seconds(h.time)] for h in headings]]))
      asyncio.run(main())
      """
    let process = try Python.process(["-c", script], seconds: 60)
    process.currentDirectoryURL = URL(filePath: client)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let ready = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    #expect(ready.hasPrefix("ready"))
    for (seconds, north, speed, heading) in [
      (0.0, -100.0, 10.0, 358.0), (10, 0, 0, 1), (400, 0, 0, 1), (620, 0, 0, 1), (900, 0, 0, 1),
      (910, 300, 10, 90),
      (920, 400, 10, 90),
    ] {
      var location = Made.location(north: north, at: seconds, mode: speed == 0 ? .stationary : .aided)
      (location.speed, location.signedSpeed, location.speedAccuracy) = (speed, speed, 0.1)
      (location.headingDegrees, location.headingAccuracyDegrees) = (heading, 2)
      bench.host.publish(.init(location: location, sources: 1), utc: location.utc)
      usleep(700_000)
    }
    let said = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let told = try JSONDecoder().decode([[[Double?]]].self, from: said)
    let start = Made.location(at: 0).utc?.seconds ?? .nan
    #expect(
      told[0].map { $0[1] } == [start + 10, start + 10] && told[0].map { $0[2] } == [nil, start + 900])
    #expect(told[0].allSatisfy { abs(($0[0] ?? 0) - 48) < 1e-6 })
    #expect(
      told[1].map { $0[0] } == [358, 90] && told[1].allSatisfy { $0[1] == 2 } && told[1][0][2] == start)
  }
}
