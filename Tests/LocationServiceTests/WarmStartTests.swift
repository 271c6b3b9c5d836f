import CLibrary
import Foundation
import Location
import LocationService
import Navigation
import Simulation
import TestParts
import Testing

/// A `reckond` that has learned, ends in every way, and begins again: a real gpsd, and a
/// server of iiod's protocol.
@Suite(
  .serialized, .timeLimit(.minutes(4)),
  .enabled(if: Daemon.binary != nil, "the reckond binary is not beside the tests"),
  .enabled(if: RealGPSD.isInstalled, "gpsd is not installed"))
struct WarmStartTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path }

  /// 3 s at rest, three turns at town speed, and a stand of 15 s at the end.
  private static let samples: [SensorSample] = {
    var scenario = Scenario.town
    scenario.road = [
      RoadElement(.stop(seconds: 3), speed: 14), RoadElement(.straight(length: 120), speed: 14),
      RoadElement(.turn(angle: .pi / 2, radius: 15), speed: 8),
      RoadElement(.straight(length: 100), speed: 14),
      RoadElement(.turn(angle: -.pi / 2, radius: 15), speed: 8),
      RoadElement(.straight(length: 100), speed: 14), RoadElement(.stop(seconds: 30), speed: 14),
      RoadElement(.straight(length: 1), speed: 1),
    ]
    scenario.wheel = nil
    let samples = Simulator(scenario: scenario, seed: 2003).run().samples
    // Without the last metre, which only ends the stop, and the seconds about it.
    let end = (samples.last?.time.seconds ?? 0) - 14
    return samples.filter { $0.time.seconds < end }
  }()

  /// A location with a heading of a car that stands; nil if none comes in time.
  private func heading(_ client: RawClient, within seconds: Double) -> Location? {
    let message = client.first(within: seconds) { message in
      guard case .locations(_, _, let list) = message, let last = list.last else { return false }
      // Of the engine that runs, not what was known before it.
      return last.mode == .stationary && last.headingAccuracyDegrees >= 0 && !last.sources.contains(.cached)
    }
    guard case .locations(_, _, let list)? = message else { return nil }
    return list.last
  }

  private func begin(_ settings: String) throws -> (Daemon, RawClient) {
    let daemon = try Daemon(folder, drive: nil, settings: settings)
    let client = try daemon.client()
    client.say(.start(session: 1))
    return (daemon, client)
  }

  @Test func whatWasLearnedOutlastsKillAndOrderlyEndAndIsDroppedWhereTheIMUWasTurned() throws {
    let iiod = try IIODServer([DrivePlayer.imu])
    defer { iiod.stop() }
    let player = try DrivePlayer(Self.samples, rest: 10, imu: iiod)
    defer { player.stop() }
    let gpsd = try RealGPSD(sources: ["tcp://127.0.0.1:\(player.port)"])
    defer { gpsd.kill() }
    let settings = "[sensors]\ngpsd = \"127.0.0.1:\(gpsd.port)\"\nimu = \"\(iiod.uri)\"\n"

    // The first learns on the drive, and is killed once it has saved, which it does after a minute.
    let (first, one) = try begin(settings)
    let end = Self.samples.last?.arrival.seconds ?? 0
    _ = one.first(within: 100) { _ in player.seconds > end - 5 }
    let known = try #require(heading(one, within: 20))
    let store = try SQLiteStore(path: folder + "/store.sqlite")
    _ = one.first(within: 80) { _ in (try? store.savedState(unixTime: 0)) != nil }
    try store.close()
    first.kill()

    // The car has not moved: its heading is known at once, which no car at rest could find.
    func isWarm(_ location: Location?) -> Bool {
      guard let location else { return false }
      let turned = abs(location.headingDegrees - known.headingDegrees)
      return min(turned, 360 - turned) < 3 && location.coordinate.distance(from: known.coordinate) < 10
    }
    let (second, two) = try begin(settings)
    let again = heading(two, within: 20)
    #expect(second.errors.contains("sensors: from the saved state"), "\(second.errors)")
    #expect(isWarm(again), "\(String(describing: again)) after \(known)")
    second.signal(SIGTERM)
    #expect(second.status(within: 10) == 0)

    let (third, three) = try begin(settings)
    let last = heading(three, within: 20)
    #expect(third.errors.contains("sensors: from the saved state"), "\(third.errors)")
    #expect(isWarm(last), "\(String(describing: last)) after \(known)")
    third.signal(SIGTERM)
    #expect(third.status(within: 10) == 0)

    // The IMU lies on its side now, which looks like another one to its gyroscope: nothing of
    // it holds, which is said.
    player.turnIMU(Quaternion(rotationVector: Vector3(1.2, 0, 0)))
    let (fourth, four) = try begin(settings)
    #expect(heading(four, within: 8) == nil)
    fourth.signal(SIGTERM)
    #expect(fourth.status(within: 10) == 0)
    #expect(fourth.errors.contains("warm start: started cold: "), "\(fourth.errors)")
    // What became of it is said, whichever it was.
    #expect(second.errors.contains("warm start: "), "\(second.errors)")
  }
}
