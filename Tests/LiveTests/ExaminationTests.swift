import Live
import Navigation
import SensorEvents
import TestParts
import Testing

struct ExaminationTests {
  private static let sources = [
    SourceDescription(id: MadeEvents.imu, name: "IMU", role: .inertial),
    SourceDescription(id: MadeEvents.receiver, name: "gpsd", role: .fix),
  ]

  /// Five seconds of a standing car, as its IMU shows it; `change` makes it wrong.
  private func findings(
    rate: Int = 100, clock: ClockKind = .host, fixes: FixReading.Dimensions = .three,
    velocity: Vector3 = .zero,
    _ change: (inout InertialReading) -> Void = { _ in }
  ) -> [Finding] {
    var examination = Examination(sources: Self.sources, inertialRate: 100)
    var noise = Dice(seed: 4)
    func small() -> Vector3 {
      Vector3(noise.uniform() - 0.5, noise.uniform() - 0.5, noise.uniform() - 0.5) * 0.02
    }
    for i in 0..<(5 * rate) {
      let t = Double(i) / Double(rate)
      var reading = InertialReading(
        time: MadeEvents.host(t), clock: clock, angularRate: small(),
        specificForce: Vector3(0.1, -0.2, -9.8) + small())
      change(&reading)
      examination.take(
        SensorEvent(
          source: MadeEvents.imu, arrival: MadeEvents.host(t + 0.005), content: .inertial(reading)))
      guard i % (rate / 5) == 0 else { continue }
      var fix = GNSSFix(
        time: Timestamp(seconds: MadeEvents.unix + t),
        position: GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 13, height: 50),
        positionSigma: Vector3(1, 1, 2), velocityNED: velocity)
      fix.speedSigma = 0.1
      examination.take(
        SensorEvent(
          source: MadeEvents.receiver, arrival: MadeEvents.host(t + 0.08),
          content: .fix(FixReading(fix: fix, dimensions: fixes))))
    }
    return examination.findings(at: MadeEvents.host(5))
  }

  private func grades(_ findings: [Finding], _ subject: String) -> [Finding.Grade] {
    findings.filter { $0.subject == subject }.map(\.grade)
  }

  @Test func goodSensorsHaveNoFaultAndNoAdvice() {
    let list = findings()
    #expect(list.allSatisfy { $0.grade == .good }, "\(list)")
    #expect(Set(list.map(\.subject)) == ["IMU", "gravity", "gyroscope", "receiver", "clocks"])
  }

  @Test func aCarThatDrivesIsNotSaidToBeAtRest() {
    func gravity(_ velocity: Vector3) -> String {
      findings(velocity: velocity).first { $0.subject == "gravity" }?.text ?? ""
    }
    #expect(gravity(.zero).contains("at rest"))
    #expect(!gravity(Vector3(8, 0, 0)).contains("at rest") && gravity(Vector3(8, 0, 0)).contains("moves"))
    let shaken = findings { $0.specificForce.z += $0.time.nanoseconds / 10_000_000 % 2 == 0 ? 1 : -1 }
    #expect(shaken.contains { $0.subject == "gravity" && !$0.text.contains("at rest") })
  }

  @Test func silentSourcesAreFaults() {
    let list = Examination(sources: Self.sources, inertialRate: 100).findings(at: MadeEvents.host(5))
    #expect(list.count == 2 && list.allSatisfy { $0.grade == .fault })
    #expect(list.contains { $0.remedy.contains("gpsd") })
  }

  @Test(arguments: [(1 / 9.80665, "in g"), (1 / 16.0, "factor"), (2.0, "factor")] as [(Double, String)])
  func aWrongScaleIsAFaultAndNamed(factor: Double, words: String) {
    let list = findings { $0.specificForce = $0.specificForce * factor }
    let gravity = list.filter { $0.subject == "gravity" }
    #expect(gravity.map(\.grade) == [.fault])
    #expect(gravity.first?.text.contains(words) == true)
  }

  @Test func aDeadAxisIsAFault() {
    let list = findings { $0.angularRate.y = 0 }
    #expect(grades(list, "gyroscope").contains(.fault))
    #expect(list.contains { $0.text.contains("axis y") })
  }

  @Test func aSlowIMUIsAdviceAndAVerySlowOneAFault() {
    #expect(grades(findings(rate: 50), "IMU") == [.advice])
    #expect(grades(findings(rate: 10), "IMU") == [.fault])
  }

  /// The rate is that of the samples, and no gap is seen from one read to the next.
  @Test func burstsAreSaidWithTheirSizeAndPeriod() {
    let list = findings { reading in
      let period: Int64 = 100_000_000
      // Not later than it comes; a time in seconds is rounded.
      let since = reading.time.nanoseconds - MadeEvents.host(0).nanoseconds + 1000
      reading.time.nanoseconds -= since % period - 1000
    }
    let advice = list.filter { $0.grade != .good }
    #expect(advice.map(\.subject) == ["IMU clock"], "\(list)")
    #expect(advice.first?.text.contains("bursts of about 10, one every 100 ms") == true, "\(advice)")
    #expect(list.contains { $0.subject == "IMU" && $0.text.contains("100.0 samples a second") }, "\(list)")
  }

  @Test func timesByAnUnknownClockAreAFault() {
    #expect(grades(findings(clock: .realtime), "IMU clock") == [.fault])
  }

  @Test func aReceiverWithoutFixIsAdviceOnly() {
    #expect(grades(findings(fixes: .none), "receiver") == [.advice])
  }

  @Test func linesFitTheTerminal() {
    for finding in findings(rate: 10, clock: .realtime) {
      for line in finding.lines(columns: 80) { #expect(line.count <= 80, "\(line)") }
    }
  }
}
