import CLibrary

/// What makes a device take samples: an interrupt of its own where it has one, else a timer of the kernel.
package enum Trigger {
  /// Folder in which a directory made is a timer (configfs).
  static let timers = "/sys/kernel/config/iio/triggers/hrtimer"

  /// What came of looking for a trigger.
  package enum Outcome: Sendable, Equatable {
    /// The device has one, or needs none.
    case ready
    /// A timer was made, which a context opened anew will show.
    case made
    /// There is none, for this reason.
    case none(String)
  }

  /// Sees to it that `device` has a trigger that fires `rate` times a second or when data are ready; makes a
  /// timer where there is none and `mayMake` says so.
  package static func set(
    for device: IIODeviceDescription, among devices: [IIODeviceDescription], rate: Double,
    context: IIOContext,
    mayMake: Bool
  ) -> Outcome {
    do {
      if let present = try context.trigger(ofDevice: device.id) {
        setRate(rate, of: devices.first { $0.id == present }, context)
        return .ready
      }
    } catch {
      // No such file: the chip's own queue fills the buffer.
      return .ready
    }
    for trigger in candidates(for: device, among: devices) {
      guard (try? context.setTrigger(trigger.id, ofDevice: device.id)) != nil else { continue }
      setRate(rate, of: trigger, context)
      return .ready
    }
    guard mayMake else { return .none("\(device.title) has no trigger that starts its samples") }
    if mkdir("\(timers)/\(timerName(for: device))", 0o755) == 0 { return .made }
    let reason = errno == EEXIST ? "the timer made for it does not serve" : "none could be made"
    return .none(
      "\(device.title) has no trigger, and \(reason): load iio-trig-hrtimer and run as root")
  }

  /// Triggers that suit `device`, the best first: its own data-ready interrupt, then a timer
  /// made for it, then any timer.
  static func candidates(
    for device: IIODeviceDescription, among devices: [IIODeviceDescription]
  ) -> [IIODeviceDescription] {
    let triggers = devices.filter(\.isTrigger)
    let number = device.id.drop { !$0.isNumber }
    var best: [IIODeviceDescription] = []
    if let name = device.name {
      best += triggers.filter { $0.name == "\(name)-dev\(number)" }
      best += triggers.filter { $0.name == "\(name)-trigger" }
    }
    best += triggers.filter { $0.name == timerName(for: device) }
    return best + triggers.filter { $0.attributes.contains("sampling_frequency") && !best.contains($0) }
  }

  private static func timerName(for device: IIODeviceDescription) -> String {
    "reckon-\(device.id.drop { !$0.isNumber })"
  }

  private static func setRate(_ rate: Double, of trigger: IIODeviceDescription?, _ context: IIOContext) {
    guard let trigger, trigger.attributes.contains("sampling_frequency") else { return }
    try? context.write(SamplingRate.text(rate), to: "sampling_frequency", device: trigger.id)
  }
}
