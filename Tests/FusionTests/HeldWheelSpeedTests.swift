import CLibrary
import Fusion
import Simulation
import Testing

/// A wheel speed that goes on with its last value.
@Suite struct HeldWheelSpeedTests {
  /// Times at which `speed`, read at `rate` times a second, is told to be held, over those of `seconds`.
  private func held(rate: Double, _ seconds: Range<Double>, _ speed: (Double) -> Double) -> [Double] {
    var check = HeldWheelSpeed()
    return (0..<Int(seconds.upperBound * rate)).compactMap { i in
      let time = Double(i) / rate
      let isHeld = check.add(WheelSample(time: Timestamp(seconds: time), speed: speed(time)))
      return isHeld && seconds.contains(time) ? time : nil
    }
  }

  /// Of a car in town: from 6 to 14 m/s and back twice a minute.
  private func town(_ time: Double) -> Double { 10 + 4 * sin(time * 0.2093) }

  private func rounded(_ speed: Double, to step: Double) -> Double { (speed / step).rounded() * step }

  @Test(arguments: [10.0, 20, 100]) func aFineSpeedThatStaysIsHeldUntilItChanges(rate: Double) {
    // Again after a minute: what was held is not taken for usual.
    let stalls = [40.0..<50, 100..<110]
    let times = held(rate: rate, 0..<160) { time in
      town(stalls.first { $0.contains(time) }?.lowerBound ?? time)
    }
    #expect(times.allSatisfy { time in stalls.contains { $0.contains(time) } })
    for stall in stalls {
      let first = times.first { stall.contains($0) } ?? .infinity
      #expect(first < stall.lowerBound + 0.45, "at \(first) s")
      #expect(times.contains { $0 > stall.upperBound - 1.5 / rate && stall.contains($0) })
    }
  }

  /// Whole km/h, in town and on a motorway.
  @Test func aCoarseSpeedMayStay() {
    let step = 1 / 3.6
    #expect(held(rate: 20, 0..<300) { rounded(town($0), to: step) }.isEmpty)
    // For 9 s at a time, which may be without wheels once.
    let times = held(rate: 20, 0..<300) {
      rounded($0 < 60 ? town($0) : 30 + 0.03 * ($0 - 60), to: step)
    }
    #expect(times.allSatisfy { $0 < 85 } && times.count < 160, "\(times.count)")
  }

  /// At the ends of its swing it stays for up to 3.6 s.
  @Test func aCoarseSpeedThatStallsInTownIsHeld() {
    let times = held(rate: 20, 0..<300) { rounded(town(200..<210 ~= $0 ? 200 : $0), to: 1 / 3.6) }
    #expect(times.allSatisfy { 200..<210 ~= $0 } && (times.first ?? 300) < 208, "\(times.first ?? 0) s")
  }

  /// Measured five times a second, and told fifty times.
  @Test func aSpeedThatIsToldMoreOftenThanMeasuredIsNot() {
    #expect(held(rate: 50, 0..<300) { town(($0 * 5).rounded(.down) / 5) }.isEmpty)
  }

  @Test func aCarThatStandsIsNot() {
    #expect(held(rate: 20, 0..<300) { 100..<200 ~= $0 ? 0 : town($0) }.isEmpty)
  }

  /// A gateway that stalls for 10 s of each minute: 22 m off, with fixes good to 0.1 m.
  @Test func wheelsThatStallLeadNowhere() throws {
    var scenario = Scenario.town
    scenario.road += scenario.road
    scenario.receiver = Simulation.ReceiverModel(preset: .white)
    scenario.receiver.rate = 5
    scenario.receiver.uniform = .white(horizontal: 0.1, vertical: 0.2, velocity: 0.05)
    scenario.wheel = WheelModel()
    scenario.wheel?.quantum = 0
    let ride = Ride(scenario, seed: 5)
    var value = 0.0
    let stalled = ride.changed { sample in
      guard case .wheel(var wheel) = sample else { return sample }
      if wheel.time.seconds > 60, wheel.time.seconds.truncatingRemainder(dividingBy: 60) < 10 {
        wheel.speed = value
      }
      value = wheel.speed
      return .wheel(wheel)
    }
    func largest(_ ride: Ride) -> Double {
      var largest = 0.0
      _ = ride.played { engine, sample in
        guard case .gnss = sample, sample.time.seconds > 60 else { return }
        if let solution = engine.solution(at: sample.time) {
          largest = max(largest, ride.positionError(solution))
        }
      }
      return largest
    }
    let (error, least) = (largest(stalled), largest(ride))
    #expect(error < least + 0.5, "\(error) m, \(least) without a stall")
  }
}
