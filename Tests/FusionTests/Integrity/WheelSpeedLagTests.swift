import CLibrary
import Fusion
import Simulation
import Testing

/// A wheel speed that is late, or coarse.
@Suite struct WheelSpeedLagTests {
  /// Speed of a car in town, m/s: it brakes and gathers speed at up to 1.9 m/s², never quite to a stop.
  private func town(_ time: Double) -> Double { 8 + 5 * sin(0.3 * time) + 2 * sin(0.21 * time + 1) }

  /// What is learned of wheels read at `rate` times a second that are `late` by so many seconds, rounded down
  /// to `step`, in m/s, beside an IMU of 100 Hz whose tilt makes an acceleration of 0.05 m/s².
  private func learned(late: Double, rate: Double, step: Double, seconds: Double = 120) -> WheelSpeedLag {
    var lag = WheelSpeedLag()
    var random = RandomSource(seed: 3, stream: "wheel lag")
    var next = 0.0
    for i in 0..<Int(seconds * 100) {
      let time = Double(i) / 100
      let sum = town(time) + 0.05 * time
      lag.note(sum, at: Timestamp(seconds: time))
      guard time >= next else { continue }
      next += 1 / rate
      var speed = town(time - late) + 0.03 * random.normal()
      if step > 0 { speed = (speed / step).rounded(.down) * step }
      _ = lag.growth(since: WheelSample(time: Timestamp(seconds: time), speed: speed), sum: sum, scale: 0)
    }
    return lag
  }

  @Test(arguments: [0.1, 0.25, 0.4, 0.6, 0.9], [1.0, 5, 20, 50])
  func lateWheelsAreFoundOut(late: Double, rate: Double) {
    #expect(abs(learned(late: late, rate: rate, step: 0).clear - late) < 0.04)
    // In whole km/h a small lag stays open.
    let coarse = learned(late: late, rate: rate, step: 1 / 3.6).clear
    #expect(abs(coarse - late) < 0.08 || coarse == 0 && late < 0.2)
  }

  /// An IMU that is late makes wheels seem early: nothing is made of it.
  @Test(arguments: [-0.3, -0.1, 0, 0.03], [1.0, 5, 20, 50])
  func wheelsThatAreNotAreLeftAsTheyAre(late: Double, rate: Double) {
    for step in [0, 1 / 3.6] { #expect(learned(late: late, rate: rate, step: step).clear == 0) }
  }

  /// The sum is that of the speed forward or backward, as the wheels' is.
  @Test func theSpeedIsCarriedOnToNow() {
    var lag = learned(late: 0.5, rate: 20, step: 0)
    let time = 120.0
    for i in 0...1000 {
      let now = time + Double(i) / 100
      let sum = town(now) + 0.05 * now
      lag.note(sum, at: Timestamp(seconds: now))
      let wheel = WheelSample(time: Timestamp(seconds: now), speed: town(now - 0.5))
      let growth = lag.growth(since: wheel, sum: sum, scale: 0)
      #expect(abs(wheel.speed + growth - town(now)) < 0.12)
    }
    // After a gap of the IMU nothing is known of the speed meanwhile.
    lag.note(0, at: Timestamp(seconds: 140))
    #expect(lag.growth(since: WheelSample(time: Timestamp(seconds: 140), speed: 9), sum: 0, scale: 0) == 0)
  }

  /// Town with wheels ten times a second, and fixes good to 1 m but for half a minute in each minute and a
  /// half.
  private func ride(seed: UInt64) -> Ride {
    Ride.wheeled(sigma: 1, rate: 2, wheelRate: 10, seed: seed).withFixes { fix in
      fix.time.seconds > 90 && fix.time.seconds.truncatingRemainder(dividingBy: 90) < 30 ? nil : fix
    }
  }

  /// Root mean square of the error, m, after the first 90 s, and part of the time outside of the 95 % radius.
  private func outcome(_ ride: Ride, disabled: FusionModelSet = []) -> (error: Double, outside: Double) {
    var squares = 0.0, count = 0.0, outside = 0.0
    var configuration = FusionConfiguration()
    configuration.disabled = disabled
    var engine = FusionEngine(configuration: configuration)
    for sample in ride.samples {
      engine.process(sample)
      guard case .wheel = sample, sample.time.seconds > 90,
        let solution = engine.solution(at: sample.time)
      else { continue }
      let error = ride.positionError(solution)
      squares += error * error
      count += 1
      if error > solution.horizontalAccuracy95 { outside += 1 }
    }
    return ((squares / max(count, 1)).squareRoot(), outside / max(count, 1))
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func lateWheelsLeadNoFurtherAstray(seed: UInt64) {
    let ride = ride(seed: seed)
    var before: [Double] = []
    let late = ride.changed { sample in
      guard case .wheel(var wheel) = sample else { return sample }
      before.append(wheel.speed)
      wheel.speed = before.count > 5 ? before[before.count - 6] : wheel.speed
      return .wheel(wheel)
    }
    let (sound, found) = (outcome(ride), outcome(late))
    let taken = outcome(late, disabled: FusionModelSet([.wheelCheck]))
    #expect(found.error < 1.5 * sound.error + 0.5, "\(found.error) m, \(sound.error) on time")
    #expect(found.error < 0.6 * taken.error, "\(found.error) m, \(taken.error) as they are")
    #expect(found.outside < 0.05)
  }

  /// A signal that is lost in an outage, and read as zero.
  @Test(arguments: [1, 2, 3] as [UInt64]) func wheelsThatFallToZeroLeadNowhere(seed: UInt64) {
    let ride = ride(seed: seed)
    let lost = ride.changed { sample in
      guard case .wheel(var wheel) = sample else { return sample }
      if 95..<105 ~= wheel.time.seconds.truncatingRemainder(dividingBy: 90) + 90 { wheel.speed = 0 }
      return .wheel(wheel)
    }
    let (sound, found) = (outcome(ride), outcome(lost))
    #expect(found.error < 3 * sound.error + 2, "\(found.error) m, \(sound.error) with all")
    #expect(found.outside < 0.05, "\(found.outside)")
  }

  /// Wheel speeds in whole m/s, rounded down.
  @Test(arguments: [1, 2, 3] as [UInt64]) func coarseWheelsAreBelievedLess(seed: UInt64) {
    let coarse = ride(seed: seed).changed { sample in
      guard case .wheel(var wheel) = sample else { return sample }
      wheel.speed = wheel.speed.rounded(.down)
      return .wheel(wheel)
    }
    let found = outcome(coarse)
    #expect(found.error < 2, "\(found.error) m")
    #expect(found.outside < 0.1, "\(found.outside) outside, \(found.error) m")
  }
}
