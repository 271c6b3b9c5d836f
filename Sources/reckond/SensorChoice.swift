import Live
import LocationService
import SensorEvents
import Sensors

/// The sensors that the configuration names.
struct SensorChoice: Sendable {
  /// A text that names no sensor: its key, and what would be right.
  struct Flaw: Error, CustomStringConvertible {
    var description: String
  }

  private static let receiver = SourceID(0), inertial = SourceID(1), speed = SourceID(2)

  private let gpsd: GPSDAddress?
  private let imu: IIOSettings?
  private let wheel: WheelAddress?

  init(_ configuration: ServiceConfiguration.SensorConfiguration) throws {
    do { gpsd = configuration.gpsd == "none" ? nil : try GPSDAddress(configuration.gpsd) } catch {
      throw Flaw(description: "gpsd: \(error)")
    }
    imu = configuration.imu == "none" ? nil : try Self.imu(configuration.imu, configuration.imuRate)
    wheel = configuration.wheel.isEmpty ? nil : WheelAddress(configuration.wheel)
    if !configuration.wheel.isEmpty, wheel == nil || wheel == .standardInput {
      throw Flaw(description: "wheel takes the path of a socket, of at most 107 bytes")
    }
  }

  private static func imu(_ text: String, _ rate: Double) throws -> IIOSettings {
    let parts = text.split(separator: ",", maxSplits: 1)
    guard let uri = parts.first, let address = IIOAddress(String(uri)) else {
      throw Flaw(description: "imu takes \"local:\", \"ip:HOST\", \"ip:HOST:PORT\", \"usb:\" or \"none\"")
    }
    var settings = IIOSettings()
    settings.address = address
    settings.rate = rate
    if parts.count > 1 {
      let devices = parts[1].split(separator: "+", maxSplits: 1).map(String.init)
      settings.device = devices.first
      if devices.count > 1 { settings.accelerometer = devices[1] }
    }
    return settings
  }

  /// What they are called.
  var descriptions: [SourceDescription] {
    var list: [SourceDescription] = []
    if let gpsd { list.append(.init(id: Self.receiver, name: "gpsd \(gpsd)", role: .fix)) }
    if let imu { list.append(.init(id: Self.inertial, name: "IMU \(imu.address)", role: .inertial)) }
    if let wheel { list.append(.init(id: Self.speed, name: "wheels \(wheel)", role: .wheel)) }
    return list
  }

  /// Starts them; they hand over to `sink`.
  func start(_ sink: @escaping EventSink) throws -> Running {
    var running = Running()
    if let gpsd {
      let source = try GPSDSource(id: Self.receiver, address: gpsd, sink: sink)
      source.start()
      running.stops.append { source.stop(within: $0) }
    }
    if let imu {
      let source = try IIOSource(id: Self.inertial, settings: imu, sink: sink)
      source.start()
      running.stops.append { source.stop(within: $0) }
    }
    if let wheel {
      let source = try WheelSource(id: Self.speed, address: wheel, sink: sink)
      source.start()
      running.stops.append { source.stop(within: $0) }
    }
    return running
  }

  /// Sensors that are read.
  struct Running {
    fileprivate var stops: [(Double) -> Bool] = []

    /// Ends them, each within a second; one that a device holds up is left behind.
    func stop() { for stop in stops { _ = stop(1) } }
  }
}
