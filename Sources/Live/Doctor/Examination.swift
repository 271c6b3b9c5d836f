import Fusion
import Navigation
import SensorEvents

/// Looks at what sensors say over some seconds and judges them. Pure: the same events give the same findings.
public struct Examination: Sendable {
  private var engine: LiveEngine
  private var inertial = InertialStatistics()
  private var lastFix: FixReading?
  private var fixes = 0
  private var hasPulse = false
  /// Samples a second that were asked of the IMU.
  public let inertialRate: Double

  /// An examination of these sources.
  public init(sources: [SourceDescription], inertialRate: Double) {
    engine = LiveEngine(configuration: LiveConfiguration(sources: sources))
    self.inertialRate = inertialRate
  }

  /// Takes the next event.
  public mutating func take(_ event: SensorEvent) {
    engine.process(event)
    switch event.content {
    case .inertial(let reading): inertial.add(reading)
    case .fix(let reading):
      lastFix = reading
      if reading.dimensions != .none { fixes += 1 }
    case .clocks(let comparison): hasPulse = hasPulse || comparison.isPulse
    default: break
    }
  }

  /// What there is to say at `host` on the host clock.
  public func findings(at host: Timestamp) -> [Finding] {
    let status = engine.status(at: host)
    var list: [Finding] = []
    for source in status.sources {
      switch source.role {
      case .fix: list += receiver(source, status)
      case .inertial: list += imu(source)
      case .pressure: list += [connection(source, "barometer")].compactMap(\.self)
      case .wheel, nil: list += [connection(source, "wheels")].compactMap(\.self)
      }
    }
    list += clocks(status)
    return list
  }

  /// The fault of a source that gives nothing; nil where it gives samples.
  private func connection(_ source: SourceHealth, _ subject: String) -> Finding? {
    let words = source.message.isEmpty ? "\(source.name) is \(source.state.name)" : source.message
    switch source.state {
    case .streaming: return nil
    case .connected: return source.received > 0 ? nil : Finding(subject, .fault, words)
    case .connecting, .lost, .faulty, .failed, .off: return Finding(subject, .fault, words)
    }
  }

  // MARK: Receiver

  private func receiver(_ source: SourceHealth, _ status: LiveStatus) -> [Finding] {
    if let fault = connection(source, "receiver") {
      var fault = fault
      if source.state == .lost || source.state == .connecting {
        fault.remedy =
          "install and start gpsd, and give it the receiver: gpsd -n /dev/ttyACM0; or name another with --gpsd host:port"
      }
      return [fault]
    }
    guard fixes > 0, let fix = lastFix, fix.dimensions != .none else {
      let seen = status.sky.map { ", \($0.visible) satellites in view" } ?? ""
      return .only(
        .advice, "receiver", "it speaks and has no fix\(seen)",
        remedy:
          "give the antenna a view of the sky; the first fix takes up to a minute, or 15 without an almanac")
    }
    let good = Finding(
      "receiver", .good,
      "\(fixes) fixes\(source.rate.map { ", \(Figures.fixed($0, 1)) a second" } ?? "")"
        + (status.sky.map { ", \($0.used) of \($0.visible) satellites" } ?? ""))
    return [good] + flaws(of: fix, from: source)
  }

  /// What a receiver that has fixes could do better.
  private func flaws(of fix: FixReading, from source: SourceHealth) -> [Finding] {
    var list: [Finding] = []
    if let rate = source.rate, rate < 0.8 {
      list.add(
        .advice, "receiver", "only \(Figures.fixed(rate, 2)) fixes a second",
        remedy: "set it to 1 a second or more, 5 are better")
    }
    if fix.dimensions == .two {
      list.add(.advice, "receiver", "fixes have no height", remedy: "wait for more satellites")
    }
    if fix.fix.velocityNED == nil {
      list.add(
        .advice, "receiver", "fixes have no velocity",
        remedy: "let it send RMC or VTG beside GGA, or its own binary messages")
    }
    if fix.fix.positionSigma == nil {
      list.add(
        .advice, "receiver", "fixes state no accuracy, which is then learned more slowly",
        remedy: "let it send GST, or its own binary messages")
    }
    if source.refusals.untimed + source.refusals.late + source.refusals.early > 0 {
      list.add(
        .advice, "receiver",
        "\(source.refusals.untimed + source.refusals.late + source.refusals.early) fixes came at times that do not fit the others",
        remedy: "raise the baud rate: messages may be longer than a second")
    }
    return list
  }

  // MARK: IMU

  private func imu(_ source: SourceHealth) -> [Finding] {
    if let fault = connection(source, "IMU") {
      return [fault]
    }
    var list: [Finding] = []
    let rate = source.rate ?? 0
    let remark = source.message.isEmpty ? "" : "; \(source.message)"
    if rate < 20 {
      list.add(
        .fault, "IMU", "only \(Figures.fixed(rate, 1)) samples a second\(remark)",
        remedy: "set its sampling_frequency, or give it a trigger; 100 a second are good")
    } else if rate < 0.7 * inertialRate {
      list.add(
        .advice, "IMU",
        "\(Figures.fixed(rate, 1)) samples a second, \(Figures.fixed(inertialRate, 0)) were asked for\(remark)",
        remedy: "see what sampling_frequency_available offers, and what the bus carries")
    } else {
      list.append(
        Finding(
          "IMU", source.message.isEmpty ? .good : .advice,
          "\(Figures.fixed(rate, 1)) samples a second, \(Figures.short(seconds: source.delay ?? 0)) late\(remark)"
        ))
    }
    if source.gaps + source.lost > 0 {
      list.add(
        .advice, "IMU", "\(source.gaps) gaps, \(source.lost) samples lost",
        remedy: "a longer buffer or watermark, a slower rate, or a less busy computer")
    }
    let untimed = source.refusals.untimed + source.refusals.early + source.refusals.late
    if untimed > 0 {
      list.append(
        Finding(
          "IMU clock", untimed > source.received / 10 ? .fault : .advice,
          "\(untimed) of \(source.received) samples bear times that cannot be",
          remedy: "set its current_timestamp_clock to boottime"))
    }
    if let delay = source.delay, delay > 0.1 {
      list.add(
        .advice, "IMU", "samples are \(Figures.short(seconds: delay)) late",
        remedy: "a smaller watermark of its buffer, or a faster link to it")
    }
    return list + (bursts(rate) ?? rhythm()) + gravity() + turning() + stuck()
  }

  /// What there is to say of an IMU whose samples are stamped in bursts, at so many a second.
  private func bursts(_ rate: Double) -> [Finding]? {
    let size = engine.fusion.timing.inertialBurst
    guard size > 1, rate > 0 else { return nil }
    return .only(
      .advice, "IMU clock",
      "samples come in bursts of about \(size), one every \(Figures.short(seconds: Double(size) / rate)), and are "
        + "stamped as they were read, not as they were taken; the engine spaces them evenly",
      remedy:
        "let the driver that reads the FIFO stamp each sample: the time of the read, less a period for each that came after it"
    )
  }

  private func rhythm() -> [Finding] {
    // A twentieth of the interval is what a filter's step forgives; a fifth is seen in the turns.
    guard let (interval, jitter) = inertial.rhythm, jitter > 0.2 * interval else { return [] }
    return .only(
      .advice, "IMU clock",
      "samples are \(Figures.short(seconds: interval)) apart, and one in twenty is off by more than \(Figures.short(seconds: jitter))",
      remedy:
        "let its data-ready interrupt or a timer (iio-trig-hrtimer) start its samples, and the kernel time them"
    )
  }

  private func gravity() -> [Finding] {
    guard inertial.count >= 20 else { return [] }
    let force = inertial.meanForce.norm
    let state = isMoving ? "on average, while the car moves" : isShaken ? "on average" : "at rest"
    let text = "the accelerometer shows \(Figures.fixed(force, 2)) m/s² \(state)"
    switch force {
    case 9.3...10.3:
      return .only(.good, "gravity", text)
    case 8.5...11.2:
      return .only(
        .advice, "gravity", text + ", gravity is 9.81",
        remedy: "hold the car still; if it stays so, calibrate the accelerometer or correct its scale")
    case 0.8...1.2:
      return .only(
        .fault, "gravity", text + ": that is in g",
        remedy: "the driver's scale is off by \(Gravity.standard)")
    case ..<0.1:
      return .only(
        .fault, "gravity", text + ": it measures nothing", remedy: "check its power, bus and driver")
    default:
      return .only(
        .fault, "gravity",
        text + ", gravity is 9.81: wrong by a factor of \(Figures.fixed(force / Gravity.standard, 2))",
        remedy: "check in_accel_scale against the range that the chip is set to")
    }
  }

  /// Whether the fixes say that the car drives.
  private var isMoving: Bool { (lastFix?.fix.velocityNED?.horizontalNorm ?? 0) > 1 }
  /// Whether the accelerometer says that it is not at rest, m/s².
  private var isShaken: Bool { inertial.forceSpread.norm >= 0.5 }

  private func turning() -> [Finding] {
    guard inertial.count >= 20 else { return [] }
    let rate = inertial.meanRate.norm
    let text = "the gyroscope shows \(Figures.fixed(Angle.degrees(radians: rate), 2)) °/s on average"
    // No car turns on the spot for seconds; and at rest no gyroscope is as noisy as a car on cobbles.
    let noise = inertial.rateSpread.norm
    let isStill = inertial.forceSpread.norm < 0.5
    if rate > 1 || (isStill && noise > 0.2) {
      let seen =
        rate > 1
        ? text : "the gyroscope's noise at rest is \(Figures.fixed(Angle.degrees(radians: noise), 1)) °/s"
      return .only(
        .fault, "gyroscope", seen + ": that cannot be",
        remedy: "check in_anglvel_scale: it must give rad/s, not degrees (a factor of 57.3)")
    }
    // 3 °/s is the worst offset of consumer parts; a car turns faster, but not on average.
    if rate < 0.05 {
      return .only(.good, "gyroscope", text)
    }
    return .only(
      .advice, "gyroscope", text,
      remedy:
        "if the car stands, its scale may be in degrees instead of radians (a factor of 57.3), or it is faulty"
    )
  }

  private func stuck() -> [Finding] {
    guard inertial.count >= 20 else { return [] }
    var list: [Finding] = []
    for (name, spread) in [("gyroscope", inertial.rateSpread), ("accelerometer", inertial.forceSpread)] {
      let dead = zip(["x", "y", "z"], [spread.x, spread.y, spread.z]).filter { $0.1 == 0 }.map(\.0)
      guard !dead.isEmpty else { continue }
      list.add(
        .fault, name, "axis \(dead.joined(separator: ", ")) does not change at all",
        remedy: "even at rest there is noise: check the chip, its bus and its driver")
    }
    return list
  }

  // MARK: Clocks

  private func clocks(_ status: LiveStatus) -> [Finding] {
    guard let utc = status.utc, utc.authority != .system else { return [] }
    var list: [Finding] = []
    let off = engine.clocks.utc(at: status.time, receiver: nil)?.time.seconds(since: utc.time) ?? 0
    if abs(off) > 1 {
      list.add(
        .advice, "clocks",
        "the computer's clock is \(Figures.short(seconds: abs(off))) \(off > 0 ? "ahead of" : "behind") the receiver's",
        remedy: "nothing here depends on it; let chrony or ntpd set it from gpsd")
    }
    let bound = utc.uncertainty.map { "±" + Figures.short(seconds: $0) } ?? "unknown"
    list.add(
      .good, "clocks",
      "receiver's time to \(bound), by its \(hasPulse ? "pulses" : "messages")"
        + (hasPulse ? "" : "; pulses (PPS) would make it microseconds"))
    return list
  }
}
