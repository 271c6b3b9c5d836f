import Navigation
import SensorEvents
import Sensors
import TestParts
import Testing

/// Fixes and receivers at the rate that is needed.
@Suite(.serialized) struct GPSDRateTests {
  /// A session that a receiver tells of `rate` fixes a second.
  private struct Run {
    var session = GPSDSession(
      address: GPSDAddress(), accuracy: .automatic, sharesClock: true, now: Timestamp(seconds: 100))
    var contents: [SensorEvent.Content] = []
    var number = 0
    var requests: [String] = []

    init(fastestCycle: Double? = 0.1) { greet(fastestCycle) }

    /// The connection is lost, and another one made.
    mutating func reconnect() {
      let last = session
      session = GPSDSession(
        address: GPSDAddress(), accuracy: .automatic, sharesClock: true, now: Timestamp(seconds: 100))
      session.recall(last)
      greet(0.1)
    }

    private mutating func greet(_ fastestCycle: Double?) {
      var device = GPSDDevice(path: "/dev/ttyACM0", isActive: true)
      device.fastestCycle = fastestCycle
      _ = session.take(.version(release: "3.22", protocolMajor: 3), at: Timestamp(seconds: 100)) { _ in }
      _ = session.take(.devices([device]), at: Timestamp(seconds: 100)) { _ in }
    }

    /// So many fixes, `interval` apart.
    mutating func drive(_ count: Int, interval: Double) -> Int {
      let before = fixes
      for _ in 0..<count {
        number += 1
        let position = FixDecoderTests.position(second: Double(number) * interval)
        _ = session.take(.position(position), at: Timestamp(seconds: 100 + Double(number) * interval)) {
          contents.append($0)
        }
        if let request = session.rateRequest() { requests.append(request) }
      }
      return fixes - before
    }

    mutating func want(_ rate: Double?) { session.want(rate) { contents.append($0) } }

    var fixes: Int { contents.count { if case .fix = $0 { true } else { false } } }
    var states: [SourceStatus.State] {
      contents.compactMap { if case .status(let status) = $0 { status.state } else { nil } }
    }
  }

  @Test func fixesThatNobodyNeedsArePassedOver() {
    var run = Run(fastestCycle: nil)
    #expect(run.drive(50, interval: 0.2) == 50)
    run.want(1)
    let thinned = run.drive(50, interval: 0.2)
    #expect((10...11).contains(thinned), "\(thinned) of 50 fixes in 10 s")
    #expect(run.session.counts.passedOver == 50 - thinned)
    run.want(nil)
    #expect(run.drive(50, interval: 0.2) == 50)
    // A change is told, so that nobody takes the other rhythm for a fault; a receiver as slow
    // as needed loses nothing.
    #expect(run.states == [.streaming, .connected, .streaming, .connected, .streaming])
    var slow = Run(fastestCycle: nil)
    slow.want(1)
    #expect(slow.drive(30, interval: 1) == 30)
    #expect(run.requests.isEmpty && slow.requests.isEmpty)
  }

  @Test func aReceiverIsSlowedDownAndLeftAsItWasFound() {
    var run = Run()
    _ = run.drive(20, interval: 0.2)
    #expect(run.requests.isEmpty)
    run.want(1)
    _ = run.drive(5, interval: 1)
    let slow = #"?DEVICE={"path":"/dev/ttyACM0","cycle":1.000};"# + "\n"
    let found = #"?DEVICE={"path":"/dev/ttyACM0","cycle":0.200};"# + "\n"
    #expect(run.requests == [found + slow], "gpsd is told once how it is, and how it is to be")
    #expect(run.session.restoringRequest() == found)
    run.want(nil)
    _ = run.drive(5, interval: 0.2)
    #expect(run.requests.count == 1, "it is as it was already")
  }

  /// It was taken for as slow as it had been made, and stayed so.
  @Test func aReceiverThatWasSlowedDownIsLeftAsItWasFoundOverAnotherConnection() {
    var run = Run()
    _ = run.drive(20, interval: 0.2)
    run.want(1)
    _ = run.drive(5, interval: 1)
    let slow = #"?DEVICE={"path":"/dev/ttyACM0","cycle":1.000};"# + "\n"
    let found = #"?DEVICE={"path":"/dev/ttyACM0","cycle":0.200};"# + "\n"
    run.requests = []
    run.reconnect()
    run.want(1)
    _ = run.drive(20, interval: 1)
    #expect(run.requests == [found + slow], "gpsd may have begun anew, and the receiver too")
    run.reconnect()
    #expect(run.session.restoringRequest() == nil, "which receiver it is shows its first fix")
    _ = run.drive(5, interval: 1)
    #expect(run.requests == [found + slow, found], "every fix is needed again")
    run.reconnect()
    _ = run.drive(5, interval: 0.2)
    #expect(run.requests == [found + slow, found, found])
    #expect(run.session.restoringRequest() == nil)
  }

  @Test func aReceiverIsNeverMadeFasterAndNoneIsAskedThatCannot() {
    var slow = Run()
    _ = slow.drive(20, interval: 1)
    for rate in [10, 5, 1, nil] as [Double?] {
      slow.want(rate)
      _ = slow.drive(3, interval: 1)
    }
    #expect(slow.requests.isEmpty && slow.session.restoringRequest() == nil)
  }

  @Test(.enabled(if: RealGPSD.isInstalled, "gpsd is not installed"), .timeLimit(.minutes(5)))
  func aRealGPSDSetsAReceiverThatItsOnlyClientAsksFor() throws {
    let receiver = try UBXReceiver(interval: 0.2)
    let gpsd = try RealGPSD(sources: [receiver.path], isReadOnly: false)
    defer { gpsd.kill() }
    let log = EventLog()
    let source = try GPSDSource(
      id: SourceID(1), address: GPSDAddress("127.0.0.1:\(gpsd.port)"), adjustsReceiver: true, sink: log.sink)
    source.start()
    defer { source.stop(within: 2) }
    try #require(becomesTrue(within: 20) { log.fixes.count > 15 })
    #expect(!receiver.settings.contains(1))
    source.want(1)
    #expect(becomesTrue(within: 10) { receiver.settings.last == 1 })
    let passedOver = source.counts.passedOver
    let before = log.fixes.count
    #expect(becomesTrue(within: 10) { log.fixes.count >= before + 4 })
    // What was on its way when it was asked; then the receiver itself says no more than is needed.
    #expect(source.counts.passedOver - passedOver < 8)
    source.stop(within: 2)
    #expect(becomesTrue(within: 10) { receiver.settings.last == 0.2 })
  }

  /// Unless it is asked for, gpsd and its other clients are left alone: what nobody needs
  /// here is passed over here.
  @Test(.enabled(if: RealGPSD.isInstalled, "gpsd is not installed"), .timeLimit(.minutes(5)))
  func otherClientsOfGPSDKeepTheirRate() throws {
    let receiver = try UBXReceiver(interval: 0.2)
    let gpsd = try RealGPSD(sources: [receiver.path], isReadOnly: false)
    defer { gpsd.kill() }
    let (log, others) = (EventLog(), EventLog())
    let address = try GPSDAddress("127.0.0.1:\(gpsd.port)")
    let other = try GPSDSource(id: SourceID(2), address: address, sink: others.sink)
    let source = try GPSDSource(id: SourceID(1), address: address, sink: log.sink)
    for source in [source, other] { source.start() }
    defer { for source in [source, other] { source.stop(within: 2) } }
    try #require(becomesTrue(within: 20) { log.fixes.count > 15 })
    source.want(1)
    #expect(becomesTrue(within: 10) { source.counts.passedOver > 12 })
    #expect(!receiver.settings.contains(1))
    #expect(others.fixes.count > log.fixes.count + 10)
  }
}
