import Fusion
import Testing

@Suite struct DisplayTrackTests {
  private let home = GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11, height: 500)

  /// A solution at metres from home with a radius of about `sigma` · 2.4 (95 %).
  private func solution(
    _ seconds: Double, at ned: Vector3, velocity: Vector3 = .zero, sigma: Double = 1,
    mode: NavigationMode = .aided
  ) -> NavigationSolution {
    NavigationSolution(
      time: Timestamp(seconds: seconds), mode: mode, position: home.moved(byNED: ned), velocityNED: velocity,
      navFromVehicle: .identity, angularRate: .zero, positionCovariance: Matrix3(scalar: sigma * sigma),
      velocityCovariance: Matrix3(scalar: 0.01), attitudeCovariance: Matrix3(scalar: 0.01))
  }

  @Test func theFirstSolutionIsShownAsItIs() {
    var track = DisplayTrack()
    #expect(track.current == nil)
    let shown = track.update(solution(0, at: .zero))
    #expect(shown.snap == .start && shown.offset == 0 && shown.position == home)
  }

  /// The estimate leaps back by 8 m at 10 m/s: the display slows down to no less than
  /// half speed, until they meet.
  @Test func anEstimateThatFallsBackIsWaitedForInMotion() {
    var track = DisplayTrack()
    var last = track.update(solution(0, at: .zero, velocity: Vector3(10, 0, 0)))
    for tenth in 1...100 {
      let t = Double(tenth) / 10
      let shown = track.update(solution(t, at: Vector3(10 * t - 8, 0, 0), velocity: Vector3(10, 0, 0)))
      let step = shown.position.ned(from: last.position)
      #expect(shown.snap == nil)
      #expect(step.x >= 0.5 - 1e-6 && step.x <= 1.5 + 1e-6, "step of \(step.x) m at \(t) s")
      // Convergence: half of 10 m/s takes 1.6 s, and the rest fades in 1.5 s.
      if t > 6 { #expect(shown.offset < 0.5, "\(shown.offset) m off at \(t) s") }
      last = shown
    }
  }

  @Test func aLeapAsideIsTakenAtAnAngle() {
    var track = DisplayTrack()
    var last = track.update(solution(0, at: .zero, velocity: Vector3(0, 5, 0)))
    for tenth in 1...100 {
      let t = Double(tenth) / 10
      let shown = track.update(solution(t, at: Vector3(4, 5 * t, 0), velocity: Vector3(0, 5, 0)))
      let step = shown.position.ned(from: last.position)
      #expect(step.y > 0 && abs(step.x) <= step.y)
      if t > 8 { #expect(shown.offset < 0.2) }
      last = shown
    }
  }

  @Test func inReverseForwardIsBackward() {
    var track = DisplayTrack()
    var last = track.update(solution(0, at: .zero, velocity: Vector3(-2, 0, 0)))
    for tenth in 1...50 {
      let t = Double(tenth) / 10
      // The nose stays to the north (attitude of no rotation), the estimate is 3 m ahead of the display.
      let shown = track.update(solution(t, at: Vector3(3 - 2 * t, 0, 0), velocity: Vector3(-2, 0, 0)))
      let step = shown.position.ned(from: last.position).x
      #expect(step <= -0.1 + 1e-6 && step >= -0.3 - 1e-6)
      last = shown
    }
  }

  @Test func aStandingCarDoesNotCreep() {
    var track = DisplayTrack()
    let first = track.update(solution(0, at: .zero))
    for tenth in 1...600 {
      let t = Double(tenth) / 10
      let wander = Vector3(3 * (t / 60), -2 * (t / 60), 0)
      let isHeld = tenth % 2 == 0
      let shown = track.update(
        solution(
          t, at: wander, velocity: isHeld ? Vector3(0.5, 0, 0) : Vector3(0.1, 0.2, 0),
          mode: isHeld ? .stationary : .aided))
      #expect(shown.position.latitude == first.position.latitude)
      #expect(shown.position.longitude == first.position.longitude)
      #expect(abs(shown.offset - wander.norm) < 1e-3)
    }
  }

  @Test func whatIsFarOffIsLeaptTo() {
    var track = DisplayTrack()
    _ = track.update(solution(0, at: .zero, velocity: Vector3(10, 0, 0)))
    let near = track.update(solution(0.1, at: Vector3(49, 0, 0), velocity: Vector3(10, 0, 0)))
    #expect(near.snap == nil && near.offset > 45)
    let far = track.update(solution(0.2, at: Vector3(200, 0, 0), velocity: Vector3(10, 0, 0)))
    #expect(far.snap == .farOff && far.offset == 0)
  }

  /// 15 m off where the estimate claims 2.4 m, at a light: not for ever.
  @Test func itDoesNotStayOutsideTheRadius() {
    let leaps = self.leaps(sigma: 1)
    #expect(leaps.count == 1)
    #expect(abs((leaps.first ?? 0) - 10) < 0.3)
    #expect(self.leaps(sigma: 10) == [])
  }

  private func leaps(sigma: Double) -> [Double] {
    var track = DisplayTrack()
    _ = track.update(solution(0, at: .zero))
    return (1...300).compactMap { tenth in
      let t = Double(tenth) / 10
      return track.update(solution(t, at: Vector3(15, 0, 0), sigma: sigma)).snap == nil ? nil : t
    }
  }

  @Test func timeThatStandsStillOrLeapsIsSaid() {
    var track = DisplayTrack()
    let first = track.update(solution(10, at: .zero, velocity: Vector3(10, 0, 0)))
    #expect(track.update(solution(10, at: Vector3(1, 0, 0), velocity: Vector3(10, 0, 0))) == first)
    #expect(track.update(solution(9, at: Vector3(-10, 0, 0), velocity: Vector3(10, 0, 0))) == first)
    #expect(track.update(solution(20, at: Vector3(5, 0, 0), velocity: Vector3(10, 0, 0))).snap == .pause)
  }
}
