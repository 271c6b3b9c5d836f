import Drives
import Foundation
import Navigation
import Simulation
import Testing

/// The satellites of simulated drives.
@Suite struct SkyTests {
  /// Skies by time, with what surrounds the car then.
  private func skies(
    _ scenario: Scenario, seed: UInt64
  ) -> (drive: SimulatedDrive, skies: [(time: Timestamp, seen: [SatelliteSample], around: RadioEnvironment)])
  {
    let simulator = Simulator(scenario: scenario, seed: seed)
    let drive = simulator.run()
    var track = simulator.track
    let times = stride(from: 0, through: track.duration, by: 2).map { Timestamp(seconds: $0) }
    let byTime = Dictionary(grouping: drive.sky, by: \.time)
    return (drive, times.map { ($0, byTime[$0] ?? [], track.state(at: $0).environment) })
  }

  private static func scenario(_ name: String) throws -> Scenario {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("datasets/\(name)")
    return try Scenario(path: folder.appendingPathComponent("scenario.json").path)
  }

  private func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(1, values.count)) }

  @Test func satellitesStandWhereSatellitesStand() throws {
    let (drive, skies) = skies(try Self.scenario("open-sky-commute"), seed: 5)
    #expect(drive.sky == Simulator(scenario: try Self.scenario("open-sky-commute"), seed: 5).run().sky)
    #expect(drive.sky != Simulator(scenario: try Self.scenario("open-sky-commute"), seed: 6).run().sky)
    for sample in drive.sky {
      #expect(try 0...90 ~= #require(sample.elevationDegrees) && 0..<360 ~= #require(sample.azimuthDegrees))
      #expect(try 10...60 ~= #require(sample.strength) && [0, 2, 6].contains(sample.constellation))
    }
    // A third of 78 satellites is above the horizon, and between two skies none goes farther than 0.03°.
    let open = skies.filter { $0.around == .open }
    #expect(22...36 ~= mean(open.map { Double($0.seen.count) }))
    var steps: [Double] = []
    for (a, b) in zip(skies, skies.dropFirst()) {
      for one in a.seen {
        guard
          let two = b.seen.first(where: { $0.constellation == one.constellation && $0.number == one.number })
        else { continue }
        steps.append(abs((two.elevationDegrees ?? 0) - (one.elevationDegrees ?? 0)))
      }
    }
    #expect(steps.count > 5000 && (steps.max() ?? 1) < 0.03)
    // Over a quarter of the sky lies north of the car, and nothing near the pole: orbits are
    // inclined by 65° at most.
    let north = drive.sky.filter { abs(Angle.wrapped(($0.azimuthDegrees ?? 0) * .pi / 180)) < 0.3 }
    #expect(north.allSatisfy { !(20...32 ~= $0.elevationDegrees ?? 0) || $0.constellation == 6 })
  }

  @Test func housesTakeSatellitesAndTunnelsTakeAll() throws {
    let canyon = skies(try Self.scenario("downtown-canyon"), seed: 1).skies
    let open = skies(try Self.scenario("open-sky-commute"), seed: 1).skies.filter { $0.around == .open }
    let used = { (skies: [(time: Timestamp, seen: [SatelliteSample], around: RadioEnvironment)]) in
      mean(skies.map { Double($0.seen.count { $0.isUsed == true }) })
    }
    let inCanyon = canyon.filter { $0.around == .canyon }
    #expect(inCanyon.count > 100 && used(inCanyon) < 0.6 * used(open), "\(used(inCanyon)), \(used(open))")
    let dark = skies(try Self.scenario("tunnel-and-garage"), seed: 1).skies.filter {
      [.tunnel, .garage].contains($0.around)
    }
    #expect(dark.count > 100 && dark.allSatisfy(\.seen.isEmpty))
  }

  @Test func satellitesAreOfAPieceWithTheFixes() throws {
    let (drive, skies) = skies(try Self.scenario("downtown-canyon"), seed: 2)
    let fixes = drive.samples.compactMap { if case .gnss(let fix) = $0 { fix } else { nil } }
    var all: [(stated: Double, strength: Double)] = []
    for (time, seen, around) in skies where around == .canyon {
      let fix = fixes.first { abs($0.time.seconds(since: time)) < 0.5 }
      let used = seen.filter { $0.isUsed == true }
      #expect(fix == nil ? used.isEmpty : used.count >= 4, "at \(time.seconds) s")
      if let stated = fix?.positionSigma?.x {
        all.append((stated, mean(used.compactMap(\.strength).sorted().suffix(4))))
      }
    }
    // Where it states more the signals are weaker.
    let (x, y) = (mean(all.map(\.stated)), mean(all.map(\.strength)))
    let slope =
      mean(all.map { ($0.stated - x) * ($0.strength - y) })
      / mean(all.map { ($0.stated - x) * ($0.stated - x) })
    #expect(all.count > 50 && slope < -1, "\(slope) dB a metre")
  }

  @Test func skiesAreWrittenAndReadAgain() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/reckon-sky-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let drive = Simulator(scenario: .ideal, seed: 3).run()
    try drive.write(to: folder)
    var read: [SatelliteSample] = []
    let rejections = try DriveReader(path: folder).sky { read.append($0) }
    #expect(rejections.map(\.total) == [0] && read.count == drive.sky.count && !read.isEmpty)
    #expect(zip(read, drive.sky).allSatisfy { abs(($0.strength ?? 0) - ($1.strength ?? 0)) < 0.051 })
  }
}
