import CLibrary
import Fusion
import Navigation
import Testing

@Suite struct KnockWatchTests {
  private static let step = 0.1

  /// A body on its way, looked at ten times a second.
  private struct Watched {
    var watch = KnockWatch()
    var attitude = Quaternion.identity
    var velocity: Vector3
    var findings: [KnockWatch.Finding] = []
    var expected = Quaternion.identity

    init(speed: Double) { velocity = Vector3(speed, 0, 0) }

    /// Goes on for `seconds`; its body turns at `rate`, and its way at `way`, both in NED.
    mutating func go(
      _ seconds: Double, rate: Vector3 = .zero, way: Vector3 = .zero, shock: Double = 0, sigma: Double = 0.1
    ) {
      for _ in 0..<Int((seconds / step).rounded()) {
        attitude = Quaternion(rotationVector: rate * step) * attitude
        let acceleration = way.cross(velocity) + Vector3(0, 0, shock)
        velocity = Quaternion(rotationVector: way * step) * velocity
        let motion = KnockWatch.Motion(
          navFromBody: attitude, rate: rate, acceleration: acceleration, velocity: velocity, speedSigma: sigma
        )
        if let found = watch.add(motion, elapsed: step) {
          findings.append(found.finding)
          expected = found.expected
        }
      }
    }

    /// Drives as a car: nose and way turn alike.
    mutating func drive(_ seconds: Double, rate: Vector3) { go(seconds, rate: rate, way: rate) }
  }

  /// Bends at what tyres hold, a turn on the spot nearly, a speed bump, the ramp of a garage.
  @Test func aCarIsNotKnocked() {
    var fast = Watched(speed: 14)
    fast.go(5)
    fast.drive(3, rate: Vector3(0, 0, 0.6))
    fast.drive(3, rate: Vector3(0, 0, -0.6))
    fast.go(5)
    #expect(fast.findings.isEmpty && !fast.watch.isSuspected)

    var slow = Watched(speed: 2)
    slow.drive(6, rate: Vector3(0, 0, 0.5))
    #expect(slow.findings.isEmpty && !slow.watch.isSuspected)

    var bump = Watched(speed: 7)
    for _ in 0..<3 {
      bump.go(0.2, rate: Vector3(0, 0.4, 0))
      bump.go(0.2, rate: Vector3(0, -0.4, 0))
    }
    bump.go(1)
    #expect(bump.findings.isEmpty)

    // 25 % within four metres.
    var ramp = Watched(speed: 4)
    ramp.drive(1, rate: Vector3(0, 0.25, 0))
    ramp.go(1)
    #expect(ramp.findings.isEmpty)
  }

  @Test(arguments: [Vector3(0, 0, 0.8), Vector3(0, 0, -0.8), Vector3(0.8, 0, 0), Vector3(0.3, -0.5, 0.4)])
  func aKnockIsFound(rate: Vector3) {
    for speed in [0, 2, 8, 30.0] {
      var car = Watched(speed: speed)
      car.go(5)
      let before = car.attitude
      car.go(0.5, rate: rate)
      #expect(car.watch.undisturbed != nil, "\(speed) m/s")
      car.go(1)
      #expect(car.findings == [.knocked], "\(speed) m/s: \(car.findings)")
      #expect(car.watch.undisturbed == nil)
      let off = (car.expected * before.inverse).rotationVector
      // A slow car may have turned by itself meanwhile.
      #expect(off.norm < (speed == 2 ? 0.3 : 0.15), "\(speed) m/s: \(off)")
    }
  }

  /// The nose goes on with the way while the IMU is knocked in a bend.
  @Test func aKnockInABendLeavesTheBend() {
    var car = Watched(speed: 10)
    let bend = Vector3(0, 0, 0.3)
    car.drive(3, rate: bend)
    let before = car.attitude
    car.go(0.5, rate: bend + Vector3(0.8, 0, 0), way: bend)
    car.drive(1, rate: bend)
    #expect(car.findings == [.knocked])
    let turned = (car.expected * before.inverse).rotationVector
    #expect(abs(turned.z - 0.3 * 0.7) < 0.1 && turned.horizontalNorm < 0.05, "\(turned)")
  }

  /// A gyroscope that measures ten times too much, or with its sign turned, does not stop.
  @Test func aBrokenGyroscopeSpins() {
    for factor in [10, -1.0] {
      var car = Watched(speed: 8)
      let bend = Vector3(0, 0, 0.4)
      car.go(3)
      car.go(2.5, rate: bend * factor, way: bend)
      #expect(car.findings == [.spinning], "\(factor): \(car.findings)")
    }
  }

  /// A second knock soon after is no knock; a minute later it is one.
  @Test func nobodyKnocksTwice() {
    for (pause, finding) in [(10, KnockWatch.Finding.spinning), (60, .knocked)] {
      var car = Watched(speed: 8)
      car.go(3)
      car.go(0.5, rate: Vector3(0.8, 0, 0))
      car.go(Double(pause))
      car.go(0.5, rate: Vector3(0.8, 0, 0))
      car.go(1)
      #expect(car.findings == [.knocked, finding], "after \(pause) s: \(car.findings)")
    }
  }

  /// A skid turns the way, and not the nose: that is no knock. Nor is any turn of a body whose speed nobody
  /// knows.
  @Test func whereTheBodyDoesNotTurnItIsNotKnocked() {
    var skid = Watched(speed: 10)
    skid.go(3)
    skid.go(1, way: Vector3(0, 0, 0.5))
    skid.go(1)
    #expect(skid.findings.isEmpty)

    var unknown = Watched(speed: 1)
    unknown.go(3, sigma: 5)
    unknown.go(1, rate: Vector3(0, 0, 0.6), sigma: 5)
    unknown.go(1, sigma: 5)
    #expect(unknown.findings.isEmpty)
  }

  /// What is measured in a shock may be no turn: it is the motion that has to tell.
  @Test func aShockIsSuspectedOnly() {
    var car = Watched(speed: 8)
    car.go(3)
    car.go(0.3, rate: Vector3(2, 0, 0), shock: 40)
    car.go(3)
    #expect(car.findings.isEmpty && car.watch.isSuspected)
  }

  @Test func aLittleKnockIsSuspectedForAMinute() {
    var car = Watched(speed: 8)
    car.go(3)
    car.go(0.5, rate: Vector3(0.25, 0, 0))
    car.go(1)
    #expect(car.findings.isEmpty && car.watch.isSuspected)
    car.go(60)
    #expect(!car.watch.isSuspected)
  }
}
