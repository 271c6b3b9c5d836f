import Foundation
import Fusion
import Location
import LocationService
import Locks
import TestParts
import Testing

/// The service as a whole, in this process, from one start to the next.
@Suite(.serialized) struct DaemonLifeTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path }

  /// What an engine with sensors would say.
  private final class Feed: LocationFeed {
    let given = Mutex<SavedState??>(nil)
    let savedState: SavedState?
    private let location: Location?

    init(savedState: SavedState?, location: Location?) {
      self.savedState = savedState
      self.location = location
    }

    func start(host: LocationHost, savedState: SavedState?) throws {
      given.withLock { $0 = .some(savedState) }
      if let location { host.publish(.init(location: location, sources: 1), utc: location.utc) }
    }

    func stop(within seconds: Double) {}
  }

  private static func learned() -> SavedState {
    func scalar(_ a: Double) -> Calibration.Scalar { .init(value: a, sigma: a / 7) }
    func vector(_ a: Double) -> Calibration.Vector {
      .init(value: Vector3(a, -a, a / 3), sigma: Vector3(a / 3, a / 7, a / 9))
    }
    let calibration = Calibration(
      gyroBias: vector(0.01), accelBias: vector(0.1),
      vehicleFromBody: Quaternion(roll: 0.1, pitch: -0.2, yaw: 2),
      mountingPitchSigma: 0.011, mountingYawSigma: 0.012, odometerScale: scalar(0.01), leverArm: vector(1),
      axleDistance: scalar(2), sideslipGradient: scalar(0.003), pitchPerForce: scalar(0.004),
      positionDelay: scalar(0.1), velocityDelay: scalar(0.2), gyroScale: scalar(0.01),
      gnssPositionBias: vector(3),
      whiteSigma: 0.7, lastingSigma: 1.3, velocityScale: 1.7)
    return SavedState(
      time: Timestamp(seconds: 100), position: GeodeticPosition(latitude: 0.7, longitude: -2.1, height: 31.7),
      positionCovariance: Matrix3(diagonal: Vector3(3, 4, 5)), velocityNED: .zero, isStandingStill: true,
      navFromBody: Quaternion(roll: 0.3, pitch: 0.1, yaw: -1), headingSigma: 0.021,
      verticalAxis: Vector3(0, 0, 1), calibration: calibration,
      receiverNoise: nil)
  }

  private func daemon(
    _ feed: Feed, _ log: LineLog = LineLog(), at database: String = "store.sqlite"
  ) throws -> LocationDaemon {
    var configuration = ServiceConfiguration()
    configuration.socket = folder + "/s"
    configuration.database = folder + "/" + database
    return try LocationDaemon(configuration, feed: feed, log: log.logger)
  }

  /// One life of the service; what its engine was given at the start, and what a client
  /// that asks is told first.
  private func live(_ feed: Feed) throws -> (given: SavedState?, told: Location?) {
    let daemon = try daemon(feed)
    try daemon.start()
    let client = try Daemon.client(at: folder + "/s")
    client.say(.start(session: 1))
    client.say(.requestRegions)
    var told: Location?
    while let message = client.next(), message != .regions([]) { told = told ?? message.locations.first }
    #expect(daemon.beat())
    #expect(daemon.stop(within: 10))
    return (try #require(feed.given.withLock { $0 }), told)
  }

  @Test func whatTheEngineKnewAtShutdownIsWhereTheNextOneStarts() throws {
    var here = Made.location(at: 0)
    (here.timestamp, here.utc) = (BootClock.now(), BootClock.utc())
    let first = try live(Feed(savedState: Self.learned(), location: here))
    #expect(first.given == nil)
    let second = try live(Feed(savedState: nil, location: nil))
    var expected = Self.learned()
    expected.age = second.given?.age
    #expect(second.given == expected && (0...60).contains(second.given?.age ?? -1))
    // The place is known before there is any fix, and says that it is of before.
    #expect(second.told?.coordinate == here.coordinate && second.told?.sources == [.gnss, .cached])
    // An engine that knew nothing does not make the service forget.
    let third = try live(Feed(savedState: nil, location: nil))
    #expect(third.given?.position == expected.position)
  }

  @Test func aDatabaseIsOneServicesAtATime() throws {
    let path = folder + "/store.sqlite"
    let feed = Feed(savedState: nil, location: nil)
    let first = try daemon(feed)
    try first.start()
    #expect(throws: StoreError.busy(path: path)) { _ = try daemon(feed) }
    // By another name too.
    let link = folder + "/link.sqlite"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(throws: StoreError.busy(path: link)) { _ = try daemon(feed, at: "link.sqlite") }
    // Others may look into it.
    #expect(try SQLiteStore(path: path).read().clients.isEmpty)
    #expect(first.stop(within: 10))
    _ = try live(feed)
  }

  @Test func whereNoLockCanBeMadeTheServiceStartsAllTheSame() throws {
    try FileManager.default.createDirectory(
      atPath: folder + "/store.sqlite.lock", withIntermediateDirectories: true)
    _ = try live(Feed(savedState: nil, location: nil))
  }

  @Test func aSavedStateThatCannotBeUsedIsAColdStartAndSaid() throws {
    _ = try live(Feed(savedState: Self.learned(), location: nil))
    let log = LineLog()
    let feed = Feed(savedState: nil, location: nil)
    try StoreFaultTests.sql("UPDATE value SET value = '{' WHERE key = 'savedState'", folder + "/store.sqlite")
    let daemon = try daemon(feed, log)
    try daemon.start()
    #expect(daemon.stop(within: 10))
    let given = try #require(feed.given.withLock { $0 })
    #expect(given == nil)
    #expect(log.lines.contains { $0.hasPrefix("a cold start: ") })
  }
}
