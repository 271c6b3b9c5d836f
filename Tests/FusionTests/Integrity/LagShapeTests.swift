import CLibrary
import Fusion
import Simulation
import Testing

/// Whether a velocity that lags is late, a mean or smoothed.
@Suite struct LagShapeTests {
  /// A car at 10 m/s that turns at a corner every 12 s, and a velocity that lags so; a fix a second.
  private static func found(lag: Double, noise: Double = 0.1, _ course: (_ time: Double) -> Double)
    -> LagShape
  {
    var shape = LagShape()
    var random = RandomSource(seed: 3, stream: "shape")
    for tick in 1...1500 {
      let time = Double(tick) / 5
      shape.turn(yaw(time) - yaw(time - 0.2), elapsed: 0.2, lag: lag)
      guard tick % 5 == 0 else { continue }
      var fix = GNSSFix(
        time: Timestamp(seconds: time),
        position: GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11, height: 0))
      let angle = course(time) + random.normal() * noise / 10
      fix.velocityNED = Vector3(10 * cos(angle), 10 * sin(angle), 0)
      _ = shape.add(fix, lag: lag)
    }
    return shape
  }

  /// A quarter to the right within 3 s of every 12.
  private static func yaw(_ time: Double) -> Double {
    let turns = (time / 12).rounded(.down)
    return (turns + min(max(time - 12 * turns - 5, 0), 3) / 3) * .pi / 2
  }

  private static func mean(_ time: Double, over seconds: Double) -> Double {
    (0..<200).reduce(0) { $0 + yaw(time - seconds * (Double($1) + 0.5) / 200) } / 200
  }

  /// By a filter of first order.
  private static func smoothed(_ time: Double, by seconds: Double) -> Double {
    (0..<400).reduce(0) { $0 + yaw(time + seconds * log(1 - (Double($1) + 0.5) / 400)) } / 400
  }

  @Test(arguments: [0.8, 1.2]) func lateAndSmoothedAreToldApart(lag: Double) {
    #expect(Self.found(lag: lag) { Self.yaw($0 - lag) }.share == LagShape.late)
    #expect(Self.found(lag: lag) { Self.smoothed($0, by: lag) }.share == LagShape.smoothed)
  }

  /// A short lag tells less.
  @Test func whatIsSmoothedShortlyIsNotTakenForLate() {
    #expect(Self.found(lag: 0.4) { Self.yaw($0 - 0.4) }.share == LagShape.late)
    #expect(Self.found(lag: 0.4) { Self.smoothed($0, by: 0.4) }.share > LagShape.late)
  }

  @Test func aMeanIsNotTakenForSmoothed() {
    #expect(Self.found(lag: 0.8, noise: 0.03) { Self.mean($0, over: 1.6) }.share < LagShape.smoothed)
  }

  /// A velocity on time says nothing of it, nor one whose course is all noise.
  @Test func whatIsNotSeenStays() {
    #expect(Self.found(lag: 0.1) { Self.smoothed($0, by: 0.1) }.share == LagShape.late)
    #expect(Self.found(lag: 0.8, noise: 10) { Self.smoothed($0, by: 0.8) }.share == LagShape.late)
  }

  /// In outages the car's own way is told by what was learned of it: a smoothed velocity taken for a late one
  /// errs in every bend.
  @Test(arguments: [1.0, 3.0]) func theEngineHeedsIt(time: Double) {
    let ride = Ride.sharp(sigma: 0.3, rate: 4, hasVelocity: true)
    var velocity = Vector3.zero, before: Timestamp?
    let smoothed = ride.withFixes { fix in
      var fix = fix
      guard let measured = fix.velocityNED else { return fix }
      let elapsed = before.map { fix.time.seconds(since: $0) } ?? 0
      before = fix.time
      velocity += (measured - velocity) * (1 - exp(-elapsed / time))
      fix.velocityNED = velocity
      return fix
    }
    var (squares, count) = (0.0, 0.0)
    let engine = smoothed.played { engine, sample in
      guard case .inertial = sample, sample.time.seconds > ride.duration / 2,
        let solution = engine.solution(at: sample.time)
      else { return }
      squares += (solution.velocityNED - ride.truth(at: sample.time).velocityNED).squaredNorm
      count += 1
    }
    #expect((squares / count).squareRoot() < 0.3, "\((squares / count).squareRoot()) m/s")
    #expect(engine.isInertialTrusted)
  }
}
