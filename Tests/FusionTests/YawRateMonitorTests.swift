import CLibrary
import Fusion
import Simulation
import Testing

/// Yaw rates of a car without an IMU that are not the car's, in a ride of town streets.
@Suite struct YawRateMonitorTests {
  private static let ride: Ride = {
    var scenario = Scenario.town
    scenario.road += scenario.road
    return Ride(scenario, seed: 4)
  }()

  /// The rides with a yaw rate in the place of an IMU, changed.
  private func ride(_ change: (Double) -> Double) -> Ride {
    Self.ride.withYawRate { _ in false }.changed { sample in
      guard case .wheel(var wheel) = sample else { return sample }
      wheel.yawRate = wheel.yawRate.map(change)
      return .wheel(wheel)
    }
  }

  /// What the monitor alone makes of it: when it found the rate to be none, s.
  private func found(_ ride: Ride) -> Double? {
    var monitor = YawRateMonitor()
    for sample in ride.samples {
      switch sample {
      case .wheel(let wheel): monitor.add(wheel)
      case .gnss(let fix): monitor.add(fix, positionSigma: 3)
      default: break
      }
      if !monitor.isTrusted { return sample.time.seconds }
    }
    return nil
  }

  /// Largest error in metres from a minute after the yaw rate was first left out, or after `start`, and how
  /// often it was.
  private func outcome(_ ride: Ride, from start: Double? = nil) -> (worst: Double, refused: Int) {
    var engine = FusionEngine()
    var worst = 0.0
    var refused = 0
    var start = start
    for sample in ride.samples {
      engine.process(sample)
      let now = engine.allVerdicts().count { $0.kind == .yawRate && $0.outcome == .contradicted }
      refused += now
      if now > 0 { start = start ?? sample.time.seconds }
      if case .gnss = sample, let start, sample.time.seconds > start + 60,
        let solution = engine.solution(at: sample.time)
      {
        worst = max(worst, Self.ride.positionError(solution))
      }
    }
    return (worst, refused)
  }

  @Test(arguments: ["as it is", "biased by 2 deg/s", "5 % too large", "without the fixes' velocity"])
  func theCarsOwnIsBelieved(_ kind: String) {
    var ride = ride { rate in
      switch kind {
      case "biased by 2 deg/s": rate + 0.035
      case "5 % too large": rate * 1.05
      default: rate
      }
    }
    if kind.hasPrefix("without") {
      ride = ride.withFixes { fix in
        var fix = fix
        fix.velocityNED = nil
        return fix
      }
    }
    #expect(found(ride) == nil)
    #expect(outcome(ride).refused == 0)
  }

  @Test func fixesThatLeapAndDriftConvictNoYawRate() {
    let ride = ride { $0 }.withFixes { fix in
      var fix = fix
      let phase = fix.time.seconds.truncatingRemainder(dividingBy: 60)
      let drift = Vector3(0, 4, 0)
      if phase < 20 {
        fix.position = fix.position.moved(byNED: drift * phase)
        fix.velocityNED = fix.velocityNED.map { $0 + drift }
      } else if phase > 50 {
        fix.position = fix.position.moved(byNED: Vector3(40, -30, 0))
      }
      return fix
    }
    #expect(found(ride) == nil)
  }

  /// It led hundreds of metres astray, with a good fix every second.
  @Test(arguments: ["to the left", "in degrees"])
  func oneThatIsNotTheCarsIsLeftOut(_ fault: String) throws {
    let ride = ride { fault == "to the left" ? -$0 : $0 * 180 / .pi }
    let time = try #require(found(ride))
    #expect(time < Self.ride.duration / 2)
    let (worst, refused) = outcome(ride)
    #expect(worst < 40, "\(worst) m off")
    #expect(refused > 100)
  }

  @Test func oneThatWasNeverOtherThanZeroIsNone() throws {
    let (worst, refused) = outcome(ride { _ in 0 }, from: 0)
    #expect(worst < 40, "\(worst) m off")
    #expect(refused > 100, "it is said")
  }

  /// A car that turns by 1.5 rad every 20 s, once to the right and once to the left.
  @Test func oneThatDiesIsLeftOutAndOneThatComesBackBelieved() {
    var monitor = YawRateMonitor()
    var heading = 0.0
    var trusted: [Bool] = []
    for i in 0..<3600 {
      let time = Timestamp(seconds: Double(i) / 10)
      let turn = i / 200
      let rate = i % 200 < 50 ? (turn % 2 == 0 ? 0.3 : -0.3) : 0
      let isDead = 200..<1800 ~= i
      monitor.add(WheelSample(time: time, speed: 10, yawRate: isDead ? 0 : rate))
      heading += rate / 10
      if i % 10 == 9 {
        var fix = GNSSFix(
          time: Timestamp(seconds: Double(i + 1) / 10),
          position: GeodeticPosition(latitude: 0.8, longitude: 0.2, height: 100))
        fix.velocityNED = Vector3(10 * cos(heading), 10 * sin(heading), 0)
        monitor.add(fix, positionSigma: 3)
      }
      if i == 199 || i == 1799 || i == 3599 { trusted.append(monitor.isTrusted) }
    }
    #expect(trusted == [true, false, true])
  }
}
