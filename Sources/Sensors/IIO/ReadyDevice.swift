import CLibrary
import SensorEvents

/// A device set up, with its capture running where it has one.
struct ReadyDevice {
  /// How it is set up.
  private(set) var setup: DeviceSetup
  /// Its context, which is its own: a call of one device never waits for another's.
  private(set) var context: IIOContext
  /// The capture; nil where samples are asked for one by one.
  private(set) var capture: Capture?
  /// Samples a second.
  let rate: Double

  /// The clock that its samples are timed by; nil where they are timed by their arrival.
  var clock: ClockKind? { capture == nil ? .host : setup.clock }

  /// Why samples are asked for one by one, for people.
  var remark: String? {
    guard case .polling(let reason) = setup.way else { return nil }
    return "samples of \(setup.device.title) are asked for one by one, with more jitter: \(reason)"
  }

  /// Makes `device` of `context` ready to give `quantities`.
  init(
    _ device: IIODeviceDescription, quantities: [IIOQuantity], context: IIOContext, settings: IIOSettings
  ) throws(IIOFault) {
    self.context = context
    setup = try DeviceSetup(device, quantities: quantities, context: context, settings: settings)
    // Whatever the device says of itself, buffers and waits stay within bounds.
    let stated = IIOSettings.bounded(setup.rate ?? settings.rate)
    if setup.way == .buffer { try Self.setTrigger(of: &setup, &self.context, rate: stated, settings) }
    if setup.way == .buffer {
      do {
        capture = try Capture(setup, context: self.context, address: settings.address, rate: stated)
      } catch {
        guard let reason = Capture.reasonToPoll(error, device: device) else { throw .library(error) }
        setup.way = .polling(reason)
      }
    }
    rate = capture == nil ? min(stated, settings.rate) : stated
  }

  /// Whether the device of this one that is polled can be captured by now: a driver may bring its trigger,
  /// and udev the right to open it, after the device has appeared.
  func canBeCaptured(_ settings: IIOSettings) -> Bool {
    do throws(IIOFault) {
      let quantities = setup.sensors.map(\.quantity)
      let context = try Self.open(settings)
      guard let device = context.devices.first(where: { $0.id == setup.device.id }) else { return false }
      return try ReadyDevice(device, quantities: quantities, context: context, settings: settings).capture
        != nil
    } catch {
      return false
    }
  }

  /// Opens what the settings name.
  static func open(_ settings: IIOSettings) throws(IIOFault) -> IIOContext {
    do {
      let context = try IIOContext(uri: settings.address.uri)
      if !settings.address.isFile { try context.limitCalls(toSeconds: DeviceReader.callLimit) }
      return context
    } catch {
      throw .library(error)
    }
  }

  private static func setTrigger(
    of setup: inout DeviceSetup, _ context: inout IIOContext, rate: Double, _ settings: IIOSettings
  ) throws(IIOFault) {
    // A trigger that is made shows only in a context that is opened after it, and it may take udev a moment.
    for attempt in 0..<5 {
      switch Trigger.set(
        for: setup.device, among: context.devices, rate: rate, context: context,
        mayMake: attempt == 0 && settings.address == .local)
      {
      case .ready: return
      case .none(let reason):
        guard attempt > 0 else {
          setup.way = .polling(reason)
          return
        }
        usleep(100_000)
      case .made: break
      }
      context = try open(settings)
    }
    setup.way = .polling("the timer made for \(setup.device.title) does not show")
  }
}
