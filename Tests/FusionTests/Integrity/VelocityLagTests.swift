import CLibrary
import Fusion
import Simulation
import Testing

/// How late a receiver's velocity is, found in its fixes alone.
@Suite struct VelocityLagTests {
  private static let origin = GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11, height: 500)

  /// A car that brakes to a stop and goes on, twice a minute, on a bend; a fix a second.
  private static func fixes(
    for seconds: Int, lag: Double = 0, sigma: Double = 1.5, speed: Double = 8, change: Double = 8
  ) -> [GNSSFix] {
    var random = RandomSource(seed: 5, stream: "lag")
    func velocity(_ time: Double) -> Vector3 {
      let now = speed + change * cos(time * 0.2)
      return Vector3(now * cos(time * 0.03), now * sin(time * 0.03), 0)
    }
    var place = Vector3.zero
    return (0..<seconds).map { second in
      let time = Double(second)
      let error = Vector3(random.normal(), random.normal(), random.normal()) * sigma
      var fix = GNSSFix(
        time: Timestamp(seconds: time), position: origin.moved(byNED: place + error),
        positionSigma: Vector3(repeating: sigma))
      fix.velocityNED = velocity(time - lag)
      for step in 0..<10 { place += velocity(time + (Double(step) + 0.5) / 10) * 0.1 }
      return fix
    }
  }

  private static func found(_ fixes: [GNSSFix]) -> VelocityLag {
    var lag = VelocityLag()
    for fix in fixes { _ = lag.add(fix) }
    return lag
  }

  @Test(arguments: [0, 0.1, 0.4, 1.2]) func itIsFoundWithinWhatIsStated(lag: Double) {
    let found = Self.found(Self.fixes(for: 300, lag: lag))
    #expect(abs(found.value - lag) < 3 * found.variance.squareRoot(), "\(found.value) s")
    #expect(found.variance.squareRoot() < 0.1)
    #expect((found.clear != nil) == (lag > 0.3))
  }

  /// A receiver that scatters says less of it, and says so.
  @Test func coarsePositionsTellLess() {
    let (fine, coarse) = (
      Self.found(Self.fixes(for: 120, lag: 1.2)), Self.found(Self.fixes(for: 120, lag: 1.2, sigma: 10))
    )
    #expect(coarse.variance > 4 * fine.variance)
    #expect(abs(coarse.value - 1.2) < 3 * coarse.variance.squareRoot(), "\(coarse.value) s")
  }

  /// Who drives evenly straight on shows nothing of it.
  @Test func evenMotionTellsNothing() {
    var fixes = Self.fixes(for: 300, sigma: 1.5, speed: 0, change: 0)
    for k in fixes.indices {
      fixes[k].velocityNED = Vector3(15, 0, 0)
      fixes[k].position = fixes[k].position.moved(byNED: Vector3(15 * Double(k), 0, 0))
    }
    #expect(Self.found(fixes).variance > 0.24)
  }

  /// Multipath of 80 m that comes and goes is no lag.
  @Test func jumpsOfThePositionAreNoLag() {
    var fixes = Self.fixes(for: 300)
    for k in fixes.indices where k % 60 > 52 {
      fixes[k].position = fixes[k].position.moved(byNED: Vector3(60, -50, 0))
    }
    let found = Self.found(fixes)
    #expect(found.clear == nil)
    #expect(abs(found.value) < 0.25, "\(found.value) s")
  }

  /// Nor is one that always comes as the car gathers speed, and goes while it drives evenly: each looks like
  /// a lag of 8 s.
  @Test func jumpsThatComeWithTheSpeedAreNoLag() {
    var fixes = Self.fixes(for: 300)
    for k in fixes.indices where 23.6..<31.4 ~= Double(k).truncatingRemainder(dividingBy: 94.2) {
      let course = Double(k) * 0.03
      fixes[k].position = fixes[k].position.moved(byNED: Vector3(60 * cos(course), 60 * sin(course), 0))
    }
    let found = Self.found(fixes)
    #expect(found.clear == nil)
    #expect(abs(found.value) < 0.4, "\(found.value) s")
  }

  /// The velocities are on a line between fixes, and not over a gap.
  @Test func gapsAndFixesWithoutVelocityDoNoHarm() {
    var fixes = Self.fixes(for: 400, lag: 1.2)
    for k in fixes.indices where k % 30 < 3 { fixes[k].velocityNED = nil }
    fixes.removeAll { $0.time.seconds.truncatingRemainder(dividingBy: 50) > 38 }
    let found = Self.found(fixes)
    #expect(abs(found.value - 1.2) < 3 * found.variance.squareRoot(), "\(found.value) s")
    #expect(found.clear != nil)
  }

  /// In a tight bend such a velocity goes across the car, which was taken for carried on a ferry then.
  @Test func aLateVelocityInABendIsNoCarriage() throws {
    let ride = Ride(Scenario.town)
    let phone = ride.withFixes { fix in
      var fix = fix
      fix.velocityNED = ride.truth(at: Timestamp(seconds: max(0, fix.time.seconds - 1.2))).velocityNED
      return fix
    }
    var (squares, said, carried) = (0.0, 0.0, 0)
    _ = phone.played { engine, sample in
      guard case .gnss(let fix) = sample, fix.time.seconds > 60, let velocity = fix.velocityNED,
        let solution = engine.solution(at: fix.time)
      else { return }
      let truth = ride.truth(at: fix.time).velocityNED
      squares += (solution.velocityNED - truth).squaredNorm
      said += (velocity - truth).squaredNorm
      if solution.mode == .carried { carried += 1 }
    }
    #expect(carried == 0)
    #expect(said > 0 && squares < said / 9, "\(squares) m²/s², of the fixes \(said)")
  }

  /// A phone without an IMU: where the car brakes its speed by the engine is nearer to the car's than it is
  /// where the receiver's is taken for it.
  @Test func theEngineHeedsIt() throws {
    let ride = Ride(Scenario.town)
    // Measured ones never repeat to the last digit.
    var random = RandomSource(seed: 2, stream: "velocity")
    let phone = ride.changed { sample in
      guard case .gnss(var fix) = sample, fix.time.seconds.truncatingRemainder(dividingBy: 1) < 0.1 else {
        return nil
      }
      let late = ride.truth(at: Timestamp(seconds: max(0, fix.time.seconds - 1.2))).velocityNED
      fix.velocityNED = late + Vector3(random.normal(), random.normal(), random.normal()) * 0.01
      return .gnss(fix)
    }
    func squares(_ configuration: FusionConfiguration) -> Double {
      var engine = FusionEngine(configuration: configuration)
      return phone.samples.reduce(0) { sum, sample in
        engine.process(sample)
        guard sample.time.seconds > 60, let solution = engine.solution(at: sample.time) else { return sum }
        return sum + (solution.velocityNED - ride.truth(at: sample.time).velocityNED).squaredNorm
      }
    }
    var without = FusionConfiguration()
    without.disabled = FusionModelSet([.receiverLag])
    let (heeded, ignored) = (squares(FusionConfiguration()), squares(without))
    try #require(ignored > 0)
    #expect(heeded < 0.85 * ignored, "\(heeded) and \(ignored) m²/s²")
  }
}
