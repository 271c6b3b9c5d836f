import Navigation
import SensorEvents
import Sensors
import TestParts
import Testing

/// What goes wrong with an IMU, by real libiio: it is said within a second, nothing
/// hangs, and samples come again.
///
/// Limits in time are those of the promise (1 s to be said) with the share of a busy machine added.
@Suite(.serialized) struct IIOFaultTests {
  /// What saying within 1 s may take where other tests run.
  static let soon = 2.5

  /// A server with a feed and a source that streams.
  private func streaming(
    _ devices: [IIODDevice] = [.imu()], change: @escaping @Sendable (inout [Int64], Int) -> Void = { _, _ in }
  ) throws -> (server: IIODServer, feed: IMUFeed, imu: RunningIMU) {
    let server = try IIODServer(devices)
    let feed = try IMUFeed(server, change: change)
    let imu = try RunningIMU(server.uri)
    guard imu.says(.streaming, within: 10) else { throw IIODFailure(text: "no samples: \(imu.log.statuses)") }
    return (server, feed, imu)
  }

  @Test func refillThatNeverReturnsIsSaidAndEndsOnceItCan() throws {
    let (server, feed, imu) = try streaming()
    defer { server.stop() }
    defer { feed.stop() }
    let start = imu.log.all.count
    server.set(.silentReads)
    #expect(imu.says(.faulty, "no samples come from bmi160", from: start, within: Self.soon))
    let later = imu.log.all.count
    server.set(.none)
    #expect(imu.says(.streaming, from: later, within: 15))
  }

  @Test func stopDoesNotWaitForARefillThatNeverReturns() throws {
    let (server, feed, imu) = try streaming()
    defer { server.stop() }
    defer { feed.stop() }
    server.set(.silentReads)
    let before = HostClock.now()
    #expect(imu.stops(within: 3))
    #expect(HostClock.now().seconds(since: before) < 3)
    let count = imu.log.all.count
    server.set(.none)
    #expect(!becomesTrue(within: 0.3) { imu.log.all.count > count }, "nothing is said after it has stopped")
  }

  @Test func stopDoesNotWaitForAServerThatNeverAnswers() throws {
    // A port where connections are taken, and nothing is ever said.
    let listener = try Listener()
    let imu = try RunningIMU("ip:127.0.0.1:\(listener.port)")
    #expect(imu.says(.connecting, within: Self.soon))
    let before = HostClock.now()
    _ = imu.stops(within: 0.5)
    #expect(HostClock.now().seconds(since: before) < 3, "whether or not libiio is back")
  }

  @Test func unpluggedDeviceIsLostAndTakenUpAgain() throws {
    let (server, feed, imu) = try streaming()
    defer { server.stop() }
    defer { feed.stop() }
    let start = imu.log.all.count
    server.set(.readError(-19))
    #expect(imu.says(.lost, "unplugged", from: start, within: Self.soon))
    server.set(devices: [])
    #expect(imu.says(.faulty, "there is no IIO device", from: start, within: 5))
    let later = imu.log.all.count
    server.set(devices: [.imu()])
    server.set(.none)
    #expect(imu.says(.streaming, from: later, within: 15))
  }

  @Test func serverThatDiesInASampleIsLostAndTakenUpAgain() throws {
    let (server, feed, imu) = try streaming()
    defer { server.stop() }
    defer { feed.stop() }
    let start = imu.log.all.count
    server.set(.hangUpInSample)
    #expect(imu.says(.lost, from: start, within: Self.soon))
    #expect(imu.says(.streaming, from: start, within: 15))
    #expect(
      imu.log.inertial.allSatisfy { $0.angularRate.norm < 0.1 }, "no half sample was taken for a whole one")
  }

  @Test func serverThatIsStartedAgainIsFound() throws {
    let (server, feed, imu) = try streaming()
    let start = imu.log.all.count
    feed.stop()
    server.stop()
    #expect(imu.says(.lost, from: start, within: Self.soon))
    let again = try IIODServer([.imu()], port: server.port)
    defer { again.stop() }
    let feedAgain = try IMUFeed(again)
    defer { feedAgain.stop() }
    #expect(imu.says(.streaming, from: start, within: 15))
  }

  @Test func garbageIsNoSampleAndNoEnd() throws {
    let (server, feed, imu) = try streaming()
    defer { server.stop() }
    defer { feed.stop() }
    let start = imu.log.all.count
    server.set(.garbage)
    #expect(becomesTrue(within: 5) { imu.log.has(.lost, from: start) || imu.log.has(.faulty, from: start) })
    // Long enough for it to be opened again on garbage.
    #expect(!becomesTrue(within: 1.5) { imu.log.has(.streaming, from: start) })
    let later = imu.log.all.count
    server.set(.none)
    #expect(imu.says(.streaming, from: later, within: 20))
    #expect(imu.log.inertial.allSatisfy { $0.angularRate.norm < 0.1 })
  }

  @Test func frozenAxisIsNamedAndItsSamplesKeptBack() throws {
    let (server, feed, imu) = try streaming { values, number in
      if (200..<600).contains(number) { values[4] = 7 }
    }
    defer { server.stop() }
    defer { feed.stop() }
    #expect(imu.says(.faulty, "gyroscope y does not move", within: 10))
    let count = imu.log.inertial.count
    let start = imu.log.all.count
    #expect(!becomesTrue(within: 0.5) { imu.log.inertial.count > count + 1 })
    #expect(imu.says(.streaming, from: start, within: 10))
    #expect(becomesTrue(within: 5) { imu.log.inertial.count > count + 50 })
  }

  @Test(arguments: ["nan", "0.000000", "inf", ""])
  func scaleThatCannotBeIsNamedAndReadAgain(scale: String) throws {
    let server = try IIODServer([.imu(gyroScale: scale)])
    defer { server.stop() }
    let imu = try RunningIMU(server.uri)
    #expect(imu.says(.faulty, "anglvel_x scale", within: Self.soon))
    #expect(imu.log.inertial.isEmpty)
    server.set(devices: [.imu()])
    let feed = try IMUFeed(server)
    defer { feed.stop() }
    #expect(imu.says(.streaming, within: 15))
  }

  @Test func bufferThatCannotBeStartedIsPolled() throws {
    let server = try IIODServer([.imu()])
    defer { server.stop() }
    server.set(refusesBuffers: true)
    let imu = try RunningIMU(server.uri)
    #expect(imu.says(.streaming, "one by one", within: 10))
    // Its driver is done, or udev has been there.
    let start = imu.log.all.count
    server.set(refusesBuffers: false)
    #expect(becomesTrue(within: 15) { server.isOpen("iio:device0") && imu.log.has(.connected, from: start) })
    let feed = try IMUFeed(server)
    defer { feed.stop() }
    #expect(imu.says(.streaming, from: start, within: 10))
    #expect(imu.log.statuses.last?.message == "")
  }

  @Test func silentAccelerometerIsNamed() throws {
    let timestamp = IIODDevice.Channel("timestamp", format: "le:S64/64>>0")
    let clock = ["current_timestamp_clock": "realtime"]
    let accel = IIODDevice(
      id: "iio:device1", name: "accel_3d", attributes: clock,
      channels: IIODDevice.triad("accel", scale: "0.01") + [timestamp])
    let gyro = IIODDevice(
      id: "iio:device0", name: "gyro_3d", attributes: clock,
      channels: IIODDevice.triad("anglvel", scale: "0.001") + [timestamp])
    let server = try IIODServer([gyro, accel])
    defer { server.stop() }
    let imu = try RunningIMU(server.uri)
    let feed = try IMUFeed(server, device: "iio:device0") { values, _ in values.removeSubrange(0..<3) }
    defer { feed.stop() }
    #expect(imu.says(.faulty, "no samples come from accel_3d", within: 5))
    #expect(imu.log.inertial.isEmpty)
    #expect(imu.stops(within: 5))
  }

  @Test func clockOfTheDeviceThatIsSetByADayLosesNothing() throws {
    let (server, feed, imu) = try streaming { values, number in
      if number >= 150 { values[6] += 86_400_000_000_000 }
    }
    defer { server.stop() }
    defer { feed.stop() }
    #expect(becomesTrue(within: 10) { imu.log.inertial.count > 250 })
    #expect(imu.log.lost == 0)
  }

  @Test func startingAndStoppingAgainAndAgainHangsNobody() throws {
    let server = try IIODServer([.imu()])
    defer { server.stop() }
    let feed = try IMUFeed(server)
    defer { feed.stop() }
    for turn in 0..<40 {
      let imu = try RunningIMU(server.uri)
      // Every other one is stopped while it opens.
      if turn % 2 == 0 { #expect(imu.says(.streaming, within: 10)) }
      #expect(imu.stops(within: 5))
    }
  }

  /// What a device may say of itself, and what must not end the process.
  @Test(arguments: ["le:S16/16>>0X3", "le:S128/128>>0", "le:S16/0>>0", "xx", "le:u99/16>>0", "le:S17/16>>0"])
  func formThatCannotBeReadIsSaid(format: String) throws {
    var device = IIODDevice.imu()
    device.channels[1].format = format
    let server = try IIODServer([device])
    defer { server.stop() }
    let imu = try RunningIMU(server.uri)
    #expect(
      becomesTrue(within: 5) {
        imu.log.has(.faulty) || imu.log.has(.lost) || imu.log.has(.streaming, "one by one")
      })
    #expect(imu.stops(within: 3))
  }

  @Test(arguments: ["nan", "-1", "0", "1e300", "1e-300", "many"])
  func rateThatCannotBeIsBounded(rate: String) throws {
    var device = IIODDevice.imu()
    device.attributes["sampling_frequency"] = rate
    device.attributes["sampling_frequency_available"] = rate
    let server = try IIODServer([device])
    defer { server.stop() }
    let feed = try IMUFeed(server)
    defer { feed.stop() }
    let imu = try RunningIMU(server.uri) { $0.rate = Double(rate) ?? 100 }
    #expect(imu.says(.connected, within: 5))
    #expect(imu.stops(within: 3))
  }
}
