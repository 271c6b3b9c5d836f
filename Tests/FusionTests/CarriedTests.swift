import Fusion
import Simulation
import Testing

/// Motion that is not driving. Bounds are about twice the largest error seen over 20 seeds.
@Suite struct CarriedTests {
  private static func ferry(bow: Double) -> [RoadElement] {
    var ferry = Carriage.Ferry()
    ferry.bow = bow
    ferry.turn = 1.5
    return [RoadElement(.carried(.ferry(ferry, seconds: 240)), speed: 10)]
  }

  private static func tow(backward: Bool, wheelsRoll: Bool, pitch: Double) -> [RoadElement] {
    var tow = Manoeuvre.Tow()
    tow.isBackward = backward
    tow.wheelsRoll = wheelsRoll
    tow.pitch = pitch
    return [RoadElement(.towed(tow, length: 1000, angle: 1.5), speed: 50 / 3.6)]
  }

  /// Nothing that was learned of the car may be lost.
  private func expectUnharmed(_ outcome: CarriedRide.Outcome, _ comment: Comment) {
    #expect(outcome.mountingChange < 1, comment)
    #expect(outcome.odometerChange < 0.005, comment)
    #expect(outcome.axleChange < 0.3, comment)
    #expect(outcome.biasChange < 0.15, comment)
    #expect(outcome.laterHeading < 2, comment)
  }

  @Test(arguments: [0, 1, Double.pi], [false, true])
  func aFerryIsNoDrive(bow: Double, hasWheel: Bool) {
    let outcome = CarriedRide(Self.ferry(bow: bow), hasWheel: hasWheel).outcome()
    expectUnharmed(outcome, "bow \(bow)")
    // It takes the ship 25 s to be faster than the fixes are noisy, and as long at the end.
    #expect(outcome.carried > 0.7, "carried for \(outcome.carried) of the passage")
    #expect(outcome.position < 25, "\(outcome.position) m off")
    #expect(outcome.covered > 0.85)
    #expect(outcome.heading < 15)
    if hasWheel { #expect(outcome.reasons.contains(.wheelsStand)) }
  }

  /// What bears out that a car goes askew are fixes: it ends ten seconds after the last one.
  @Test func withoutFixesACarGoesWhereItsTyresTakeIt() {
    let carried = CarriedRide(Self.ferry(bow: 1), hasWheel: false)
    let last = carried.from + 120
    let afloat = modes(carried.ride, last: last)
    #expect(afloat(last + 5) == .carried)
    #expect(afloat(last + 15) != .carried)
  }

  /// The mode at a whole second of a ride without the fixes after `last`.
  private func modes(_ ride: Ride, last: Double) -> (Double) -> NavigationMode? {
    var modes: [Int: NavigationMode] = [:]
    _ = ride.withFixes { $0.time.seconds > last ? nil : $0 }.played { engine, sample in
      modes[Int(sample.time.seconds)] = engine.solution(at: sample.time)?.mode
    }
    return { modes[Int($0)] }
  }

  /// 1.5 °/s for two minutes look like a standing gyroscope with a bias.
  @Test(arguments: [120, 20.0], [false, true])
  func aTurntableTurnsTheHeading(seconds: Double, hasWheel: Bool) {
    let table = Carriage.turntable(angle: .pi, seconds: seconds, axis: 1.4)
    let outcome = CarriedRide(
      [RoadElement(.stop(seconds: 5), speed: 10), RoadElement(.carried(table), speed: 10)], hasWheel: hasWheel
    ).outcome()
    expectUnharmed(outcome, "\(seconds) s")
    // The part's scale is off by 1 % (one σ): 1.8° of half a turn; its bias drifts by 1° in two minutes.
    #expect(outcome.lastHeading < 6, "heading \(outcome.lastHeading)° off")
    #expect(outcome.position < 5)
    #expect(outcome.reasons == [.turned])
  }

  @Test(arguments: [9.0, -6])
  func aLiftChangesTheHeightOnly(height: Double) {
    let lift = Carriage.lift(height: height, seconds: 30)
    let outcome = CarriedRide(
      [
        RoadElement(.straight(length: 20), speed: 3, environment: .garage),
        RoadElement(.stop(seconds: 8), speed: 3, environment: .garage),
        RoadElement(.carried(lift), speed: 3, environment: .garage),
        RoadElement(.stop(seconds: 3), speed: 3, environment: .garage),
      ], hasWheel: false
    ).outcome()
    expectUnharmed(outcome, "\(height) m")
    #expect(outcome.reasons.contains(.lifted))
    #expect(outcome.position < 5)
  }

  @Test(arguments: [false, true])
  func aCarTowedByItsTailKeepsItsNose(hasWheel: Bool) {
    for (pitch, rolls) in [(0.0, true), (-0.14, true), (0.05, false)] {
      let outcome = CarriedRide(
        Self.tow(backward: true, wheelsRoll: rolls, pitch: pitch), hasWheel: hasWheel
      ).outcome()
      expectUnharmed(outcome, "pitch \(pitch)")
      #expect(outcome.heading < 8, "heading \(outcome.heading)° off")
      #expect(outcome.position < 8)
      #expect(outcome.carried > 0.5)
    }
  }

  @Test func aCarTowedWithItsNoseUpKeepsItsMounting() {
    let outcome = CarriedRide(
      Self.tow(backward: false, wheelsRoll: true, pitch: 0.14), hasWheel: true
    ).outcome()
    expectUnharmed(outcome, "nose up")
    #expect(outcome.reasons.contains(.askew))
  }

  /// In a queue the IMU feels 0.08 m/s² and no more.
  @Test(arguments: [false, true])
  func creepingIsNotStanding(hasWheel: Bool) {
    var creep = RoadElement(.straight(length: 4), speed: 0.39)
    creep.acceleration = 0.08
    let queue = (0..<10).flatMap { _ in [creep, RoadElement(.stop(seconds: 10), speed: 1)] }
    let outcome = CarriedRide(queue, hasWheel: hasWheel).outcome()
    #expect(outcome.position < 6, "\(outcome.position) m of 40 lost")
    #expect(outcome.reasons.isEmpty)
  }

  /// What looks like being carried, but is driving, stays driving.
  @Test(arguments: 1001...1003)
  func drivingIsNotBeingCarried(seed: Int) {
    for hasWheel in [false, true] {
      let road = [
        RoadElement(.turn(angle: 6.3, radius: 6), speed: 4), RoadElement(.stop(seconds: 3), speed: 4),
        RoadElement(.reverse(length: 30, angle: 1.5), speed: 2), RoadElement(.stop(seconds: 1), speed: 4),
        RoadElement(.straight(length: 300), speed: 14, grade: 0.12),
        RoadElement(.turn(angle: -1.5, radius: 8), speed: 4), RoadElement(.stop(seconds: 1), speed: 4),
      ]
      let outcome = CarriedRide(road, hasWheel: hasWheel, seed: UInt64(seed)).outcome()
      #expect(outcome.reasons.isEmpty, "\(outcome.reasons)")
      #expect(outcome.carried == 0)
    }
  }
}
