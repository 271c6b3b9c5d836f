import LinearAlgebra

/// A look at an IMU that changes nothing: what `reckon doctor` and people go by. It may take some seconds.
public struct IIOInspection: Sendable {
  /// A gyroscope or an accelerometer, as the device describes it.
  public struct Sensor: Sendable {
    /// Angular rate or acceleration.
    public var quantity: IIOQuantity
    /// The device that has it, for people.
    public var device: String
    /// What a raw step of each axis stands for, in rad/s or m/s².
    public var step: Vector3
    /// The greatest value that the first axis can show, in rad/s or m/s².
    public var range: Double
    /// From the sensor's axes to the device's: the mount matrix.
    public var deviceFromSensor: Matrix3
    /// Samples a second as it is set; nil where it does not tell.
    public var rate: Double?
    /// The rates that it offers, as it writes them.
    public var offeredRates: String?
    /// The clock of its timestamps, as in `realtime`; nil where it has none.
    public var clock: String?
    /// Whether the kernel can gather its samples.
    public var isBuffered: Bool
    /// The trigger that is set; nil where there is none, or none is needed.
    public var trigger: String?
  }

  /// Every device and trigger that is there.
  public private(set) var devices: [IIODeviceDescription] = []
  /// The gyroscope and the accelerometer that would be read; fewer where something is wrong, or
  /// where a file was looked at.
  public private(set) var sensors: [Sensor] = []
  /// What is wrong, with what to do about it.
  public private(set) var faults: [String] = []

  /// Looks at what `settings` name. A file (`xml:`) names devices, and has no values.
  public init(_ settings: IIOSettings) {
    do throws(IIOFault) {
      let context = try ReadyDevice.open(settings)
      devices = context.devices
      let selection = try IMUSelection(from: devices, settings: settings)
      guard !settings.address.isFile else { return }
      for (device, quantity) in [
        (selection.gyroscope, IIOQuantity.angularRate), (selection.accelerometer, .acceleration),
      ] {
        do throws(IIOFault) {
          sensors.append(try Self.look(at: quantity, of: device, context))
        } catch { faults.append(error.message) }
      }
    } catch { faults.append(error.message) }
  }

  private static func look(
    at quantity: IIOQuantity, of device: IIODeviceDescription, _ context: IIOContext
  ) throws(IIOFault) -> Sensor {
    let sensor = try DeviceSetup.sensor(quantity, of: device, context)
    let channel = sensor.channels[0]
    func text(_ attribute: String) -> String? {
      if channel.attributes.contains(attribute) {
        return try? context.read(attribute, device: device.id, channel: channel.id)
      }
      return try? context.read(attribute, device: device.id)
    }
    let trigger = try? context.trigger(ofDevice: device.id)
    return Sensor(
      quantity: quantity, device: device.title, step: sensor.scale.scale,
      range: Double(channel.format.limits.upperBound) * abs(sensor.scale.scale.x),
      deviceFromSensor: sensor.scale.deviceFromSensor, rate: text("sampling_frequency").flatMap(Double.init),
      offeredRates: text("sampling_frequency_available"),
      clock: device.timestamp == nil ? nil : text("current_timestamp_clock") ?? "realtime",
      isBuffered: sensor.channels.allSatisfy(\.isScanElement), trigger: trigger ?? nil)
  }
}
