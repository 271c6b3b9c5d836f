import Foundation
import SensorEvents
import Sensors
import TestParts
import Testing

/// The sensors of a computer by the texts that name them, and which of them run.
@Suite(.serialized) struct SensorSetTests {
  private func flaw(
    gpsd: String = "none", imu: String = "none", rate: Double = 100, wheel: String? = nil
  ) -> SensorSettings.Key? {
    do throws(SensorSettings.Flaw) {
      _ = try SensorSettings(gpsd: gpsd, imu: imu, imuRate: rate, wheel: wheel)
      return nil
    } catch { return error.key }
  }

  @Test func textsNameSensors() throws {
    let all = try SensorSettings(
      gpsd: "[::1]:2950:/dev/x", imu: "ip:10.0.0.2,bmi160+iio:device3", imuRate: 200, wheel: "/run/w")
    #expect(all.gpsd == GPSDAddress(host: "::1", port: 2950, device: "/dev/x"))
    #expect(all.imu?.device == "bmi160" && all.imu?.accelerometer == "iio:device3" && all.imu?.rate == 200)
    #expect(
      all.descriptions.map(\.name) == ["gpsd [::1]:2950:/dev/x", "IMU ip:10.0.0.2", "wheels /run/w"])
    #expect(all.descriptions.map(\.role) == [.fix, .inertial, .wheel])
    let none = try SensorSettings(gpsd: "none", imu: "none")
    #expect(none.descriptions.isEmpty)
    // Each keeps its number, whichever others there are.
    #expect(try SensorSettings(gpsd: "none").descriptions.map(\.id) == [SourceID(1)])
  }

  @Test func textsThatNameNoneAreRefusedByTheirKey() {
    #expect(flaw() == nil && flaw(wheel: "-") == nil)
    #expect(flaw(gpsd: "host:port") == .gpsd && flaw(gpsd: "[::1") == .gpsd)
    for text in ["", ",", "serial:", "ip:", "local:x,y"] { #expect(flaw(imu: text) == .imu, "\(text)") }
    for rate in [9.9, 2001, .nan, -.infinity] { #expect(flaw(rate: rate) == .imuRate) }
    #expect(flaw(wheel: "") == .wheel && flaw(wheel: String(repeating: "x", count: 108)) == .wheel)
  }

  /// An IMU, fed without end, and a port that nobody listens at.
  private func running(_ log: EventLog) throws -> (IIODServer, IMUFeed, SensorSet) {
    let server = try IIODServer([.imu()])
    let settings = try SensorSettings(
      gpsd: "127.0.0.1:\(try Listener.freePort())", imu: server.uri,
      wheel: FileManager.default.temporaryDirectory.path + "/w-\(UInt32.random(in: 0 ... .max))")
    return (server, try IMUFeed(server), SensorSet(settings, sink: log.sink))
  }

  @Test func onlyWhatIsWantedRunsAndWhatIsEndedSaysSo() throws {
    let log = EventLog()
    let (server, feed, sensors) = try running(log)
    defer { server.stop() }
    try sensors.run()
    #expect(sensors.roles == [.fix, .inertial, .wheel])
    #expect(becomesTrue(within: 15) { log.inertial.count > 20 })
    try sensors.run([.fix])
    #expect(sensors.roles == [.fix])
    #expect(becomesTrue(within: 5) { !server.isOpen("iio:device0") })
    // Its last word; nothing of it comes behind that.
    let last = log.all.last { $0.source == SourceID(1) }
    #expect(last?.content == .status(SourceStatus(.off, "nobody needs it")))
    #expect(log.all.last { $0.source == SourceID(2) }?.content == last?.content)
    let count = log.inertial.count
    usleep(300_000)
    #expect(log.inertial.count == count)
    // Again, and it comes again.
    try sensors.run()
    #expect(becomesTrue(within: 15) { log.inertial.count > count + 20 })
    #expect(sensors.stop(within: 2) && sensors.roles.isEmpty)
    feed.stop()
  }

  /// All are told to end before any is waited for: the whole takes no longer than the slowest.
  @Test func aSetIsEndedInOneTimeLimit() throws {
    let log = EventLog()
    let (server, feed, sensors) = try running(log)
    defer { server.stop() }
    server.set(.deaf)
    try sensors.run()
    usleep(300_000)
    let began = ContinuousClock.now
    _ = sensors.stop(within: 0.5)
    #expect(ContinuousClock.now - began < .seconds(2))
    let count = log.all.count
    usleep(300_000)
    #expect(log.all.count == count)
    feed.stop()
  }

  @Test func aUSBContextWithoutADeviceIsSaidAtOnce() throws {
    for uri in ["usb:", "usb:1.2.3"] {
      let imu = try RunningIMU(uri)
      #expect(imu.says(.lost, "opening \(uri)", within: 5))
      #expect(imu.stops(within: 2))
      let look = IIOInspection(try #require(try SensorSettings(gpsd: "none", imu: uri).imu))
      #expect(look.faults.first?.contains("opening \(uri)") == true, "\(look.faults)")
    }
  }
}
