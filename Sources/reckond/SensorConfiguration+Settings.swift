import LocationService
import Sensors

extension ServiceConfiguration.SensorConfiguration {
  /// A key whose text names no sensor, and what would be right.
  struct Flaw: Error, CustomStringConvertible {
    var description: String
  }

  /// The sensors that the keys name.
  func settings() throws(Flaw) -> SensorSettings {
    var settings: SensorSettings
    do throws(SensorSettings.Flaw) {
      settings = try SensorSettings(
        gpsd: gpsd, imu: imu, imuRate: imuRate, wheel: wheel.isEmpty ? nil : wheel,
        barometer: barometer.isEmpty ? nil : barometer)
    } catch { throw Flaw(description: "\(error.key.name): \(error.reason)") }
    guard settings.wheel != .standardInput else {
      throw Flaw(description: "wheel: a service has no standard input")
    }
    settings.adjustsReceiver = adjustsReceiver
    return settings
  }
}

extension SensorSettings.Key {
  fileprivate var name: String {
    switch self {
    case .gpsd: "gpsd"
    case .imu: "imu"
    case .imuRate: "imu_rate"
    case .wheel: "wheel"
    case .barometer: "barometer"
    }
  }
}
