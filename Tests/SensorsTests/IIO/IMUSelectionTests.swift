import Sensors
import Testing

@Suite struct IMUSelectionTests {
  private func device(_ id: String, _ name: String, _ quantities: [IIOQuantity], hasBuffer: Bool = true)
    -> IIODeviceDescription
  {
    var device = IIODeviceDescription(id: id, name: name)
    for quantity in quantities {
      for axis in 0..<3 {
        device.channels.append(
          IIOChannelDescription(
            id: "\(quantity)_\(axis)", quantity: quantity, axis: axis, isScanElement: hasBuffer))
      }
    }
    return device
  }

  @Test func deviceWithBothIsPreferredAndOneWithABuffer() throws {
    let devices = [
      device("iio:device0", "light", [.other]),
      device("iio:device1", "gyro_3d", [.angularRate]),
      device("iio:device2", "mpu6050", [.angularRate, .acceleration], hasBuffer: false),
      device("iio:device3", "bmi160", [.angularRate, .acceleration]),
      device("iio:device4", "accel_3d", [.acceleration]),
    ]
    let selection = try IMUSelection(from: devices, settings: IIOSettings())
    #expect(selection.isOneDevice && selection.gyroscope.id == "iio:device3")
    var settings = IIOSettings()
    settings.device = "mpu6050"
    #expect(try IMUSelection(from: devices, settings: settings).gyroscope.id == "iio:device2")
    settings.device = "gyro_3d"
    let pair = try IMUSelection(from: devices, settings: settings)
    #expect(!pair.isOneDevice && pair.gyroscope.id == "iio:device1" && pair.accelerometer.id == "iio:device3")
    settings.accelerometer = "iio:device4"
    #expect(try IMUSelection(from: devices, settings: settings).accelerometer.name == "accel_3d")
  }

  @Test func whatIsMissingIsSaidWithWhatIsThere() {
    let devices = [device("iio:device0", "accel_3d", [.acceleration])]
    let fault = #expect(throws: IIOFault.self) { try IMUSelection(from: devices, settings: IIOSettings()) }
    #expect(fault?.message.contains("no gyroscope") == true && fault?.message.contains("accel_3d") == true)
    let none = #expect(throws: IIOFault.self) { try IMUSelection(from: [], settings: IIOSettings()) }
    #expect(none?.message.contains("driver") == true)
    var settings = IIOSettings()
    settings.device = "bmi160"
    let named = #expect(throws: IIOFault.self) { try IMUSelection(from: devices, settings: settings) }
    #expect(named?.message.contains("bmi160") == true)
  }
}
