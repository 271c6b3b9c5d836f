import Navigation
import SensorEvents
import Sensors
import TestParts
import Testing

/// Real libiio against a server of iiod's protocol: what arrives is what was sent.
@Suite(.serialized) struct IIOServerTests {
  /// Raw values that use the whole range of `bits`, and no axis of which stands still.
  private func samples(_ count: Int, bits: Int, period: Int64 = 10_000_000) -> [[Int64]] {
    var dice = Dice(seed: 99)
    let start = HostClock.now().nanoseconds
    return (0..<count).map { index in
      let raw = (0..<6).map { _ in Int64(bitPattern: dice.next()) >> Int64(64 - bits) }
      return raw + [start + Int64(index) * period]
    }
  }

  /// Pushes all samples once the buffer is open, and waits for as many readings.
  private func pass(_ samples: [[Int64]], _ server: IIODServer, _ imu: RunningIMU) -> Bool {
    guard becomesTrue(within: 10, { server.isOpen("iio:device0") }) else { return false }
    for sample in samples { server.push(sample) }
    return becomesTrue(within: 10) { imu.log.inertial.count >= samples.count }
  }

  @Test func samplesArriveExactlyWithTheirTimestamps() throws {
    let server = try IIODServer([.imu(), IIODDevice(id: "trigger0", name: "bmi160-dev0")])
    defer { server.stop() }
    let imu = try RunningIMU(server.uri)
    let samples = samples(300, bits: 15)
    try #require(pass(samples, server, imu))
    #expect(imu.stops(within: 2))
    #expect(imu.log.inertial.count == 300 && imu.log.lost == 0)
    for (sample, reading) in zip(samples, imu.log.inertial) {
      #expect(reading.time.nanoseconds == sample[6] && reading.clock == .host)
      for axis in 0..<3 {
        #expect(reading.specificForce[axis] == Double(sample[axis]) * 0.0012)
        #expect(reading.angularRate[axis] == Double(sample[3 + axis]) * 0.001065264)
      }
    }
    #expect(server.devices[0].attributes["current_timestamp_clock"] == "boottime")
    let states = imu.log.statuses.map(\.state)
    #expect(states.prefix(3) == [.connecting, .connected, .streaming])
  }

  @Test(arguments: [
    "be:S16/16>>0", "le:s12/16>>4", "be:s20/32>>12", "le:s24/32>>0", "le:s32/32>>0", "le:s40/64>>8",
  ])
  func everyFormOfStorageIsDecoded(format: String) throws {
    let bits = try #require(Int(format.dropFirst(4).prefix { $0.isNumber }))
    var device = IIODDevice.imu()
    for channel in 0..<6 { device.channels[channel].format = format }
    let server = try IIODServer([device])
    defer { server.stop() }
    let imu = try RunningIMU(server.uri)
    let samples = samples(40, bits: bits - 1)
    try #require(pass(samples, server, imu))
    for (sample, reading) in zip(samples, imu.log.inertial) {
      for axis in 0..<3 {
        #expect(reading.specificForce[axis] == Double(sample[axis]) * 0.0012)
        #expect(reading.angularRate[axis] == Double(sample[3 + axis]) * 0.001065264)
      }
    }
  }

  @Test func offsetsAndMountMatricesOfChannelAndDeviceAreUsed() throws {
    var device = IIODDevice.imu()
    for channel in 0..<3 {
      device.channels[channel].attributes["mount_matrix"] = "0, 1, 0; 1, 0, 0; 0, 0, -1"
      device.channels[channel].attributes["offset"] = "\(channel * 10)"
    }
    device.channels.append(.init("mount", attributes: ["matrix": "-1, 0, 0; 0, -1, 0; 0, 0, 1"]))
    let server = try IIODServer([device])
    defer { server.stop() }
    let imu = try RunningIMU(server.uri)
    let now = HostClock.now().nanoseconds
    try #require(
      pass([0, 10_000_000].map { [100, 200, 300, 10, 20, 30, now + $0] }, server, imu), "a refill is two")
    let reading = imu.log.inertial[0]
    #expect(reading.specificForce == Vector3(210 * 0.0012, 100 * 0.0012, -320 * 0.0012))
    #expect(reading.angularRate == Vector3(-10 * 0.001065264, -20 * 0.001065264, 30 * 0.001065264))
  }

  @Test func rateNearestToTheWantedOneIsSet() throws {
    let server = try IIODServer([.imu(rate: 25)])
    defer { server.stop() }
    let imu = try RunningIMU(server.uri) { $0.rate = 180 }
    #expect(imu.says(.connected, "at 200 Hz", within: 5))
    #expect(server.devices[0].attributes["sampling_frequency"] == "200")
  }

  @Test func gyroscopeAndAccelerometerOfTheirOwnArePaired() throws {
    let timestamp = IIODDevice.Channel("timestamp", format: "le:S64/64>>0")
    let clock = ["current_timestamp_clock": "realtime", "sampling_frequency": "100"]
    let server = try IIODServer([
      IIODDevice(
        id: "iio:device0", name: "accel_3d", attributes: clock,
        channels: IIODDevice.triad("accel", scale: "0.01") + [timestamp]),
      IIODDevice(
        id: "iio:device1", name: "gyro_3d", attributes: clock,
        channels: IIODDevice.triad("anglvel", scale: "0.001", format: "le:s32/32>>0") + [timestamp]),
    ])
    defer { server.stop() }
    let imu = try RunningIMU(server.uri)
    try #require(becomesTrue(within: 10) { server.isOpen("iio:device0") && server.isOpen("iio:device1") })
    let start = HostClock.now().nanoseconds
    for index in 0..<100 {
      let number = Int64(index)
      // The accelerometer is 4 ms later than the gyroscope; its values are straight lines, and
      // so is what lies between.
      server.push(
        [5 * number, -5 * number, 981 + number % 2, start + 4_000_000 + number * 10_000_000],
        device: "iio:device0")
      server.push([number, 2 * number, -number, start + number * 10_000_000], device: "iio:device1")
    }
    #expect(becomesTrue(within: 10) { imu.log.inertial.count >= 99 })
    for reading in imu.log.inertial {
      let number = Double(reading.time.nanoseconds - start) / 1e7
      #expect(
        number == number.rounded()
          && reading.angularRate == Vector3(number * 0.001, 2 * number * 0.001, -number * 0.001))
      #expect(abs(reading.specificForce.x - 0.05 * (number - 0.4)) < 1e-9)
    }
  }

  @Test func deviceWithoutTimestampsIsTimedByItsArrivals() throws {
    var device = IIODDevice.imu()
    device.channels.removeLast()
    let server = try IIODServer([device])
    defer { server.stop() }
    let imu = try RunningIMU(server.uri)
    let feed = try IMUFeed(server) { values, _ in values.removeLast() }
    #expect(becomesTrue(within: 15) { imu.log.inertial.count >= 300 })
    feed.stop()
    let times = imu.log.inertial.map(\.time.seconds)
    let intervals = zip(times.dropFirst(), times).map(-)
    // Threads of this machine run some milliseconds late; the times that come out are even.
    #expect(intervals.dropFirst(100).allSatisfy { (0.008...0.012).contains($0) })
    #expect(imu.log.inertial.allSatisfy { $0.clock == .host })
    #expect(abs(times.last! - HostClock.now().seconds) < 10)
  }

  @Test func deviceWithoutATriggerIsPolledAndSaysSo() throws {
    var device = IIODDevice.imu()
    device.trigger = ""
    for channel in 0..<6 { device.channels[channel].attributes["raw"] = "\(channel * 100)" }
    let server = try IIODServer([device])
    defer { server.stop() }
    let imu = try RunningIMU(server.uri)
    #expect(imu.says(.streaming, "one by one", within: 10))
    #expect(becomesTrue(within: 10) { imu.log.inertial.count >= 50 })
    let reading = imu.log.inertial[20]
    #expect(reading.specificForce == Vector3(0, 100 * 0.0012, 200 * 0.0012))
    #expect(reading.angularRate == Vector3(300 * 0.001065264, 400 * 0.001065264, 500 * 0.001065264))
    let times = imu.log.inertial.map(\.time.seconds)
    let rate = Double(times.count - 1) / (times.last! - times.first!)
    #expect((20...110).contains(rate), "100 Hz is asked for; a busy machine may be slower")
  }

  @Test func dataReadyTriggerOfTheDeviceIsSet() throws {
    var device = IIODDevice.imu()
    device.trigger = ""
    let server = try IIODServer([
      device, IIODDevice(id: "trigger0", name: "other-dev7"), IIODDevice(id: "trigger1", name: "bmi160-dev0"),
    ])
    defer { server.stop() }
    let imu = try RunningIMU(server.uri)
    try #require(pass(samples(20, bits: 12), server, imu))
    #expect(server.devices[0].trigger == "bmi160-dev0")
  }

  @Test func temperatureComesAboutOnceASecond() throws {
    var device = IIODDevice.imu()
    device.channels.append(.init("temp", attributes: ["raw": "2047", "scale": "0.5", "offset": "50000"]))
    let server = try IIODServer([device])
    defer { server.stop() }
    let imu = try RunningIMU(server.uri)
    let feed = try IMUFeed(server)
    #expect(becomesTrue(within: 10) { imu.log.inertial.count >= 250 })
    feed.stop()
    #expect((2...4).contains(imu.log.temperatures.count))
    #expect(imu.log.temperatures.allSatisfy { $0 == (2047 + 50000) * 0.5 / 1000 })
  }

  @Test func gapsAreCountedAndRepeatedSamplesRefused() throws {
    let server = try IIODServer([.imu()])
    defer { server.stop() }
    let imu = try RunningIMU(server.uri)
    var samples = samples(100, bits: 12)
    samples.removeSubrange(50..<57)
    samples.insert(samples[20], at: 21)
    try #require(becomesTrue(within: 10) { server.isOpen("iio:device0") })
    for sample in samples { server.push(sample) }
    #expect(becomesTrue(within: 10) { imu.log.inertial.count >= 93 })
    #expect(imu.log.inertial.count == 93 && imu.log.lost == 7)
  }

  @Test func batchesThatBearOneStampArriveWhole() throws {
    let server = try IIODServer([.imu()])
    defer { server.stop() }
    let imu = try RunningIMU(server.uri)
    var samples = samples(100, bits: 12)
    for index in samples.indices { samples[index][6] = samples[index / 10 * 10][6] }
    #expect(pass(samples, server, imu))
    #expect(imu.log.inertial.count == 100 && imu.log.lost == 0)
  }

  @Test func fileThatDescribesDevicesIsNotRead() throws {
    let imu = try RunningIMU("xml:/nonexistent.xml")
    #expect(imu.says(.failed, "has no samples", within: 5))
    #expect(imu.stops(within: 2))
  }
}
