import SensorEvents

/// An IMU found, set up and capturing, with the readers of its one or two devices.
struct OpenedIMU {
  /// What its readers share.
  let session: IMUSession
  /// A reader a device, the gyroscope's first.
  let readers: [DeviceReader]
  /// What was found, for people.
  let summary: String

  /// Opens what the settings name.
  init(settings: IIOSettings, voice: SourceVoice) throws(IIOFault) {
    if settings.address.isFile {
      throw .hopeless("\(settings.address) describes devices and has no samples: give local: or ip:HOST")
    }
    let context = try ReadyDevice.open(settings)
    let selection = try IMUSelection(from: context.devices, settings: settings)
    var devices: [ReadyDevice] = []
    if selection.isOneDevice {
      devices.append(
        try ReadyDevice(
          selection.gyroscope, quantities: [.angularRate, .acceleration], context: context, settings: settings
        ))
    } else {
      devices.append(
        try ReadyDevice(
          selection.gyroscope, quantities: [.angularRate], context: context, settings: settings))
      devices.append(
        try ReadyDevice(
          selection.accelerometer, quantities: [.acceleration], context: try ReadyDevice.open(settings),
          settings: settings))
    }
    // Two devices are held against each other only by one clock; without one, by arrival.
    let clock = devices.allSatisfy { $0.clock == devices[0].clock } ? devices[0].clock : nil
    let sensors = devices.flatMap(\.setup.sensors)
    let assembly = IMUAssembly(
      gyroscope: sensors[0], accelerometer: sensors[1],
      clock: settings.address.sharesClocks ? clock ?? .host : .host, isOneDevice: selection.isOneDevice)
    let remark = devices.compactMap(\.remark).joined(separator: "; ")
    let session: IMUSession
    do {
      session = try IMUSession(
        voice: voice, assembly: assembly,
        devices: devices.map { (title: $0.setup.device.title, rate: $0.rate) }, remark: remark)
    } catch { throw .unusable(error.description) }
    self.session = session
    readers = devices.enumerated().map { index, device in
      DeviceReader(device, session: session, index: index, clock: clock, settings: settings)
    }
    let names = devices.map { "\($0.setup.device.title) at \(SamplingRate.text($0.rate)) Hz" }
    summary = ([names.joined(separator: " and ")] + [remark].filter { !$0.isEmpty }).joined(separator: "; ")
  }

  /// Starts the thread of the second device, where there is one.
  func startOther() throws(IIOFault) -> ReaderThread? {
    guard readers.count == 2 else { return nil }
    let reader = readers[1]
    do {
      let thread = try ReaderThread(name: "iio-accel")
      try thread.start { _ in reader.run() }
      return thread
    } catch { throw .unusable(error.description) }
  }
}
