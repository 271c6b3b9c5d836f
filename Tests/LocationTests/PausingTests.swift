import Location
import Navigation
import Testing

@Suite struct PausingTests {
  /// Changes over so many seconds of one location a second.
  private func run(
    _ pausing: inout Pausing, from start: Int, seconds: Int, _ make: (Double) -> Location
  ) -> [Pausing.Change] {
    (start..<start + seconds).compactMap { pausing.update(make(Double($0))) }
  }

  private func standing(_ t: Double) -> Location { Made.location(at: t, mode: .stationary, speed: 0) }

  @Test func pauseNeedsALongStandstillForAutomotiveNavigation() {
    var pausing = Pausing()
    #expect(run(&pausing, from: 0, seconds: 900, standing).isEmpty)
    #expect(run(&pausing, from: 900, seconds: 10, standing) == [.paused])
  }

  @Test func pauseNeverComesFromTheLossOfFixes() {
    var pausing = Pausing()
    // An hour in a tunnel, the speed near 0 as far as anybody can tell; or nothing at all is said.
    let lost = run(&pausing, from: 0, seconds: 3600) {
      Made.location(accuracy: 50 + $0, at: $0, mode: .deadReckoning, speed: 0)
    }
    #expect(lost.isEmpty)
    #expect(run(&pausing, from: 3600, seconds: 100, standing).isEmpty)
    // A gap, then standing again: time unseen does not count.
    #expect(run(&pausing, from: 9000, seconds: 100, standing).isEmpty)
    #expect(run(&pausing, from: 9100, seconds: 3600) { Made.location(accuracy: -1, at: $0) }.isEmpty)
  }

  @Test func pauseIsInterruptedByAnyMotion() {
    var pausing = Pausing()
    for lap in 0..<5 {
      #expect(run(&pausing, from: lap * 810, seconds: 800, standing).isEmpty)
      let drive = run(&pausing, from: lap * 810 + 800, seconds: 10) {
        Made.location(north: $0, at: $0, speed: 3)
      }
      #expect(drive.isEmpty)
    }
  }

  @Test func pauseAndResumeAreAnnouncedAndResumingIsAutomaticWhenTheCarMoves() {
    var service = StandardService()
    _ = service.start(session: 1, cached: nil, at: Made.time(0))
    var outputs: [StandardService.Output] = []
    for i in 0..<1000 { outputs += service.offer(standing(Double(i)), at: Made.time(Double(i))) }
    #expect(outputs.filter { $0 == .paused }.count == 1)
    #expect(outputs.last == .paused && service.isPaused)
    #expect(service.demand == .watching)
    let moving = Made.location(north: 5, at: 1000, speed: 4)
    #expect(service.offer(moving, at: Made.time(1000)) == [.resumed, .locations([moving])])
    #expect(!service.isPaused)
  }

  @Test func pauseEndsByDistanceWhereSpeedIsUnknown() {
    var pausing = Pausing(activity: .other)
    #expect(run(&pausing, from: 0, seconds: 302, standing) == [.paused])
    #expect(pausing.update(Made.location(north: 20, at: 303)) == nil)
    #expect(pausing.update(Made.location(north: 40, at: 304)) == .resumed)
  }

  @Test func pauseCanBeSwitchedOffAndEndsWhenItIs() {
    var off = Pausing(isEnabled: false)
    #expect(run(&off, from: 0, seconds: 4000, standing).isEmpty)
    var service = StandardService()
    _ = service.start(session: 1, cached: nil, at: Made.time(0))
    for i in 0..<1000 { _ = service.offer(standing(Double(i)), at: Made.time(Double(i))) }
    var settings = StandardService.Settings()
    settings.pausesAutomatically = false
    #expect(service.configure(settings) == [.resumed])
  }

  @Test func pauseNeverComesInTheAir() {
    var pausing = Pausing(activity: .airborne)
    #expect(run(&pausing, from: 0, seconds: 10_000, standing).isEmpty)
  }
}
