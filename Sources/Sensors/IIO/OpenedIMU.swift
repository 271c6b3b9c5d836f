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
    let (context, selection) = try Self.prepare(settings)
    let quantities: [[IIOQuantity]] =
      selection.isOneDevice ? [[.angularRate, .acceleration]] : [[.angularRate], [.acceleration]]
    let devices =
      selection.isOneDevice ? [selection.gyroscope] : [selection.gyroscope, selection.accelerometer]
    // Each device has a context of its own: a call of one never waits for the other's.
    var contexts = [context]
    if devices.count == 2 { contexts.append(try Self.open(settings)) }
    var setups: [DeviceSetup] = []
    for index in devices.indices {
      var setup = try DeviceSetup(
        devices[index], quantities: quantities[index], context: contexts[index], settings: settings)
      Self.setTrigger(of: &setup, contexts[index], settings)
      setups.append(setup)
    }
    // Two devices are held against each other only by one clock.
    let clocks = setups.map { $0.way == .buffer ? $0.clock : .host }
    let clock = clocks.allSatisfy { $0 == clocks[0] } ? clocks[0] : nil
    let isShared = settings.address.sharesClocks
    let rates = setups.map { $0.way == .buffer ? $0.rate ?? settings.rate : settings.rate }
    let sensors = setups.flatMap(\.sensors)
    let assembly = IMUAssembly(
      gyroscope: sensors[0], accelerometer: sensors[1], clock: isShared ? clock ?? .host : .host,
      isOneDevice: selection.isOneDevice)
    let remark = setups.compactMap(Self.remark).joined(separator: "; ")
    let session: IMUSession
    do {
      session = try IMUSession(
        voice: voice, assembly: assembly,
        devices: setups.indices.map { (title: setups[$0].device.title, rate: rates[$0]) }, remark: remark)
    } catch { throw .unusable(error.description) }
    self.session = session
    readers = setups.indices.map { index in
      DeviceReader(
        setups[index], context: contexts[index], session: session, index: index, clock: clock,
        rate: rates[index],
        address: settings.address)
    }
    let names = setups.indices.map { "\(setups[$0].device.title) at \(SamplingRate.text(rates[$0])) Hz" }
    summary = ([names.joined(separator: " and ")] + [remark].filter { !$0.isEmpty }).joined(separator: "; ")
    for (reader, setup) in zip(readers, setups) where setup.way == .buffer {
      do { try reader.openBuffer() } catch { throw .library(error) }
    }
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

  private static func remark(on setup: DeviceSetup) -> String? {
    guard case .polling(let reason) = setup.way else { return nil }
    return "samples are asked for one by one, with more jitter: \(reason)"
  }

  private static func prepare(_ settings: IIOSettings) throws(IIOFault) -> (IIOContext, IMUSelection) {
    let context = try open(settings)
    return (context, try IMUSelection(from: context.devices, settings: settings))
  }

  private static func open(_ settings: IIOSettings) throws(IIOFault) -> IIOContext {
    do {
      let context = try IIOContext(uri: settings.address.uri)
      try context.limitCalls(toSeconds: DeviceReader.callLimit)
      return context
    } catch {
      throw .library(error)
    }
  }

  private static func setTrigger(of setup: inout DeviceSetup, _ context: IIOContext, _ settings: IIOSettings)
  {
    guard setup.way == .buffer else { return }
    let outcome = Trigger.set(
      for: setup.device, among: context.devices, rate: setup.rate ?? settings.rate, context: context,
      isLocal: settings.address == .local)
    if case .none(let reason) = outcome { setup.way = .polling(reason) }
  }
}
