import ArgumentParser
import Live
import SensorEvents
import Sensors

/// `--gpsd` and `--imu`, and the sources that they name.
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
  @Option(help: ArgumentHelp("Samples a second that are asked of the IMU.", valueName: "hz")) var imuRate =
    100.0

  func validate() throws {
    _ = try gpsdAddress()
    _ = try imuSettings()
    _ = try wheelAddress()
    guard imuRate >= 10, imuRate <= 2000 else { throw ValidationError("--imu-rate takes 10 to 2000 Hz.") }
  }

  /// What the sources are called.
  var descriptions: [SourceDescription] {
    get throws {
      var list: [SourceDescription] = []
      if let address = try gpsdAddress() {
        list.append(.init(id: Self.receiver, name: "gpsd \(address)", role: .fix))
      }
      if let settings = try imuSettings() {
        list.append(.init(id: Self.inertial, name: "IMU \(settings.address)", role: .inertial))
      }
      if let address = try wheelAddress() {
        list.append(.init(id: Self.speed, name: "wheels \(address)", role: .wheel))
      }
      return list
    }
  }

  static let receiver = SourceID(0), inertial = SourceID(1), speed = SourceID(2)

  func wheelAddress() throws -> WheelAddress? {
    guard let wheel else { return nil }
    guard let address = WheelAddress(wheel) else {
      throw ValidationError("--wheel takes - or the path of a socket, of at most about 100 characters.")
    }
    return address
  }

  func gpsdAddress() throws -> GPSDAddress? {
    guard gpsd != "none" else { return nil }
    do { return try GPSDAddress(gpsd) } catch { throw ValidationError("--gpsd: \(error)") }
  }

  func imuSettings() throws -> IIOSettings? {
    guard imu != "none" else { return nil }
    let parts = imu.split(separator: ",", maxSplits: 1)
    guard let uri = parts.first, let address = IIOAddress(String(uri)) else {
      throw ValidationError(
        "--imu takes local:, ip:HOST, ip:HOST:PORT, usb: or none; \"\(imu)\" is none of them.")
    }
    var settings = IIOSettings()
    settings.address = address
    settings.rate = imuRate
    if parts.count > 1 {
      let devices = parts[1].split(separator: "+", maxSplits: 1).map(String.init)
      settings.device = devices.first
      if devices.count > 1 { settings.accelerometer = devices[1] }
    }
    return settings
  }

  /// Starts the sources; they hand over to `sink`.
  func start(_ sink: @escaping EventSink) throws -> Running {
    var running = Running()
    if let address = try gpsdAddress() {
      let source = try GPSDSource(id: Self.receiver, address: address, sink: sink)
      source.start()
      running.stops.append { source.stop(within: $0) }
    }
    if let settings = try imuSettings() {
      let source = try IIOSource(id: Self.inertial, settings: settings, sink: sink)
      source.start()
      running.stops.append { source.stop(within: $0) }
    }
    if let address = try wheelAddress() {
      let source = try WheelSource(id: Self.speed, address: address, sink: sink)
      source.start()
      running.stops.append { source.stop(within: $0) }
    }
    return running
  }

  /// Sources that run.
  struct Running {
    fileprivate var stops: [(Double) -> Bool] = []

    /// Ends them, each within a second; one that a device holds up is left behind.
    func stop() { for stop in stops { _ = stop(1) } }
  }
}
