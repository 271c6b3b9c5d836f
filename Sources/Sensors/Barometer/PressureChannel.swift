/// The pressure channel of a device, and what its values mean.
///
/// By the kernel's ABI (`Documentation/ABI/testing/sysfs-bus-iio`) it is `in_pressure_input` in kilopascal,
/// as the driver bmp280 gives it, or (`in_pressure_raw` + `in_pressure_offset`) · `in_pressure_scale`, as
/// st_pressure does for an lps22hb.
package struct PressureChannel: Sendable, Equatable {
  package var device: IIODeviceDescription
  /// libiio's name of the channel.
  package var channel: String
  /// What is read: `input` or `raw`.
  package var attribute: String
  /// Kilopascal a step, and steps to add before.
  package var scale = 1.0, offset = 0.0

  /// Chooses among `devices` the one that is `named`, else the first with a pressure channel, and reads its
  /// scale.
  package init(
    from devices: [IIODeviceDescription], named name: String?, context: IIOContext
  ) throws(IIOFault) {
    let candidates = devices.filter { !$0.isTrigger && (name.map($0.isNamed) ?? true) }
    let found = candidates.lazy.compactMap { device in
      device.channels.first { $0.quantity == .pressure }.map { (device, $0) }
    }.first
    guard let (device, channel) = found else { throw .unusable(Self.absence(among: devices, named: name)) }
    self.device = device
    self.channel = channel.id
    guard channel.attributes.contains("raw") || channel.attributes.contains("input") else {
      throw .unusable("\(device.title) has a pressure channel with neither a raw nor an input value")
    }
    attribute = channel.attributes.contains("input") ? "input" : "raw"
    guard attribute == "raw" else { return }
    func number(_ attribute: String, _ standard: Double) throws(IIOFault) -> Double {
      guard channel.attributes.contains(attribute) else { return standard }
      let text: String
      do { text = try context.read(attribute, device: device.id, channel: channel.id) } catch {
        throw .library(error)
      }
      return try iioNumber(text, of: "\(device.title) \(channel.id) \(attribute)")
    }
    scale = try number("scale", 1)
    offset = try number("offset", 0)
  }

  /// Pascal for a value.
  package func pascal(_ value: Double) -> Double { (value + offset) * scale * 1000 }

  private static func absence(among devices: [IIODeviceDescription], named name: String?) -> String {
    let what =
      name.map { "no barometer (a device with a pressure channel) is named \($0)" }
      ?? "no barometer was found"
    guard !devices.isEmpty else {
      return
        "\(what); there is no IIO device at all: is the sensor's kernel driver (bmp280, st_pressure) loaded?"
    }
    return "\(what); the devices are \(devices.map(\.title).joined(separator: ", "))"
  }
}
