import Navigation
import SensorEvents
import Sensors
import Testing

/// What a connection says of itself, without socket and clock.
struct GPSDSessionTests {
  /// A session, the time, and what it has said.
  private struct Run {
    var session: GPSDSession
    var now = 100.0
    var contents: [SensorEvent.Content] = []
    var watches = 0

    init(device: String? = nil, sharesClock: Bool = true) {
      session = GPSDSession(
        address: GPSDAddress(device: device), accuracy: .automatic, sharesClock: sharesClock,
        now: Timestamp(seconds: 100))
      session.begin { contents.append($0) }
    }

    @discardableResult mutating func take(_ report: GPSDReport?) -> GPSDSession.Action {
      session.take(report, at: Timestamp(seconds: now)) { contents.append($0) }
    }

    mutating func greet(devices: [String] = ["/dev/a"]) {
      take(.version(release: "3.22", protocolMajor: 3))
      take(.devices(devices.map { GPSDDevice(path: $0, isActive: true) }))
    }

    /// Time passes in the steps in which the reader looks. gpsd answers when it is asked, unless it is
    /// `dead`. Returns why to connect again.
    @discardableResult mutating func pass(_ seconds: Double, dead: Bool = false) -> String? {
      for _ in 0..<Int(seconds / 0.25) {
        now += 0.25
        switch session.tick(Timestamp(seconds: now), { contents.append($0) }) {
        case .none: break
        case .watch:
          watches += 1
          if !dead { take(nil) }
        case .reconnect(let reason): return reason
        }
      }
      return nil
    }

    /// A fix a second of `device`, for so many seconds.
    mutating func drive(_ device: String, seconds: Int, mode: Int = 3) {
      for _ in 0..<seconds {
        var position = FixDecoderTests.position(second: now, mode: mode)
        position.device = device
        take(.position(position))
        pass(1)
      }
    }

    var status: SourceStatus? {
      contents.compactMap { if case .status(let status) = $0 { status } else { nil } }.last
    }

    var fixes: Int {
      contents.count { if case .fix(let fix) = $0 { fix.dimensions != .none } else { false } }
    }
  }

  @Test func aReceiverWithAFixStreamsAndSaysSoOnce() {
    var run = Run()
    #expect(run.status?.state == .connected)
    run.greet()
    run.drive("/dev/a", seconds: 20)
    #expect(run.fixes == 20)
    #expect(run.status == SourceStatus(.streaming))
    let count = run.contents.count { if case .status = $0 { true } else { false } }
    #expect(count == 3)
    #expect(run.session.counts.fixes == 20)
  }

  @Test func aGPSDWithoutReceiversSaysWhatToDo() {
    var run = Run()
    run.greet(devices: [])
    #expect(run.status?.state == .connected)
    #expect(run.status?.message.contains("gpsdctl add") == true)
    // It stays connected for good, as long as gpsd answers, which is asked for what was plugged in since.
    #expect(run.pass(60) == nil)
    #expect(run.watches >= 10 && run.watches <= 12)
    #expect(run.status?.state == .connected)
  }

  @Test func aSilentReceiverIsFaultyWithinASecondOfTheLimitAndStreamsAgain() {
    var run = Run()
    run.greet()
    run.drive("/dev/a", seconds: 3)
    run.pass(3.5)
    #expect(run.status?.state == .streaming)
    run.pass(1.5)
    #expect(run.status?.state == .faulty)
    #expect(run.status?.message.contains("/dev/a") == true)
    run.drive("/dev/a", seconds: 1)
    #expect(run.status?.state == .streaming)
  }

  @Test func aReceiverThatRepeatsItsLastFixIsFaultyAlthoughReportsCome() {
    var run = Run()
    run.greet()
    var position = FixDecoderTests.position()
    position.device = "/dev/a"
    for _ in 0..<10 {
      run.take(.position(position))
      run.pass(1)
    }
    #expect(run.fixes == 1)
    #expect(run.session.counts.duplicates == 9)
    #expect(run.status?.state == .faulty)
    #expect(run.status?.message.contains("repeats") == true)
  }

  @Test func noFixAndDeadReckoningAreNoFaults() {
    var run = Run()
    run.greet()
    run.drive("/dev/a", seconds: 3, mode: 1)
    #expect(run.status?.state == .connected)
    #expect(run.session.counts.withoutFix == 3)
    run.drive("/dev/a", seconds: 1)
    #expect(run.status?.state == .streaming)
    for _ in 0..<8 {
      var position = FixDecoderTests.position(second: run.now)
      position.device = "/dev/a"
      position.status = .deadReckoning
      run.take(.position(position))
      run.pass(1)
    }
    #expect(run.fixes == 1)
    #expect(run.session.counts.unusable == 8)
    #expect(run.status?.state == .connected)
    #expect(run.status?.message.contains("without satellites") == true)
  }

  @Test func fixesWithoutTimeAreFaulty() {
    var run = Run()
    run.greet()
    var position = FixDecoderTests.position()
    position.time = nil
    run.take(.position(position))
    #expect(run.status?.state == .faulty)
    #expect(run.status?.message.contains("no time") == true)
  }

  @Test func anOldDateIsToldAndItsFixesGoOn() {
    var run = Run()
    run.greet()
    var position = FixDecoderTests.position()
    position.time = Timestamp(seconds: 1_118_327_684)
    run.take(.position(position))
    #expect(run.fixes == 1)
    #expect(run.status?.state == .streaming)
    #expect(run.status?.message.contains("date") == true)
  }

  @Test func theFirstReceiverWithAFixIsKept() {
    var run = Run()
    run.greet(devices: ["/dev/a", "/dev/b"])
    run.drive("/dev/a", seconds: 2, mode: 1)
    run.drive("/dev/b", seconds: 2)
    run.drive("/dev/a", seconds: 2)
    #expect(run.fixes == 2)
    // b falls silent and a goes on: b is given up, but not at once.
    run.drive("/dev/a", seconds: 20)
    #expect(run.fixes > 2 + 8 && run.fixes < 2 + 15)
    // It stays with a now.
    let before = run.fixes
    run.drive("/dev/b", seconds: 1)
    #expect(run.fixes == before)
  }

  @Test func aReceiverThatIsUnpluggedMakesWayAtOnceAndItsLossIsTold() {
    var run = Run()
    run.greet()
    run.drive("/dev/a", seconds: 2)
    run.take(.device(GPSDDevice(path: "/dev/a", isActive: false)))
    #expect(run.status?.state == .faulty)
    #expect(run.status?.message.contains("/dev/a") == true)
    run.take(.device(GPSDDevice(path: "/dev/b", isActive: true)))
    run.drive("/dev/b", seconds: 1)
    #expect(run.status?.state == .streaming)
    #expect(run.fixes == 3)
  }

  @Test func aNamedReceiverIsTheOnlyOneAndItsAbsenceIsTold() {
    var run = Run(device: "/dev/b")
    run.greet()
    run.drive("/dev/a", seconds: 20)
    #expect(run.fixes == 0)
    #expect(run.status?.state == .faulty)
    #expect(run.status?.message.contains("does not know /dev/b (it knows /dev/a)") == true)
    run.drive("/dev/b", seconds: 1)
    #expect(run.fixes == 1)
  }

  @Test func aServerThatSaysNothingAndOneThatIsOldAreLeft() {
    var silent = Run()
    #expect(silent.pass(10)?.contains("no gpsd") == true)
    #expect(silent.now < 106)
    #expect(silent.status?.state == .faulty)
    var old = Run()
    guard case .reconnect = old.take(.version(release: "2.9", protocolMajor: 2)) else {
      Issue.record("protocol 2 is taken")
      return
    }
  }

  @Test func aGPSDThatIsGoneWithoutAWordIsAskedThenLeft() {
    var run = Run()
    run.greet()
    run.drive("/dev/a", seconds: 1)
    #expect(run.pass(30, dead: true)?.contains("does not answer") == true)
    #expect(run.now < 114)
  }

  @Test func clocksCountOnlyIfGPSDsHostIsThisOne() {
    let offset = GPSDOffset(
      device: "/dev/a", receiver: Timestamp(seconds: 1e9), realtime: Timestamp(seconds: 1e9 + 1),
      isPulse: true)
    var here = Run()
    here.greet()
    here.take(.offset(offset))
    guard case .clocks(let clocks)? = here.contents.last else {
      Issue.record("no clocks")
      return
    }
    #expect(clocks.clock == .receiver && clocks.reference == .realtime && clocks.isPulse)
    #expect(clocks.time == offset.receiver && clocks.referenceTime == offset.realtime)
    #expect(clocks.uncertainty < 1_000_000)
    var far = Run(sharesClock: false)
    far.greet()
    let before = far.contents.count
    far.take(.offset(offset))
    #expect(far.contents.count == before)
  }
}
