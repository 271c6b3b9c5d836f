/// A buffered capture that runs, with what each of its samples holds.
struct Capture {
  /// What the kernel holds for us while we are kept from running, in seconds.
  static let depth = 1.0
  /// Samples come together for about so long, in seconds: on this computer, and over a network. Each refill
  /// through iiod costs both ends several packets: at 200 Hz, on this computer, it is 1.6 % of a core with
  /// one sample and 0.5 % with 5. The engine tells places ahead of the newest sample, so that the delay costs
  /// no accuracy to speak of: at 3 m/s³ of jerk 40 ms are less than a millimetre.
  static let localSpan = 0.025, remoteSpan = 0.04

  /// The capture itself.
  let buffer: IIOBuffer
  /// How many axes come first in a sample: 3 or 6.
  let axes: Int
  /// Whether a timestamp follows the axes.
  let hasTimestamp: Bool
  /// Whether the temperature comes last.
  let hasTemperature: Bool

  /// Values in a sample.
  var width: Int { axes + (hasTimestamp ? 1 : 0) + (hasTemperature ? 1 : 0) }

  /// Starts the capture of a device at `rate` samples a second.
  init(_ setup: DeviceSetup, context: IIOContext, address: IIOAddress, rate: Double) throws(IIOError) {
    var channels = setup.sensors.flatMap(\.channels).map(\.id)
    axes = channels.count
    hasTimestamp = setup.device.timestamp != nil
    if let timestamp = setup.device.timestamp { channels.append(timestamp.id) }
    let temperature = setup.temperature?.channel
    hasTemperature = temperature.map { $0.isScanElement && $0.format.isReadable } ?? false
    if let temperature, hasTemperature { channels.append(temperature.id) }
    let samples = max(1, Int(rate * (address.sharesClocks ? Self.localSpan : Self.remoteSpan)))
    buffer = try context.openBuffer(
      device: setup.device.id, channels: channels, samples: samples,
      depth: max(16, Int(rate * Self.depth) / samples))
  }

  /// Why samples must be asked for one by one, where that is what `error` means.
  static func reasonToPoll(_ error: IIOError, device: IIODeviceDescription) -> String? {
    switch error.code {
    case 1, 13: "/dev/\(device.id) may not be opened: give this user the right to, by a udev rule"
    case 2, 6, 22, 38, 95: "\(device.title) has no buffer that can be started (\(error.description))"
    default: nil
    }
  }
}
