import CLibrary
import Fusion
import Simulation
import Testing

/// The guard among what it is told of a car that is known: fixes, turns and wheel speeds without errors but
/// those given.
private struct Guarded {
  static let origin = GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11, height: 500)
  var planar: PlanarNavigator
  var random = RandomSource(seed: 3, stream: "guard")
  /// Of the car: metres north and east of the origin, m/s, rad.
  private(set) var place = Vector3.zero
  var speed: Double
  var course: Double
  private(set) var time = 0.0

  /// Of the fixes, m, and of their velocity, m/s; nil for fixes without.
  var positionSigma = 1.5
  var velocitySigma: Double?
  /// Of the gyroscope, rad/s.
  var bias = 0.0
  /// The fixes' velocity is that of so many seconds ago.
  var velocityLag = 0.0
  /// What is found of it, and told to the guard where that is sought.
  var isLagSought = true
  private(set) var found = VelocityLag()
  private var velocities: [Vector3] = []

  init(speed: Double, course: Double = 0, velocitySigma: Double? = 0.1) {
    (self.speed, self.course, self.velocitySigma) = (speed, course, velocitySigma)
    var first = GNSSFix(
      time: Timestamp(nanoseconds: 0), position: Self.origin, positionSigma: Vector3(1.5, 1.5, 2.5))
    if let velocitySigma {
      first.velocityNED = Vector3(speed * cos(course), speed * sin(course), 0)
      first.speedSigma = velocitySigma
    }
    planar = PlanarNavigator(fix: first, receiver: Fusion.ReceiverModel(), settings: FusionConfiguration())
  }

  var velocity: Vector3 { Vector3(speed * cos(course), speed * sin(course), 0) }
  /// Metres between the guard and the car.
  var error: Double { (planar.position.ned(from: Self.origin) - place).horizontalNorm }
  /// Degrees between the direction of the guard's velocity and the car's.
  var courseError: Double {
    abs(Angle.degrees(radians: Angle.wrapped(atan2(planar.velocity.y, planar.velocity.x) - course)))
  }

  /// Drives on, a fix a second if wanted, and wheel speeds at 5 Hz if wanted.
  mutating func drive(
    _ seconds: Double, rate: Double = 0, acceleration: Double = 0, fixes: Bool = true, wheels: Bool = false,
    gyroscope: Bool = true, check: (Guarded) -> Void = { _ in }
  ) {
    let dt = 0.2
    for _ in 0..<Int((seconds / dt).rounded()) {
      let before = velocity
      speed += acceleration * dt
      course += rate * dt
      place += (before + velocity) * (dt / 2)
      time += dt
      velocities.append(velocity)
      let now = Timestamp(seconds: time)
      let felt = hypot(acceleration, speed * rate)
      planar.propagate(
        to: now, turn: gyroscope ? ((rate + bias) * dt, dt) : nil, acceleration: gyroscope ? felt : nil)
      planar.keepToHeading()
      if wheels { planar.update(WheelSample(time: now, speed: speed)) }
      if fixes, abs(time - time.rounded()) < 0.05 {
        let fix = fix(at: now)
        if found.add(fix), isLagSought {
          (planar.velocityDelay, planar.velocityDelayVariance) = (found.value, found.variance)
        }
        planar.update(fix)
      }
      check(self)
    }
  }

  private mutating func fix(at now: Timestamp) -> GNSSFix {
    let error = Vector3(random.normal(), random.normal(), random.normal()) * positionSigma
    var fix = GNSSFix(
      time: now, position: Self.origin.moved(byNED: place + error), positionSigma: Vector3(1.5, 1.5, 2.5))
    if let velocitySigma {
      let late = velocities.count - 1 - Int((velocityLag / 0.2).rounded())
      fix.velocityNED =
        velocities[max(0, late)] + Vector3(random.normal(), random.normal(), random.normal()) * velocitySigma
      fix.speedSigma = velocitySigma
    }
    return fix
  }
}

extension PlanarNavigator {
  /// Whether every number is finite and the covariances symmetric to the last bit and positive definite.
  fileprivate var isSound: Bool {
    [positionCovariance, velocityCovariance].allSatisfy {
      $0.isFinite && $0 == $0.transpose && $0.cholesky != nil
    } && position.isValid && velocity.isFinite && gnssPositionBias.isFinite && velocity.norm < 120
  }
}

@Suite struct PlanarNavigatorTests {
  /// What is known beforehand of the gyroscope's bias, rad/s.
  private static let biasSigma = FusionConfiguration().start.gyroBiasSigma

  /// A car that brakes before it is known whether its velocity is late is not carried on by that.
  @Test func aVelocityThatMayBeLateCarriesNobodyOn() {
    let errors = (UInt64(1)...10).map { seed in
      var guarded = Guarded(speed: 25)
      guarded.random = RandomSource(seed: seed, stream: "guard")
      (guarded.velocityLag, guarded.positionSigma, guarded.isLagSought) = (1.2, 0.5, false)
      guarded.planar.velocityDelayVariance = 0.25
      guarded.drive(4)
      guarded.drive(7, acceleration: -3.5)
      return guarded.error
    }
    let mean = errors.reduce(0, +) / 10
    // 4.3 m where it is told so with every fix anew.
    #expect(mean < 3.5, "\(mean) m")
  }

  /// The guard is right beside a velocity that is 1.2 s late, as a phone's.
  @Test(arguments: [0, 0.4, 1.2]) func aLateVelocityIsTakenAsLate(lag: Double) throws {
    var guarded = Guarded(speed: 12)
    guarded.velocityLag = lag
    for _ in 0..<6 {
      guarded.drive(8, rate: 0.2)
      guarded.drive(6, acceleration: -1)
      guarded.drive(8, rate: -0.2)
      guarded.drive(6, acceleration: 1)
    }
    if lag > 0 {
      let delay = try #require(guarded.found.clear)
      #expect(abs(delay.value - lag) < 0.25 * lag, "\(delay.value) s")
    } else {
      #expect(guarded.found.clear == nil)
    }
    guarded.drive(4, acceleration: -2)
    let off = (guarded.planar.velocity - guarded.velocity).horizontalNorm
    #expect(
      off < 0.4 + 0.7 * lag, "\(off) m/s while it brakes, by \(2 * lag) of a velocity that is taken as it is")
  }

  /// A car that pulls away northward while the guard takes it, as well as it knows, to creep southward: its
  /// wheels do not tell which way it goes, and must not hurry the guard the wrong way.
  @Test func wheelsDoNotTellWhichWayACarPullsAway() {
    var guarded = Guarded(speed: 2, course: .pi, velocitySigma: 0.4)
    guarded.course = 0
    var fastest = 0.0
    guarded.drive(3, acceleration: 2, fixes: false, wheels: true) {
      fastest = max(fastest, -$0.planar.velocity.x)
    }
    #expect(fastest < 3, "\(fastest) m/s southward")
  }

  /// A car that turns as it stops and as it pulls away again, by fixes of 1.5 m without a velocity: its
  /// course is off by not much more than it states. (What it gathers along a course that is off was taken for
  /// known across: the mean square was 10.5, is 2.9, and would be 1 of one that states all.)
  @Test func aCourseFromRestIsOffByLittleMoreThanItStates() {
    var squares: [Double] = []
    for seed in 1...200 {
      var guarded = Guarded(speed: 6, velocitySigma: nil)
      guarded.random = RandomSource(seed: UInt64(seed), stream: "guard")
      guarded.drive(8)
      guarded.drive(2.5, rate: 0.5, acceleration: -2)
      guarded.drive(2)
      guarded.drive(3, rate: 0.5, acceleration: 2)
      guarded.drive(3, acceleration: 1)
      let share = Angle.radians(degrees: guarded.courseError) / guarded.planar.courseSigma
      squares.append(share * share)
    }
    let mean = squares.reduce(0, +) / Double(squares.count)
    #expect(mean < 4, "\(mean)")
    #expect(squares.count { $0 > 9 } < 30)
  }

  @Test func theCovarianceStaysSymmetricAndPositive() {
    var guarded = Guarded(speed: 10)
    var unsound = 0
    let count: (Guarded) -> Void = { if !$0.planar.isSound { unsound += 1 } }
    guarded.drive(60, rate: 0.05, wheels: true, check: count)
    guarded.drive(120, rate: -0.1, fixes: false, wheels: true, check: count)
    guarded.drive(60, fixes: false, gyroscope: false, check: count)
    guarded.drive(30, acceleration: -0.33, check: count)
    #expect(unsound == 0)
  }

  @Test func fixesWithAndWithoutVelocityAreFollowed() {
    for velocitySigma in [0.1, nil] {
      var guarded = Guarded(speed: 12, course: 2, velocitySigma: velocitySigma)
      guarded.drive(60)
      #expect(guarded.error < 3, "\(guarded.error) m")
      #expect(guarded.courseError < 3, "\(guarded.courseError)°")
      #expect(abs(guarded.planar.velocity.horizontalNorm - 12) < 0.5)
      #expect(guarded.planar.isCourseKnown)
    }
  }

  @Test func theCourseOnACurveIsCarriedByTheGyroscopeAlone() {
    var guarded = Guarded(speed: 15)
    guarded.bias = 0.01
    // The bias shows on the straight.
    guarded.drive(60)
    guarded.drive(30, rate: 0.1, fixes: false)
    #expect(guarded.courseError < 5, "\(guarded.courseError)°")
    let stated = Angle.degrees(radians: guarded.planar.courseSigma)
    #expect(guarded.courseError < 3 * stated)
    #expect(guarded.planar.isCourseKnown)
    // Along the arc the speed may change: its error is in the stated covariance.
    let p = guarded.planar.positionCovariance
    #expect(guarded.error < 3 * (p.x.x + p.y.y).squareRoot(), "\(guarded.error) m")
  }

  @Test func wheelSpeedGivesTheDistance() {
    var guarded = Guarded(speed: 10)
    guarded.drive(30, wheels: true)
    // It gathers speed and brakes while there are no fixes: 60 s and 780 m.
    guarded.drive(30, acceleration: 0.2, fixes: false, wheels: true)
    guarded.drive(30, acceleration: -0.2, fixes: false, wheels: true)
    #expect(abs(guarded.planar.velocity.horizontalNorm - 10) < 0.2)
    let along = (guarded.planar.position.ned(from: Guarded.origin) - guarded.place).x
    #expect(abs(along) < 0.02 * 780, "\(along) m")
    // And it stops with them.
    guarded.drive(5, acceleration: -2, fixes: false, wheels: true)
    guarded.drive(3, fixes: false, wheels: true)
    #expect(guarded.planar.velocity.horizontalNorm < 0.3)
  }

  @Test func aStandingCarDoesNotWander() {
    for velocitySigma in [0.1, nil] {
      var guarded = Guarded(speed: 0, velocitySigma: velocitySigma)
      guarded.bias = 0.02
      var (farthest, fastest) = (0.0, 0.0)
      for second in 0..<300 {
        guarded.drive(1)
        guarded.planar.rest(rate: 0.02)
        guard second > 30 else { continue }
        farthest = max(farthest, guarded.error)
        fastest = max(fastest, guarded.planar.velocity.horizontalNorm)
      }
      // Fixes of 1.5 m go up to 5 m aside.
      #expect(farthest < 2.5, "\(farthest) m")
      #expect(fastest < 0.6, "\(fastest) m/s")
    }
  }

  /// What is at rest before the first course shows in the rate: then a turn is known from the first metre
  /// on.
  @Test func theRateAtRestIsTheBias() {
    var guarded = Guarded(speed: 0)
    guarded.bias = 0.04
    for _ in 0..<60 {
      guarded.drive(1)
      guarded.planar.rest(rate: 0.04)
    }
    guarded.drive(10, acceleration: 1.5)
    guarded.drive(30, fixes: false)
    #expect(guarded.courseError < 5, "\(guarded.courseError)°")
  }

  @Test func coastingForMonthsStaysBoundedAndFinite() {
    for isTurning in [false, true] {
      var guarded = Guarded(speed: 30)
      guarded.drive(20)
      var planar = guarded.planar
      var end = planar.time
      // What is longer than ten minutes the engine takes for a new start.
      for _ in 0..<16_667 {
        end = end.advanced(bySeconds: 600)
        planar.propagate(to: end, turn: isTurning ? (6, 600) : nil, acceleration: isTurning ? 1 : nil)
      }
      #expect(planar.isSound)
      #expect(planar.velocity.horizontalNorm < 1e-3)
      // Nothing tells where a car is after months, but it has not left the Earth.
      #expect(planar.position.ned(from: Guarded.origin).horizontalNorm < 1e5)
      #expect(planar.positionCovariance.x.x > 1e6)
      // And one fix is believed.
      planar.update(GNSSFix(time: end, position: Guarded.origin, positionSigma: Vector3(2, 2, 3)))
      planar.propagate(to: end.advanced(bySeconds: 1), turn: nil, acceleration: nil)
      planar.update(
        GNSSFix(time: end.advanced(bySeconds: 1), position: Guarded.origin, positionSigma: Vector3(2, 2, 3)))
      #expect(planar.isSound)
      #expect(planar.position.ned(from: Guarded.origin).horizontalNorm < 10)
    }
  }

  /// The clock may stand or go back.
  @Test func noTimeChangesNothing() {
    var guarded = Guarded(speed: 10)
    guarded.drive(5)
    let before = guarded.planar
    guarded.planar.propagate(to: before.time, turn: (1, 0.2), acceleration: 5)
    guarded.planar.propagate(to: before.time.advanced(bySeconds: -3), turn: (1, 0.2), acceleration: 5)
    #expect(guarded.planar.time == before.time && guarded.planar.position == before.position)
    #expect(guarded.planar.velocity == before.velocity)
    #expect(guarded.planar.positionCovariance == before.positionCovariance)
  }

  @Test func outliersAreOutvotedAndAFaultIsLeftAgain() {
    var guarded = Guarded(speed: 10)
    guarded.drive(60)
    let now = Timestamp(seconds: guarded.time)
    let wrong = Guarded.origin.moved(byNED: guarded.place + Vector3(0, 400, 0))
    guarded.planar.update(GNSSFix(time: now, position: wrong, positionSigma: Vector3(1, 1, 2)))
    #expect(guarded.error < 15, "\(guarded.error) m")
    guarded.drive(3)
    #expect(guarded.error < 4, "\(guarded.error) m")
    #expect(guarded.planar.moves == 0)
  }

  // MARK: Propagation

  private func start(speed: Double, course: Double, speedSigma: Double, moved: Vector3 = .zero)
    -> PlanarNavigator
  {
    var fix = GNSSFix(
      time: Timestamp(nanoseconds: 0), position: Guarded.origin, positionSigma: Vector3(1.5, 1.5, 2.5))
    fix.velocityNED = Vector3(speed * cos(course), speed * sin(course), 0) + moved
    fix.speedSigma = speedSigma
    return PlanarNavigator(fix: fix, receiver: Fusion.ReceiverModel(), settings: FusionConfiguration())
  }

  /// On a curve of `rate` for ten seconds.
  private func propagated(_ planar: PlanarNavigator, rate: Double) -> PlanarNavigator {
    var planar = planar
    for i in 1...50 {
      planar.propagate(to: Timestamp(seconds: Double(i) / 5), turn: (rate * 0.2, 0.2), acceleration: 0.5)
    }
    return planar
  }

  /// The covariance's change with that of the first velocity is F δP Fᵀ: its noise drops out of the
  /// difference.
  @Test(arguments: [(8.0, 0.4, 0.0), (15, -2, 0.1), (25, 3, -0.06)])
  func thePropagationOfTheVelocityIsThatOfCentralDifferences(speed: Double, course: Double, rate: Double) {
    let (loose, tight) = (
      propagated(start(speed: speed, course: course, speedSigma: 1.1), rate: rate),
      propagated(start(speed: speed, course: course, speedSigma: 0.1), rate: rate)
    )
    let before =
      start(speed: speed, course: course, speedSigma: 1.1).velocityCovariance
      - start(speed: speed, course: course, speedSigma: 0.1).velocityCovariance
    func columns(_ value: (PlanarNavigator) -> Vector3) -> Matrix3 {
      let h = 0.01
      let c = [Vector3(h, 0, 0), Vector3(0, h, 0), Vector3(0, 0, h)].map { step in
        let plus = propagated(start(speed: speed, course: course, speedSigma: 1, moved: step), rate: rate)
        let minus = propagated(
          start(speed: speed, course: course, speedSigma: 1, moved: step * -1), rate: rate)
        return (value(plus) - value(minus)) * (1 / (2 * h))
      }
      return Matrix3(columns: c[0], c[1], c[2])
    }
    for (name, f, change) in [
      ("velocity", columns(\.velocity), loose.velocityCovariance - tight.velocityCovariance),
      (
        "position", columns { $0.position.ned(from: Guarded.origin) },
        loose.positionCovariance - tight.positionCovariance
      ),
    ] {
      let expected = f * before * f.transpose
      // Steps of a fifth of a second are of first order in the turn.
      let error = (change - expected).trace / expected.trace
      #expect(abs(error) < 0.03, "\(name): \(error)")
      let skew = abs(change.x.y - expected.x.y) / expected.trace
      #expect(skew < 0.03, "\(name): \(skew)")
    }
  }

  /// A bias of the rate is a turn that nobody makes: at 20 m/s for 10 s it is most of what is not known
  /// across the way.
  @Test func thePropagationOfTheBiasIsThatOfCentralDifferences() {
    let h = 1e-4
    let first = start(speed: 20, course: 0, speedSigma: 0.05)
    let end = propagated(first, rate: 0)
    // A bias of h more turns by h less.
    let (more, less) = (propagated(first, rate: -h), propagated(first, rate: h))
    let velocity = (more.velocity - less.velocity) * (1 / (2 * h))
    let position = more.position.ned(from: less.position) * (1 / (2 * h))
    let across = end.velocityCovariance.y.y.squareRoot()
    #expect(abs(across / (Self.biasSigma * abs(velocity.y)) - 1) < 0.03, "\(across) m/s")
    let aside = end.positionCovariance.y.y.squareRoot()
    #expect(abs(aside / (Self.biasSigma * abs(position.y)) - 1) < 0.05, "\(aside) m")
  }

  @Test func whatIsUnknownGrowsWithTimeAndShrinksWithAFix() {
    var guarded = Guarded(speed: 10)
    guarded.drive(20)
    var last = guarded.planar.positionCovariance
    var shrank = 0
    guarded.drive(30, fixes: false) {
      if $0.planar.positionCovariance.trace <= last.trace { shrank += 1 }
      last = $0.planar.positionCovariance
    }
    #expect(shrank == 0)
    guarded.drive(1)
    #expect(guarded.planar.positionCovariance.trace < last.trace)
  }
}
