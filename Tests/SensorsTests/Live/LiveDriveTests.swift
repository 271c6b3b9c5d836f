import Fusion
import Glibc
import LinearAlgebra
import Live
import Navigation
import SensorEvents
import Sensors
import Simulation
import TestParts
import Testing

/// A drive at real speed through a real gpsd, a real libiio and the real-time loop.
@Suite(.serialized, .enabled(if: RealGPSD.isInstalled, "gpsd is not installed"))
struct LiveDriveTests {
  /// 3 s at rest, then two turns at town speed; played for so long, s.
  private static let seconds = 40.0

  private static let samples: [SensorSample] = {
    var scenario = Scenario.town
    scenario.road = [
      RoadElement(.stop(seconds: 3), speed: 14), RoadElement(.straight(length: 120), speed: 14),
      RoadElement(.turn(angle: .pi / 2, radius: 15), speed: 8),
      RoadElement(.straight(length: 150), speed: 14),
      RoadElement(.turn(angle: -.pi / 2, radius: 15), speed: 8),
      RoadElement(.straight(length: 150), speed: 14),
    ]
    scenario.wheel = nil
    return Simulator(scenario: scenario, seed: 2001).run().samples
  }()

  private static let rateStep = 1e-6, forceStep = 1e-5

  @Test(.timeLimit(.minutes(3)))
  func aDriveThroughGPSDAndLibiioGivesTheTrackOfItsReplay() throws {
    let receiver = try Listener()
    let gpsd = try RealGPSD(sources: ["tcp://127.0.0.1:\(receiver.port)"])
    defer { gpsd.kill() }
    let iiod = try IIODServer([.imu(accelScale: "0.00001", gyroScale: "0.000001", bits: 32)])
    defer { iiod.stop() }

    let loop = FusionThread(engine: LiveEngine())
    loop.start()
    let sink: EventSink = { [mailbox = loop.mailbox] in mailbox.post($0) }
    let fixes = try GPSDSource(id: SourceID(0), address: GPSDAddress("127.0.0.1:\(gpsd.port)"), sink: sink)
    fixes.start()
    var settings = IIOSettings()
    settings.address = try #require(IIOAddress(iiod.uri))
    let inertial = try IIOSource(id: SourceID(1), settings: settings, sink: sink)
    inertial.start()
    defer {
      fixes.stop(within: 2)
      inertial.stop(within: 2)
    }
    #expect(receiver.accept(within: 15))
    #expect(becomesTrue(within: 15) { iiod.isOpen("iio:device0") })

    let zero = HostClock.now().advanced(bySeconds: 0.2)
    let track = play(from: zero, receiver, iiod, loop)
    let engine = try #require(loop.stop(within: 5))
    let status = engine.status(at: HostClock.now())
    let expected = replayed()
    var distances: [Double] = []
    for (t, solution) in track where t > 15 {
      guard let other = expected[Int((t * 10).rounded())] else { continue }
      distances.append(
        solution.position.ned(from: other.moved(by: t)).horizontalNorm)
    }
    distances.sort()
    let middle = try #require(distances.isEmpty ? nil : distances[distances.count / 2])
    print("through gpsd and libiio: median \(middle) m, worst \(distances.last ?? 0) m of \(distances.count)")
    #expect(distances.count > 150)
    // Without pulses nobody knows how long the fastest message takes: 50 ms are assumed, this receiver takes about twice
    // that and gpsd waits for the end of the epoch. 0.1 s at 14 m/s are 1.4 m.
    #expect(middle < 1.5)
    #expect((distances.last ?? .infinity) < 3)
    let imu = try #require(status.sources.first { $0.id == SourceID(1) })
    #expect(imu.received > 3500 && imu.refusals.total == 0, "\(imu)")
    #expect(engine.measurements[.gnssPosition].used > 20)
  }

  /// Plays the drive in real time; the solutions ten times a second by time of the drive.
  private func play(
    from zero: Timestamp, _ receiver: Listener, _ iiod: IIODServer, _ loop: FusionThread
  ) -> [(Double, NavigationSolution)] {
    let unix = HostClock.read(.realtime).seconds - HostClock.now().seconds + zero.seconds
    // Whole seconds, as a receiver's fixes hold at.
    let utc = unix.rounded()
    var track: [(Double, NavigationSolution)] = []
    var next = 0.1
    for sample in Self.samples {
      let due = sample.arrival.seconds
      guard due < Self.seconds else { break }
      while true {
        let left = due - HostClock.now().seconds(since: zero)
        if left <= 0 { break }
        usleep(UInt32(min(left, 0.01) * 1e6))
      }
      let now = HostClock.now().seconds(since: zero)
      if now >= next, let newest = loop.newest, let solution = newest.solution {
        track.append((newest.time.seconds(since: zero), solution))
        next = now + 0.1
      }
      switch sample {
      case .inertial(let s):
        let values =
          [s.specificForce.x, s.specificForce.y, s.specificForce.z].map { $0 / Self.forceStep }
          + [s.angularRate.x, s.angularRate.y, s.angularRate.z].map { $0 / Self.rateStep }
        iiod.push(values.map { Int64($0.rounded()) } + [zero.advanced(bySeconds: due).nanoseconds])
      case .gnss(let fix):
        receiver.send(DriveAsNMEA.text(fix, unix: utc + fix.time.seconds))
      case .wheel: break
      }
    }
    return track
  }

  /// What a replay says, by tenths of a second of the drive.
  private func replayed() -> [Int: NavigationSolution] {
    var engine = FusionEngine()
    var track: [Int: NavigationSolution] = [:]
    var next = 0
    for sample in Self.samples {
      while Double(next) / 10 < sample.arrival.seconds {
        track[next] = engine.solution(at: Timestamp(seconds: Double(next) / 10))
        next += 1
      }
      engine.process(sample)
    }
    return track
  }
}

extension NavigationSolution {
  /// The position at `seconds`, a moment from its own time.
  fileprivate func moved(by seconds: Double) -> GeodeticPosition {
    position.moved(byNED: velocityNED * (seconds - time.seconds))
  }
}
