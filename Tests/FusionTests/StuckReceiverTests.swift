import CLibrary
import Fusion
import Simulation
import Testing

@Suite struct StuckReceiverTests {
  private let origin = GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11, height: 500)

  private func fix(_ time: Double, at north: Double, velocity: Double? = nil) -> GNSSFix {
    GNSSFix(
      time: Timestamp(seconds: time), position: origin.moved(byNED: Vector3(north, 0, 0)),
      velocityNED: velocity.map { Vector3($0, 0, 0) })
  }

  /// Whether nothing is told by any of the fixes of `seconds` at `rate`.
  private func isStuck(rate: Double, seconds: Double, _ fix: (Double) -> GNSSFix) -> Bool {
    var receiver = StuckReceiver()
    var isStuck = false
    for i in 0...Int(seconds * rate) where receiver.add(fix(Double(i) / rate)) { isStuck = true }
    return isStuck
  }

  @Test(arguments: [1.0, 4, 10]) func aPositionThatStaysAtSpeedIsNoneUntilItChanges(rate: Double) {
    var receiver = StuckReceiver()
    for i in 0..<Int(60 * rate) {
      let time = Double(i) / rate
      let isHeld = 20..<50 ~= time
      // Where the car is when it goes on does not matter, nor that it has stopped.
      let told = receiver.add(fix(time, at: (isHeld ? 20 : min(time, 40)) * 15))
      #expect(told == (isHeld && time > 20), "at \(time) s")
    }
  }

  /// Speed and course have no vertical part.
  @Test func aVelocityThatStaysIsNoneOfALevelOneToo() {
    var receiver = StuckReceiver()
    for second in 0..<40 {
      let going = min(Double(second), 20)
      var level = fix(Double(second), at: 5 * going, velocity: 5)
      level.velocityNED?.y = 0.01 * going
      level.velocityNED?.z = .nan
      #expect(receiver.add(level) == (second > 20), "at \(second) s")
    }
  }

  /// Speed and way of a car that brakes from 20 m/s after 10 s.
  private func braking(by deceleration: Double, at time: Double) -> (speed: Double, way: Double) {
    let braked = min(max(0, time - 10), 20 / deceleration)
    return (
      20 - deceleration * braked, 20 * min(time, 10 + braked) - deceleration * braked * braked / 2
    )
  }

  @Test(arguments: [1.0, 4, 10]) func aCarThatBrakesHardAndStandsIsNot(rate: Double) {
    for phase in stride(from: 0, to: 1, by: 0.05) {
      #expect(
        !isStuck(rate: rate, seconds: 60) { fix($0, at: braking(by: 10, at: $0 + phase).way) },
        "1 g, \(phase) s")
      // A phone's velocity is 1.2 s late.
      #expect(
        !isStuck(rate: rate, seconds: 60) {
          fix(
            $0, at: braking(by: 5, at: $0 + phase).way,
            velocity: braking(by: 5, at: $0 + phase - 1.2).speed)
        }, "late, \(phase) s")
    }
  }

  @Test func aStandingCarWhosePositionLeapsIsNot() {
    #expect(!isStuck(rate: 1, seconds: 60) { fix($0, at: $0 < 20 ? 0 : 40, velocity: 0) })
  }

  /// Four decimals of a degree are 11 m.
  @Test(arguments: [1.0, 5]) func aRoundedPositionMayRepeatItself(rate: Double) {
    #expect(!isStuck(rate: rate, seconds: 60) { fix($0, at: (5 * $0 / 11).rounded() * 11) })
  }

  @Test func aVelocityThatRepeatsItselfWithThePositionIsNone() {
    var receiver = StuckReceiver()
    for i in 0..<10 { _ = receiver.add(fix(Double(i), at: 3 * Double(i), velocity: 3 + 0.01 * Double(i))) }
    let isStuck = receiver.add(fix(10, at: 27, velocity: 3.09))
    #expect(isStuck)
    // One that goes on to be measured is of use.
    let isStuckStill = receiver.add(fix(11, at: 27, velocity: 3.1))
    #expect(!isStuckStill)
  }

  /// The place was given up for where the receiver had stuck: 799 m off at 9 m.
  @Test(arguments: [nil, 0, 1] as [Double?]) func aReceiverThatSticksIsAnOutage(velocity: Double?) throws {
    var scenario = Scenario.town
    scenario.road += scenario.road
    scenario.receiver = Simulation.ReceiverModel(preset: .white)
    scenario.receiver.rate = 5
    scenario.receiver.uniform = .white(horizontal: 1.5, vertical: 3, velocity: 0.1)
    let ride = Ride(scenario, seed: 5)
    var (held, largest) = (GNSSFix?.none, 0.0)
    let stuck = ride.withFixes { fix in
      let isFast = ride.truth(at: fix.time).velocityNED.horizontalNorm > 10
      let since = held.map { fix.time.seconds(since: $0.time) } ?? .infinity
      if since > 90, isFast, fix.time.seconds > 90 { held = fix }
      guard var repeated = held, fix.time.seconds(since: repeated.time) < 20 else {
        var fix = fix
        if velocity == nil { fix.velocityNED = nil }
        return fix
      }
      if fix.time > repeated.time {
        repeated.velocityNED = velocity.flatMap { v in
          fix.velocityNED.map { _ in repeated.velocityNED.map { $0 * v } ?? .zero }
        }
      }
      repeated.time = fix.time
      return repeated
    }
    _ = stuck.played { engine, sample in
      guard case .gnss = sample, sample.time.seconds > 90 else { return }
      if let solution = engine.solution(at: sample.time) {
        largest = max(largest, ride.positionError(solution))
      }
    }
    #expect(held != nil && largest < 40, "\(largest) m")
  }
}
