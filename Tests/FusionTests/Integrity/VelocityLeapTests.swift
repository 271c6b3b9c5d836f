import Fusion
import LinearAlgebra
import Navigation
import Testing

@Suite struct VelocityLeapTests {
  /// Fixes once a second of a car that goes north at 10 m/s, felt as `felt` m/s and measured as `measured`.
  private func watch(
    _ measured: [Double], felt: [Double]? = nil, acceleration: [Double]? = nil, delay: Double = 0
  ) -> [VelocityLeap] {
    var leap = VelocityLeap()
    var navigator = 10.0
    return measured.indices.map { second in
      if let felt, second > 0 { navigator += felt[second] - felt[second - 1] }
      leap.add(
        .init(
          measured: Vector3(measured[second], 0, 0), reckoned: Vector3(navigator - 10, 0, 0),
          acceleration: Vector3(acceleration?[second] ?? 0, 0, 0), delay: delay, sigma: 0.1),
        innovation: Vector3(measured[second] - navigator, 0, 0), at: Timestamp(seconds: Double(second)))
      return leap
    }
  }

  @Test func aLeapThatNobodyFeltIsTheReceivers() {
    let leaps = watch([10, 10, 16, 16, 16, 10.2])
    #expect(leaps.map(\.isAstray) == [false, false, true, true, true, false])
    func variances(_ innovation: Double) -> [Double] {
      leaps.enumerated().map {
        $1.variance(at: Timestamp(seconds: Double($0)), innovation: Vector3(innovation, 0, 0))
      }
    }
    #expect(variances(100) == [0, 0, 0, 36, 144, 0])
    // Only the velocity is wrong.
    #expect(variances(2) == [0, 0, 0, 4, 4, 0])
  }

  @Test func aLeapThatWasFeltIsTheCars() {
    #expect(!watch([10, 10, 16, 16], felt: [10, 10, 15.5, 16]).contains { $0.isAstray })
  }

  /// A navigator that is turned by half a circle feels a car brake that gathers speed.
  @Test func whatWasFeltToAnotherSideIsTheAttitudes() {
    let felt = [10.0, 10, 10, 7, 5, 3]
    #expect(!watch([10, 10, 10, 13, 15, 17], felt: felt).contains { $0.isAstray })
    // But not what is far more than was felt.
    #expect(watch([10, 10, 10, 22, 24, 26], felt: felt).map(\.isAstray)[3])
  }

  /// Attitude, a ship and a bias: the two part by and by.
  @Test func whoPartsSlowlyIsNotToldFrom() {
    #expect(!watch((0..<20).map { 10 + 1.5 * Double($0) }).contains { $0.isAstray })
  }

  /// A receiver that is a second late says at the end of a hard braking what was true at its start.
  @Test func aLateReceiverDoesNotLeap() {
    let braking = watch(
      [10, 10, 10, 4, 0, 0], felt: [10, 10, 4, 0, 0, 0], acceleration: [0, -3, -6, -4, 0, 0], delay: 1)
    #expect(!braking.contains { $0.isAstray })
  }

  /// Nobody can tell for longer than a minute which of the two is right.
  @Test func aFaultEndsByItself() {
    let leaps = watch([10] + [Double](repeating: 16, count: 70))
    #expect(leaps[60].isAstray)
    #expect(!leaps[63].isAstray)
  }

  /// From one wrong velocity to another, or to the right one, is no leap of its own.
  @Test func backFromAWrongVelocityIsNoLeap() {
    #expect(!watch([16, 16, 10, 10]).contains { $0.isAstray })
  }

  /// It is back, and the navigator, which went without it, astray.
  @Test func backIsBackWhereverTheNavigatorIs() {
    let astray = [10.0, 10, 9, 8, 7, 7]
    var leap = VelocityLeap()
    for (second, measured) in [10.0, 16, 16, 16, 10, 10].enumerated() {
      leap.add(
        .init(
          measured: Vector3(measured, 0, 0), reckoned: .zero, acceleration: .zero,
          delay: 0, sigma: 0.1),
        innovation: Vector3(measured - astray[second], 0, 0), at: Timestamp(seconds: Double(second)))
      #expect(leap.isAstray == (1...3).contains(second), "\(second) s")
    }
  }

  /// A fault of the receiver's has the size of its leap: what goes on to part is the navigator.
  @Test func aNavigatorThatRunsAwayIsNotBelieved() {
    var leap = VelocityLeap()
    for second in 0..<10 {
      let measured = second < 2 ? 10.0 : 14
      let navigator = 10.0 - (second < 2 ? 0 : 1.5 * Double(second - 1))
      leap.add(
        .init(
          measured: Vector3(measured, 0, 0), reckoned: .zero, acceleration: .zero, delay: 0, sigma: 0.1),
        innovation: Vector3(measured - navigator, 0, 0), at: Timestamp(seconds: Double(second)))
      // 2.1 m/s of its own: from 3 m/s on.
      #expect(leap.isAstray == (second == 2), "\(second) s")
    }
  }

  @Test func aGapTellsNothing() {
    var leap = VelocityLeap()
    for (second, velocity) in [10.0, 16].enumerated() {
      if second == 1 { leap.interrupt() }
      leap.add(
        .init(
          measured: Vector3(velocity, 0, 0), reckoned: .zero, acceleration: .zero, delay: 0, sigma: 0.1),
        innovation: Vector3(velocity - 10, 0, 0), at: Timestamp(seconds: Double(second)))
    }
    #expect(!leap.isAstray)
  }
}
