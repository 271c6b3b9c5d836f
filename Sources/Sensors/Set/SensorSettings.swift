import SensorEvents

/// Which sensors are read, by the texts that commands and configurations take for them.
public struct SensorSettings: Sendable, Equatable {
  /// The receiver; nil for none.
  public var gpsd: GPSDAddress?
  /// The IMU; nil for none.
  public var imu: IIOSettings?
  /// The car's own speed; nil for none.
  public var wheel: WheelAddress?
  /// The barometer; nil for none.
  public var barometer: BarometerSettings?
  /// Whether a receiver that reports more often than is needed is asked, through gpsd, to report less. gpsd's
  /// other clients get less then, too: gpsd 3.22 does not refuse it.
  public var adjustsReceiver = false

  /// What a text says; commands and configurations spell them in their own way.
  public enum Key: Sendable {
    /// Where gpsd is.
    case gpsd
    /// Where the IMU is.
    case imu
    /// Samples a second that are asked of it.
    case imuRate
    /// Where the car's speed comes from.
    case wheel
    /// Where the barometer is.
    case barometer
  }

  /// A text that names no sensor: which, and what would be right.
  public struct Flaw: Error, Sendable, Equatable {
    /// Which.
    public let key: Key
    /// What would be right.
    public let reason: String
  }

  /// The rates that may be asked of an IMU, in Hz: below 10 a turn is over between two samples.
  public static let rates = 10.0...2000

  /// Reads the texts: `gpsd` as `host:port:device`, `imu` as a context of libiio, after a comma a device and
  /// another after a plus, either `none` for none; `wheel` as the path of a socket or `-`,
  /// nil for none; `barometer` as a context of libiio, after a comma a device, nil for none.
  public init(
    gpsd: String = "localhost:2947", imu: String = "local:", imuRate: Double = 100, wheel: String? = nil,
    barometer: String? = nil
  ) throws(Flaw) {
    do throws(SourceError) { self.gpsd = gpsd == "none" ? nil : try GPSDAddress(gpsd) } catch {
      throw Flaw(key: .gpsd, reason: "\(error)")
    }
    guard Self.rates.contains(imuRate) else { throw Flaw(key: .imuRate, reason: "it takes 10 to 2000 Hz") }
    self.imu = imu == "none" ? nil : try Self.imu(imu, imuRate)
    if let barometer {
      guard let settings = BarometerSettings(barometer) else {
        throw Flaw(
          key: .barometer,
          reason: "it takes local:, ip:HOST, ip:HOST:PORT or usb:, and after a comma a device")
      }
      self.barometer = settings
    }
    guard let wheel else { return }
    guard let address = WheelAddress(wheel) else {
      throw Flaw(key: .wheel, reason: "it takes the path of a socket, of at most 107 bytes")
    }
    self.wheel = address
  }

  private static func imu(_ text: String, _ rate: Double) throws(Flaw) -> IIOSettings {
    let parts = text.split(separator: ",", maxSplits: 1)
    guard let uri = parts.first, let address = IIOAddress(String(uri)) else {
      throw Flaw(
        key: .imu,
        reason: "it takes local:, ip:HOST, ip:HOST:PORT, usb: or none; \"\(text)\" is none of them")
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

  /// What the sensors are called, in the order of their numbers.
  public var descriptions: [SourceDescription] {
    SourceRole.allCases.compactMap(description).sorted { $0.id.rawValue < $1.id.rawValue }
  }

  /// What the sensor of that role is called; nil where there is none.
  func description(_ role: SourceRole) -> SourceDescription? {
    switch role {
    case .fix: gpsd.map { .init(id: SourceID(0), name: "gpsd \($0)", role: role) }
    case .inertial: imu.map { .init(id: SourceID(1), name: "IMU \($0.address)", role: role) }
    case .wheel: wheel.map { .init(id: SourceID(2), name: "wheels \($0)", role: role) }
    case .pressure: barometer.map { .init(id: SourceID(3), name: "barometer \($0.address)", role: role) }
    }
  }
}
