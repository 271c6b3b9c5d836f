import LinearAlgebra
import SensorEvents

/// A device made ready for reading, and what its raw values mean. Every attribute is read once: over a
/// network each costs a round trip.
package struct DeviceSetup: Sendable {
  /// How its samples are had.
  package enum Way: Sendable, Equatable {
    /// The kernel gathers them, on interrupts of the chip or of a timer.
    case buffer
    /// They are asked for one by one, for this reason.
    case polling(String)
  }

  /// A sensor of three axes.
  package struct Sensor: Sendable {
    /// Angular rate or acceleration.
    package var quantity: IIOQuantity
    /// Its channels, x, y, z.
    package var channels: [IIOChannelDescription]
    /// Their meaning.
    package var scale: TriadScale

    package init(quantity: IIOQuantity, channels: [IIOChannelDescription], scale: TriadScale) {
      self.quantity = quantity
      self.channels = channels
      self.scale = scale
    }
  }

  package var device: IIODeviceDescription
  /// Its sensors that are read: one or two, the gyroscope first.
  package var sensors: [Sensor]
  /// The clock of its timestamps; nil where samples have none that can be used.
  package var clock: ClockKind?
  /// Samples a second, as the device states it.
  package var rate: Double?
  /// How samples are had.
  package var way: Way
  /// Its temperature, where it tells it.
  package var temperature: Thermometer?

  /// Celsius = (raw + offset) · scale / 1000, by the kernel's ABI.
  package struct Thermometer: Sendable {
    package var channel: IIOChannelDescription
    /// Of a step, in thousandths of a degree.
    package var scale: Double
    /// Steps to add before scaling.
    package var offset: Double

    /// Degrees for a raw value.
    package func celsius(_ raw: Double) -> Double { (raw + offset) * scale / 1000 }
  }

  /// Makes `device` ready to give `quantities` at about the rate of the settings.
  package init(
    _ device: IIODeviceDescription, quantities: [IIOQuantity], context: IIOContext, settings: IIOSettings
  ) throws(IIOFault) {
    self.device = device
    sensors = []
    for quantity in quantities {
      sensors.append(try Self.sensor(quantity, of: device, context))
    }
    clock = Self.setClock(of: device, context, isShared: settings.address.sharesClocks)
    rate = Self.setRate(settings.rate, of: device, sensors: sensors, context)
    temperature = Self.thermometer(of: device, context)
    way = .buffer
    let unbuffered = sensors.flatMap(\.channels).first { !$0.isScanElement }
    if let unbuffered {
      way = .polling("the kernel's driver has no buffer for \(unbuffered.id)")
    } else if let odd = sensors.flatMap(\.channels).first(where: { !$0.format.isReadable }) {
      throw .unusable("\(odd.id) is stored in \(odd.format.storageBits) bits in a form that is not known")
    }
  }

  // MARK: Scale

  static func sensor(
    _ quantity: IIOQuantity, of device: IIODeviceDescription, _ context: IIOContext
  ) throws(IIOFault) -> Sensor {
    guard let channels = device.axes(of: quantity) else {
      throw .unusable("\(device.title) has no three axes")
    }
    var scale = Vector3.zero
    var offset = Vector3.zero
    for (axis, channel) in channels.enumerated() {
      // Without the attribute the raw value is in SI units.
      scale[axis] = 1
      if channel.attributes.contains("scale") {
        let text = try read("scale", device, channel.id, context)
        scale[axis] = try iioScale(text, of: "\(device.title) \(channel.id) scale")
      }
      if channel.attributes.contains("offset") {
        let text = try read("offset", device, channel.id, context)
        offset[axis] = try iioNumber(text, of: "\(device.title) \(channel.id) offset")
      }
    }
    var triad = TriadScale(scale: scale)
    triad.offset = offset
    if let matrix = try mountMatrix(of: device, channels[0], context) { triad.deviceFromSensor = matrix }
    return Sensor(quantity: quantity, channels: channels, scale: triad)
  }

  /// The sensor's own (`in_accel_mount_matrix`), else that of the whole device (`in_mount_matrix`, which
  /// libiio shows as a channel `mount`), else nil.
  private static func mountMatrix(
    of device: IIODeviceDescription, _ channel: IIOChannelDescription, _ context: IIOContext
  ) throws(IIOFault) -> Matrix3? {
    let name = "the mount matrix of \(device.title)"
    if channel.attributes.contains("mount_matrix") {
      return try iioMountMatrix(try read("mount_matrix", device, channel.id, context), of: name)
    }
    if device.channels.contains(where: { $0.id == "mount" && $0.attributes.contains("matrix") }) {
      return try iioMountMatrix(try read("matrix", device, "mount", context), of: name)
    }
    for attribute in ["mount_matrix", "in_mount_matrix"] where device.attributes.contains(attribute) {
      return try iioMountMatrix(try read(attribute, device, nil, context), of: name)
    }
    return nil
  }

  private static func read(
    _ attribute: String, _ device: IIODeviceDescription, _ channel: String?, _ context: IIOContext
  ) throws(IIOFault) -> String {
    do { return try context.read(attribute, device: device.id, channel: channel) } catch {
      throw .library(error)
    }
  }

  // MARK: Time

  /// Sets the timestamps to the host clock, else to the monotonic one, and says what they are by;
  /// nil where there are none.
  private static func setClock(
    of device: IIODeviceDescription, _ context: IIOContext, isShared: Bool
  ) -> ClockKind? {
    guard device.timestamp != nil else { return nil }
    let attribute = "current_timestamp_clock"
    guard device.attributes.contains(attribute) else { return .realtime }  // kernels before 4.8
    for wanted in ["boottime", "monotonic"] {
      try? context.write(wanted, to: attribute, device: device.id)
      guard let now = try? context.read(attribute, device: device.id) else { return nil }
      if now == wanted { break }
    }
    switch try? context.read(attribute, device: device.id) {
    case "boottime": return .host
    case "monotonic", "monotonic_coarse": return .monotonic
    case "realtime", "realtime_coarse": return .realtime
    case "tai": return .tai
    default: return nil  // monotonic_raw is no clock that can be compared
    }
  }

  /// Sets the rate nearest to the wanted one, and says what it is then; nil where the device does not tell.
  private static func setRate(
    _ wanted: Double, of device: IIODeviceDescription, sensors: [Sensor], _ context: IIOContext
  ) -> Double? {
    let attribute = "sampling_frequency"
    var rate: Double?
    var places: [String?] = device.attributes.contains(attribute) ? [nil] : []
    for sensor in sensors where sensor.channels[0].attributes.contains(attribute) {
      places.append(sensor.channels[0].id)
    }
    for place in places {
      let offers = try? context.read("\(attribute)_available", device: device.id, channel: place)
      let nearest = offers.flatMap { SamplingRate.nearest(to: wanted, available: $0) } ?? wanted
      let now = (try? context.read(attribute, device: device.id, channel: place)).flatMap(Double.init)
      if now != nearest {
        // Refused without the right to, or while another reads: then it stays what it is.
        try? context.write(SamplingRate.text(nearest), to: attribute, device: device.id, channel: place)
      }
      let set = (try? context.read(attribute, device: device.id, channel: place)).flatMap(Double.init)
      if let set, set > 0, set.isFinite { rate = max(rate ?? 0, set) }
    }
    return rate
  }

  // MARK: Temperature

  private static func thermometer(of device: IIODeviceDescription, _ context: IIOContext) -> Thermometer? {
    guard let channel = device.temperature, channel.attributes.contains("raw") || channel.isScanElement else {
      return nil
    }
    func number(_ attribute: String, _ standard: Double) -> Double? {
      guard channel.attributes.contains(attribute) else { return standard }
      let text = try? context.read(attribute, device: device.id, channel: channel.id)
      return text.flatMap { try? iioNumber($0, of: attribute) }
    }
    guard let scale = number("scale", 1), let offset = number("offset", 0) else { return nil }
    return Thermometer(channel: channel, scale: scale, offset: offset)
  }
}
