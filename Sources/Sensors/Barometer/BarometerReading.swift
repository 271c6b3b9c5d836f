import Navigation
import SensorEvents

extension SensorReader {
  /// A barometer of Linux's Industrial I/O, asked through libiio ten times a second.
  public convenience init(id: SourceID, barometer settings: BarometerSettings, sink: @escaping EventSink)
    throws(SourceError)
  {
    try self.init(id: id, name: "barometer", sink: sink) { voice, stop in
      BarometerReading(settings: settings, voice: voice).run(until: stop)
    }
  }
}

/// Asks a barometer through libiio ten times a second: height changes slowly, so that nothing is gained
/// by the kernel's buffers.
///
/// Every change of state is said as a `.status`. A device that is lost is tried again after 0.25 s, then
/// after twice as long each time up to 5 s, for as long as the source runs.
struct BarometerReading {
  /// Samples a second.
  static let rate = 10.0
  /// Longest that a call of libiio may take, s.
  static let callLimit = 1.0
  /// The same text for so long is a device that has stopped measuring, s: its noise alone is several steps
  /// of 24 bits.
  static let longestRepeat = 30.0

  let settings: BarometerSettings
  let voice: SourceVoice

  func run(until stop: StopSignal) {
    voice.say(.connecting, "opening \(settings.address)")
    var backoff = Backoff()
    while !stop.isSet {
      do throws(IIOFault) {
        try read(until: stop) { backoff.reset() }
      } catch {
        if stop.isSet { return }
        voice.say(.lost, error.message)
        _ = stop.wait(atMost: backoff.next())
      }
    }
  }

  /// Reads until it fails, or the source stops.
  private func read(until stop: StopSignal, works: () -> Void) throws(IIOFault) {
    let context: IIOContext
    do {
      context = try IIOContext(uri: settings.address.uri)
      // Not every backend has a limit to set.
      try? context.limitCalls(toSeconds: Self.callLimit)
    } catch { throw .library(error) }
    let channel = try PressureChannel(from: context.devices, named: settings.device, context: context)
    voice.say(.connected, "\(channel.device.title) at \(Int(Self.rate)) Hz")
    var last: (text: String, since: Timestamp)?
    var deadline = HostClock.now()
    while !stop.isSet {
      let start = HostClock.now()
      let text: String
      do {
        text = try context.read(channel.attribute, device: channel.device.id, channel: channel.channel)
      } catch { throw .library(error) }
      let arrival = HostClock.now()
      let time = Timestamp(nanoseconds: start.nanoseconds + (arrival.nanoseconds - start.nanoseconds) / 2)
      if last?.text != text { last = (text, arrival) }
      let fault = Self.flaw(of: text, channel, unchanged: last.map { arrival.seconds(since: $0.since) } ?? 0)
      if let fault { voice.say(.faulty, fault) } else { voice.say(.streaming) }
      if let value = Double(text) {
        voice.say(.pressure(PressureReading(time: time, pressure: channel.pascal(value))), arrival: arrival)
        if fault == nil { works() }
      }
      deadline = max(deadline.advanced(bySeconds: 1 / Self.rate), arrival)
      _ = stop.wait(atMost: max(0, deadline.seconds(since: HostClock.now())))
    }
  }

  /// What is wrong with a value, and what to do; nil where nothing is.
  private static func flaw(of text: String, _ channel: PressureChannel, unchanged: Double) -> String? {
    let title = channel.device.title
    guard let value = Double(text), value.isFinite else {
      return
        "\(title) \(channel.channel) \(channel.attribute) is \"\(text.prefix(40))\", which is not a number"
    }
    let hectopascal = channel.pascal(value) / 100
    guard PressureSample.range.contains(hectopascal * 100) else {
      return "\(title) says \(Int(max(-1e9, min(1e9, hectopascal)))) hPa, and a car is at 300 to 1200 hPa: "
        + "is its driver's scale right (kPa by the kernel's ABI)?"
    }
    guard unchanged < longestRepeat else {
      return "\(title) has said the same for \(Int(unchanged)) s, to the last digit: it has stuck; "
        + "unbind and bind its driver, or take its power away"
    }
    return nil
  }
}
