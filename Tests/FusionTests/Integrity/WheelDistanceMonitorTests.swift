import CLibrary
import Fusion
import LinearAlgebra
import Navigation
import Simulation
import Testing

/// Wheels that are in another unit, beside a receiver that states no velocity.
@Suite struct WheelDistanceMonitorTests {
  /// What a wheel sensor makes of the speed, m/s, at a time, s; nil where it is silent.
  private typealias Sensor = (_ speed: Double, _ time: Double) -> Double?

  /// A car in town: it stops, and turns at corners and in roundabouts.
  private func town(_ time: Double) -> (speed: Double, rate: Double) {
    let speed = max(0, 8 + 8 * sin(time * 0.13))
    return (speed, time.truncatingRemainder(dividingBy: 40) < 12 && speed > 0 ? 0.35 : 0)
  }

  /// The times at which wheels at 10 Hz are refused, and believed again, with fixes at 1 Hz whose errors last
  /// for some seconds.
  private func changes(
    sigma: Double = 3, stated: Double = 1, resolution: Double = 0, speed: ((Double) -> Double)? = nil,
    _ sensor: Sensor
  ) -> [Double] {
    var monitor = WheelDistanceMonitor(), random = RandomSource(seed: 3, stream: "fixes")
    var (place, error, heading) = (Vector3.zero, Vector3.zero, 0.0)
    var changes: [Double] = []
    for step in 0..<36_000 {
      let time = Double(step) * 0.1, rate = town(time).rate
      let speed = speed?(time) ?? town(time).speed
      heading += rate * 0.1
      place += Vector3(cos(heading), sin(heading), 0) * (speed * 0.1)
      let wasTrusted = monitor.isTrusted
      monitor.turn(by: rate * 0.1)
      if let wheel = sensor(speed, time) {
        monitor.add(WheelSample(time: Timestamp(seconds: time), speed: wheel))
      }
      if step % 10 == 0 {
        let fade = exp(-1 / 8.0)
        let news = Vector3(random.normal(), random.normal(), 0) * sigma
        error = error * fade + news * (1 - fade * fade).squareRoot()
        let fix = GNSSFix(
          time: Timestamp(seconds: time),
          position: GeodeticPosition(latitude: 0.7, longitude: 0.2, height: 0)
            .moved(byNED: place + error))
        _ = monitor.add(fix, variance: stated * stated * sigma * sigma, resolution: resolution)
      }
      if monitor.isTrusted != wasTrusted { changes.append(time) }
    }
    return changes
  }

  @Test(arguments: [0.9, 1, 1.1], [1, 12.0]) func aRightScaleIsNotRefused(scale: Double, sigma: Double) {
    #expect(changes(sigma: sigma) { speed, _ in speed * scale }.isEmpty)
    #expect(changes(sigma: sigma, stated: 0.5) { speed, _ in speed * scale }.isEmpty, "half is stated")
  }

  @Test func lateAndCoarseWheelsAreNot() {
    let late: Sensor = { speed, time in self.town(max(0, time - 1)).speed }
    #expect(changes(late).isEmpty)
    #expect(changes(resolution: 1) { speed, _ in speed.rounded(.down) * 0.9 }.isEmpty, "whole m/s")
    #expect(changes(speed: { _ in 1.8 }) { _, _ in 0.0 }.isEmpty, "nothing below 2 m/s")
    #expect(changes(speed: { 2.5 + sin($0) }) { speed, _ in speed < 2 ? 0 : speed }.isEmpty)
  }

  /// As 65535 hundredths of a km/h.
  @Test func whatIsNotAvailableIsNoSpeed() {
    #expect(changes { speed, time in time.truncatingRemainder(dividingBy: 30) < 2 ? 182.04 : speed }.isEmpty)
  }

  @Test func aCarThatIsCarriedHasNoWrongScale() {
    #expect(changes { _, _ in 0.02 }.isEmpty)
  }

  @Test(arguments: [1 / 3.6, 0.514, 1.944, 2.237, 3.6]) func anotherUnitIsFoundOut(scale: Double) throws {
    let first = try #require(changes { speed, _ in speed * scale }.first)
    #expect(first < 90, "after \(first) s")
    #expect(changes(sigma: 10) { speed, _ in speed * scale }.count == 1, "for good")
  }

  /// After a long drive too, and back.
  @Test func aUnitMayChange() throws {
    let times = changes { speed, time in 1200..<2400 ~= time ? speed * 3.6 : speed }
    try #require(times.count == 2)
    #expect(1200..<1320 ~= times[0] && 2400..<2500 ~= times[1], "\(times)")
  }

  @Test func nothingIsSaidWhereWheelsAreMissing() {
    #expect(changes { speed, time in time.truncatingRemainder(dividingBy: 8) < 4 ? nil : speed }.isEmpty)
  }

  /// 100 m astray and more.
  @Test(arguments: [2.237, 3.6]) func wheelsInAnotherUnitLeadNowhere(scale: Double) throws {
    let ride = Ride.wheeled(sigma: 1.5, rate: 1, seed: 5).withFixes { fix in
      var fix = fix
      fix.velocityNED = nil
      return fix.time.seconds > 280 && fix.time.seconds.truncatingRemainder(dividingBy: 60) > 40 ? nil : fix
    }
    func largest(_ ride: Ride) -> Double {
      var largest = 0.0
      _ = ride.played { engine, sample in
        guard case .inertial = sample, sample.time.seconds > 200 else { return }
        guard let solution = engine.solution(at: sample.time) else { return largest = .infinity }
        largest = max(largest, ride.positionError(solution))
      }
      return largest
    }
    let wrong = ride.changed { sample in
      guard case .wheel(var wheel) = sample else { return sample }
      wheel.speed *= scale
      return .wheel(wheel)
    }
    let without = ride.changed { if case .wheel = $0 { nil } else { $0 } }
    let (error, least) = (largest(wrong), largest(without))
    #expect(error < 1.5 * least + 4, "\(error) m, \(least) without wheels, \(largest(ride)) with")
  }
}
