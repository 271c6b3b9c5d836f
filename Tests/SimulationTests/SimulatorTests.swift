import Drives
import Foundation
import Navigation
import Simulation
import Testing

@Suite struct SimulatorTests {
  private func inertial(_ drive: SimulatedDrive) -> [InertialSample] {
    drive.samples.compactMap { if case .inertial(let sample) = $0 { sample } else { nil } }
  }
  private func fixes(_ drive: SimulatedDrive) -> [GNSSFix] {
    drive.samples.compactMap { if case .gnss(let fix) = $0 { fix } else { nil } }
  }

  @Test func sameSeedSameDriveOtherSeedOtherDrive() {
    let one = Simulator(scenario: .town, seed: 4).run()
    let same = Simulator(scenario: .town, seed: 4).run()
    let other = Simulator(scenario: .town, seed: 5).run()
    #expect(one.samples == same.samples && one.truth == same.truth && one.description == same.description)
    #expect(inertial(one).first != inertial(other).first)
    #expect(fixes(one).first?.position != fixes(other).first?.position)
  }

  @Test func changingOneSensorLeavesTheOthers() {
    var changed = Scenario.town
    changed.receiver = ReceiverModel(preset: .phone)
    changed.wheel = WheelModel()
    let one = Simulator(scenario: .town, seed: 4).run()
    let two = Simulator(scenario: changed, seed: 4).run()
    #expect(inertial(one) == inertial(two))
    changed = .town
    changed.imu = IMUModel(part: .bmi160)
    changed.imu.rate = 50
    #expect(fixes(one) == fixes(Simulator(scenario: changed, seed: 4).run()))
  }

  @Test func wheelsReadTooMuchAndNothingWhenCreeping() {
    var scenario = Scenario.town
    var wheel = WheelModel()
    wheel.scaleError = 0.02
    wheel.hasYawRate = true
    scenario.wheel = wheel
    let simulator = Simulator(scenario: scenario, seed: 1)
    var track = simulator.track
    var (ratio, yaw) = (Statistics(), Statistics())
    for case .wheel(let sample) in simulator.run().samples {
      let state = track.state(at: sample.time)
      #expect(sample.speed >= 0)
      if abs(state.speed) < 0.3 { #expect(sample.speed == 0) }
      let acceleration = (state.navFromVehicle.inverse * state.accelerationNED).x
      if state.speed > 8, abs(acceleration) < 0.01 { ratio.add(sample.speed / state.speed) }
      if let rate = sample.yawRate { yaw.add(rate - state.angularRateNav.z) }
    }
    // The quantum of 0.02 m/s takes away half of itself on average.
    #expect(ratio.count > 500 && abs(ratio.mean - 1.02 + 0.01 / 13) < 5e-4)
    #expect(abs(yaw.sigma / 0.003 - 1) < 0.05 && abs(yaw.mean) < 0.01)
  }

  @Test func truthIsAtTheAntenna() {
    let simulator = Simulator(scenario: Scenarios.everything)
    let drive = simulator.run()
    var track = simulator.track
    let antenna = simulator.scenario.receiver.antenna
    #expect(drive.truth.count == Int(track.duration * 10) + 1)
    for truth in drive.truth {
      let state = track.state(at: truth.time)
      #expect(truth.position == state.position(at: antenna))
      #expect(truth.velocityNED == state.velocityNED(at: antenna))
    }
    #expect(drive.description.truth?.reference == "antenna")
    let arm = antenna - simulator.scenario.imu.position
    #expect(drive.description.antennaLeverArm.map { ($0 - arm).norm < 1e-6 } == true)
  }

  @Test func aFolderReadsBackAsTheDrive() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("reckon-simulator-\(UInt64.random(in: 0...UInt64.max))").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var scenario = Scenarios.everything
    scenario.wheel = WheelModel()
    let drive = Simulator(scenario: scenario, seed: 9).run()
    try drive.write(to: folder)
    #expect(throws: DriveError.alreadyExists(path: folder)) { try drive.write(to: folder) }
    try drive.write(to: folder, overwriting: true)
    let reader = try DriveReader(path: folder)
    #expect(reader.description == drive.description)
    var samples = try reader.samples()
    var count = 0
    while let sample = try samples.next() {
      let original = drive.samples[count]
      #expect(abs(sample.time.seconds(since: original.time)) < 1e-4)
      if case .inertial(let a) = sample, case .inertial(let b) = original {
        #expect((a.angularRate - b.angularRate).norm < 1e-6)
        #expect((a.specificForce - b.specificForce).norm < 1e-5)
      }
      count += 1
    }
    #expect(count == drive.samples.count)
  }
}
