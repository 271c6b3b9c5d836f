import ArgumentParser
import Sensors

/// `--gpsd`, `--imu`, `--imu-rate`, `--wheel` and `--barometer`.
struct LiveSources: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where gpsd is, and which of its receivers: host:port:device as gpsd's clients write it. none: no receiver.",
      valueName: "address"))
  var gpsd = "localhost:2947"
  @Option(
    help: ArgumentHelp(
      "The IMU by libiio: a context (local:, ip:HOST, usb:), and after a comma a device where there are several, and another after a plus where the accelerometer is one of its own. none: no IMU.",
      valueName: "uri[,device[+accelerometer]]"))
  var imu = "local:"
  @Option(
    help: ArgumentHelp(
      "Speed and gear by the line protocol of the README: the path of a Unix socket to make, or - for standard input.",
      valueName: "socket|-"))
  var wheel: String?
  @Option(
    help: ArgumentHelp(
      "A barometer by libiio: a context (local:, ip:HOST, usb:), and after a comma a device where there are several.",
      valueName: "uri[,device]"))
  var barometer: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Samples a second that are asked of the IMU.", valueName: "hz")) var imuRate =
    100.0

  func validate() throws { _ = try settings }

  /// The sensors that are named.
  var settings: SensorSettings {
    get throws {
      do throws(SensorSettings.Flaw) {
        return try SensorSettings(gpsd: gpsd, imu: imu, imuRate: imuRate, wheel: wheel, barometer: barometer)
      } catch { throw ValidationError("\(error.key.option): \(error.reason).") }
    }
  }
}

extension SensorSettings.Key {
  fileprivate var option: String {
    switch self {
    case .gpsd: "--gpsd"
    case .imu: "--imu"
    case .imuRate: "--imu-rate"
    case .wheel: "--wheel"
    case .barometer: "--barometer"
    }
  }
}
