/// The device with the gyroscope, and the one with the accelerometer, which may be the same.
package struct IMUSelection: Sendable, Equatable {
  package var gyroscope: IIODeviceDescription
  package var accelerometer: IIODeviceDescription

  /// Whether one device has both.
  package var isOneDevice: Bool { gyroscope.id == accelerometer.id }

  /// Chooses among `devices`: those that are named, else one that has both, one with a buffer before one
  /// without, and the first in the kernel's order among equals.
  package init(from devices: [IIODeviceDescription], settings: IIOSettings) throws(IIOFault) {
    let candidates = devices.filter { !$0.isTrigger }
    let gyroscopes = try Self.candidates(candidates, for: .angularRate, named: settings.device)
    let both = gyroscopes.filter { $0.axes(of: .acceleration) != nil }
    if settings.accelerometer == nil, let best = both.first(where: Self.hasBuffer) ?? both.first {
      gyroscope = best
      accelerometer = best
      return
    }
    gyroscope = gyroscopes.first(where: Self.hasBuffer) ?? gyroscopes[0]
    let accelerometers = try Self.candidates(
      candidates, for: .acceleration, named: settings.accelerometer)
    accelerometer = accelerometers.first(where: Self.hasBuffer) ?? accelerometers[0]
  }

  /// Never empty.
  private static func candidates(
    _ devices: [IIODeviceDescription], for quantity: IIOQuantity, named name: String?
  ) throws(IIOFault) -> [IIODeviceDescription] {
    let found = devices.filter { $0.axes(of: quantity) != nil && (name.map($0.isNamed) ?? true) }
    guard found.isEmpty else { return found }
    let sensor = quantity == .angularRate ? "gyroscope" : "accelerometer"
    let known =
      devices.isEmpty
      ? "there is no IIO device at all: is the sensor's kernel driver loaded?"
      : "the devices are " + devices.map(\.title).joined(separator: ", ")
    throw .unusable(
      name.map { "no \(sensor) with three axes is named \($0); \(known)" }
        ?? "no \(sensor) with three axes was found; \(known)")
  }

  private static func hasBuffer(_ device: IIODeviceDescription) -> Bool {
    device.channels.contains { $0.quantity != .timestamp && $0.isScanElement }
  }
}
