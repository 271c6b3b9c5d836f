import Foundation
import Navigation
import SensorEvents
import Sensors
import TestParts
import Testing

@Suite(.serialized) struct IIOInspectionTests {
  private func settings(_ uri: String) throws -> IIOSettings {
    var settings = IIOSettings()
    settings.address = try #require(IIOAddress(uri))
    return settings
  }

  @Test func lookTellsWhatIsThereAndChangesNothing() throws {
    var device = IIODDevice.imu(rate: 25)
    device.channels.append(.init("mount", attributes: ["matrix": "0, 1, 0; -1, 0, 0; 0, 0, 1"]))
    device.trigger = ""
    let server = try IIODServer([device, IIODDevice(id: "trigger0", name: "bmi160-dev0")])
    defer { server.stop() }
    let look = IIOInspection(try settings(server.uri))
    #expect(look.faults.isEmpty && look.devices.map(\.id) == ["iio:device0", "trigger0"])
    try #require(look.sensors.count == 2)
    let (gyroscope, accelerometer) = (look.sensors[0], look.sensors[1])
    #expect(gyroscope.quantity == .angularRate && accelerometer.quantity == .acceleration)
    #expect(
      gyroscope.step == Vector3(repeating: 0.001065264) && abs(gyroscope.range - 34.9) < 0.1, "2000 °/s")
    #expect(abs(accelerometer.range - 39.3) < 0.1, "4 g")
    #expect(gyroscope.deviceFromSensor[0, 1] == 1)
    #expect(gyroscope.rate == 25 && gyroscope.offeredRates == "25 50 100 200 400")
    #expect(gyroscope.clock == "realtime" && gyroscope.isBuffered && gyroscope.trigger == nil)
    #expect(server.devices[0].attributes == device.attributes && server.devices[0].trigger == "")
  }

  @Test func faultsAreToldForEachSensor() throws {
    let server = try IIODServer([.imu(gyroScale: "nan")])
    defer { server.stop() }
    let look = IIOInspection(try settings(server.uri))
    #expect(look.sensors.map(\.quantity) == [.acceleration])
    #expect(look.faults.count == 1 && look.faults[0].contains("anglvel_x scale"))
    let none = IIOInspection(try settings("ip:127.0.0.1:\(try Listener.freePort())"))
    #expect(none.devices.isEmpty && none.faults.first?.contains("is iiod running") == true)
  }

  @Test func fileOfDevicesCanBeLookedAt() throws {
    let path = NSTemporaryDirectory() + "imu-\(UUID().uuidString).xml"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try IIODServer.description(of: [.imu()]).write(toFile: path, atomically: true, encoding: .utf8)
    let look = IIOInspection(try settings("xml:\(path)"))
    #expect(look.faults.isEmpty && look.devices.first?.name == "bmi160" && look.sensors.isEmpty)
    try "<?xml version=\"1.0\"?><context name=".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(!IIOInspection(try settings("xml:\(path)")).faults.isEmpty)
    #expect(!IIOInspection(try settings("xml:/nonexistent")).faults.isEmpty)
  }

  @Test func rawValuesOfAPlayedSampleComeBack() throws {
    let device = IIODDevice.imu(accelScale: "0.0001", gyroScale: "0.000001", bits: 32)
    let server = try IIODServer([device])
    defer { server.stop() }
    let imu = try RunningIMU(server.uri)
    try #require(becomesTrue(within: 10) { server.isOpen("iio:device0") })
    let (force, rate) = (Vector3(0.12345, -9.80665, 3), Vector3(-0.1, 0.000001, 2.5))
    let now = HostClock.now()
    // A refill is two.
    for time in [now, now.advanced(bySeconds: 0.01)] {
      server.push(device.raw(force: force, rate: rate, time: time))
    }
    try #require(becomesTrue(within: 5) { imu.log.inertial.count == 2 })
    #expect((imu.log.inertial[0].specificForce - force).norm < 1e-4)
    #expect((imu.log.inertial[0].angularRate - rate).norm < 1e-6)
  }
}
