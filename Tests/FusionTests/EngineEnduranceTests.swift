import Fusion
import Simulation
import Testing

@Suite struct EngineEnduranceTests {
  private static let ride = Ride(.town)

  /// The town again and again for an hour.
  @Test func covariancesStayPositiveForAnHour() throws {
    var scenario = Scenario.town
    scenario.road = (0..<22).flatMap { _ in Scenario.town.road }
    let ride = Ride(scenario)
    #expect(ride.duration > 3500)
    var seconds = 0
    var errors: [Double] = []
    var track = Simulator(scenario: scenario, seed: 1).track
    _ = ride.played { engine, sample in
      guard sample.time.seconds >= Double(seconds), let solution = engine.solution(at: sample.time) else {
        return
      }
      seconds += 1
      #expect(solution.isSound, "at \(sample.time.seconds) s")
      guard case .inertial = sample else { return }
      let truth = track.state(at: sample.time).position(at: scenario.imu.position)
      errors.append(solution.position.ned(from: truth).horizontalNorm)
    }
    #expect(seconds > 3500 && errors.count > 3000)
    errors.sort()
    #expect(errors[errors.count / 2] < 6, "median \(errors[errors.count / 2]) m")
  }

  /// On a straight road at even speed nothing tells of the place: the radius grows from second to
  /// second. (A turn or a standstill shows errors of speed and heading, and with them of the place they
  /// led to: there it may shrink.)
  @Test func anOutageGrowsTheRadius() throws {
    var scenario = Ride.short
    scenario.driver.speedVariation = 0
    scenario.road.append(RoadElement(.straight(length: 1200), speed: 14))
    let ride = Ride(scenario)
    let start = ride.duration - 70
    let cut = ride.withFixes { $0.time.seconds > start ? nil : $0 }
    var radii: [Double] = []
    _ = cut.played { engine, sample in
      guard case .inertial = sample, sample.time.seconds >= start + Double(radii.count + 1), radii.count < 60,
        let solution = engine.solution(at: sample.time)
      else { return }
      radii.append(solution.horizontalAccuracy95)
      #expect(solution.mode == (radii.count < 3 ? .aided : .deadReckoning) || radii.count == 3)
    }
    #expect(radii.count == 60)
    for (earlier, later) in zip(radii, radii.dropFirst()) { #expect(later > earlier) }
    #expect((radii.last ?? 0) > 3 * (radii.first ?? 0), "\(radii)")
  }

  @Test func gapsInTheInertialSamplesAreBridged() throws {
    let ride = Self.ride
    for gap in [0.3, 3] {
      let cut = ride.changed { sample in
        guard case .inertial(let s) = sample else { return sample }
        return s.time.seconds > 70 && s.time.seconds < 70 + gap ? nil : sample
      }
      var worst = 0.0
      _ = cut.played { engine, sample in
        guard case .gnss = sample, sample.time.seconds > 70, let solution = engine.solution(at: sample.time)
        else { return }
        #expect(solution.isSound && solution.isAligned, "gap of \(gap) s, \(sample.time.seconds) s")
        worst = max(worst, ride.positionError(solution))
      }
      #expect(worst < 25, "gap of \(gap) s: \(worst) m")
    }
  }

  /// After ten minutes without a sample the engine starts anew and finds itself again.
  @Test func tenMinutesOfNothingAreSurvived() throws {
    let ride = Self.ride
    let later = 600.0
    func moved(_ time: Timestamp) -> Timestamp { time.seconds > 70 ? time.advanced(bySeconds: later) : time }
    var engine = FusionEngine()
    for sample in ride.samples {
      switch sample {
      case .inertial(var s):
        s.time = moved(s.time)
        engine.process(.inertial(s))
      case .gnss(var fix):
        fix.time = moved(fix.time)
        fix.received = nil
        engine.process(.gnss(fix))
      case .wheel, .pressure: break
      }
      if let solution = engine.solution(at: moved(sample.time)) { #expect(solution.isSound) }
    }
    var solution = try #require(engine.solution(at: Timestamp(seconds: ride.duration + later)))
    #expect(solution.isAligned)
    solution.time = Timestamp(seconds: ride.duration)
    #expect(ride.positionError(solution) < 15)
  }

  /// Five minutes in a canyon that never sleeps: neither place nor heading wander off.
  @Test func aStandingCarStaysWhereItIs() throws {
    var scenario = Ride.short
    for i in scenario.road.indices { scenario.road[i].environment = .urban }
    scenario.road.append(RoadElement(.park(seconds: 310), speed: 8, environment: .canyon))
    let ride = Ride(scenario)
    var (first, place, heading) = (NavigationSolution?.none, 0.0, 0.0)
    var standing = 0
    _ = ride.played { engine, sample in
      guard sample.time.seconds > ride.duration - 300, case .gnss = sample,
        let solution = engine.solution(at: sample.time)
      else { return }
      guard let first else {
        first = solution
        return
      }
      place = max(place, solution.position.ned(from: first.position).horizontalNorm)
      heading = max(heading, abs(Angle.wrapped(solution.heading - first.heading)))
      if solution.mode == .stationary { standing += 1 }
    }
    #expect(standing > 1000)
    #expect(Angle.degrees(radians: heading) < 0.5, "\(Angle.degrees(radians: heading))°")
    #expect(place < 6, "\(place) m")
  }

  @Test func theAntimeridianIsNoEdge() throws {
    var scenario = Ride.short
    scenario.start = GeodeticPosition(latitudeDegrees: -17, longitudeDegrees: 179.9995, height: 5)
    scenario.heading = .pi / 2
    let ride = Ride(scenario)
    var (west, east) = (0, 0)
    let engine = ride.played { engine, sample in
      guard case .gnss = sample, let solution = engine.solution(at: sample.time) else { return }
      #expect(solution.isSound && abs(solution.position.longitude) <= .pi)
      #expect(ride.positionError(solution) < 15)
      if solution.position.longitude > 0 { west += 1 } else { east += 1 }
    }
    #expect(west > 10 && east > 10)
    let solution = try #require(engine.solution(at: Timestamp(seconds: ride.duration)))
    #expect(ride.headingError(solution) < 3)
  }

  @Test func nearThePoleThereAreOnlyNumbers() throws {
    for latitude in [89.9, -89.99] {
      var scenario = Ride.short
      scenario.start = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: 8.7, height: 5)
      let ride = Ride(scenario)
      let engine = ride.played { engine, sample in
        guard case .gnss = sample, let solution = engine.solution(at: sample.time) else { return }
        #expect(solution.isSound)
      }
      let solution = try #require(engine.solution(at: Timestamp(seconds: ride.duration)))
      #expect(ride.positionError(solution) < 15, "\(ride.positionError(solution)) m at \(latitude)°")
    }
  }
}
