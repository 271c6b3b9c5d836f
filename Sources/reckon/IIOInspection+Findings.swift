import Live
import Navigation
import Sensors

extension IIOInspection {
  /// Scale, range, rate, mounting and clock of each sensor that `settings` name, judged, and what
  /// keeps it from being read.
  func findings(settings: IIOSettings) -> [Finding] {
    var list = faults.map { fault in
      // The reason, and behind it what to do.
      let parts = fault.split(separator: ";", maxSplits: 1).map { String($0.drop { $0 == " " }) }
      return Finding("IMU", .fault, parts[0], remedy: parts.count > 1 ? parts[1] : "")
    }
    if faults.isEmpty, sensors.isEmpty {
      list.add(
        .fault, "IMU", "\(settings.address) describes \(devices.count) devices and has no samples",
        remedy: "give local: or ip:HOST")
    }
    for sensor in sensors { list += [describe(sensor)] + judge(sensor, settings.rate) }
    return list + together(settings)
  }

  /// What the two sensors are to each other, and the others that there are.
  private func together(_ settings: IIOSettings) -> [Finding] {
    var list: [Finding] = []
    if sensors.count == 2, sensors[0].device != sensors[1].device, sensors[0].clock != sensors[1].clock {
      list.add(
        .advice, "IMU clock",
        "its two devices are timed by different clocks, so both are timed by their arrival",
        remedy: "set current_timestamp_clock of both to boottime")
    }
    let gyroscopes = devices.filter { $0.axes(of: .angularRate) != nil }
    if gyroscopes.count > 1, settings.device == nil, let used = sensors.first?.device {
      let other = gyroscopes.first { $0.title != used }?.name ?? gyroscopes[1].id
      list.add(
        .advice, "IMU",
        "there are \(gyroscopes.count): \(gyroscopes.map(\.title).joined(separator: ", ")); \(used) is read",
        remedy: "name another one: --imu \(settings.address),\(other)")
    }
    return list
  }

  private func describe(_ sensor: Sensor) -> Finding {
    var parts = ["\(sensor.device): range ±\(Self.range(sensor))"]
    if let rate = sensor.rate { parts.append("set to \(Self.number(rate)) samples a second") }
    if let offered = sensor.offeredRates?.trimmingSpaces, !offered.isEmpty { parts.append("of \(offered)") }
    parts.append(sensor.isBuffered ? "gathered by the kernel" : "to be asked for one by one")
    if let trigger = sensor.trigger, !trigger.isEmpty { parts.append("trigger \(trigger)") }
    parts.append(sensor.clock.map { "times by \($0)" } ?? "without times")
    if sensor.deviceFromSensor != .identity { parts.append("turned by its mount matrix") }
    return Finding(Self.name(sensor), .good, parts.joined(separator: ", "))
  }

  private func judge(_ sensor: Sensor, _ wanted: Double) -> [Finding] {
    var list: [Finding] = []
    list += Self.judgeRate(sensor, wanted)
    let mount = sensor.deviceFromSensor
    if mount.x.cross(mount.y).dot(mount.z) < 0 {
      list.add(
        .fault, Self.name(sensor), "its mount matrix mirrors its axes",
        remedy: "one row has the wrong sign: see the device tree, or udev's hwdb")
    }
    // Kerbs and potholes show 2 g; a car turns on the spot of a garage with 60 °/s.
    let least = sensor.quantity == .acceleration ? 19.0 : Angle.radians(degrees: 60)
    if sensor.range < least {
      list.add(
        .advice, Self.name(sensor), "its range is small for a car, or its scale is wrong",
        remedy: "choose a larger one of its scale_available")
    }
    return list
  }

  private static func judgeRate(_ sensor: Sensor, _ wanted: Double) -> [Finding] {
    var list: [Finding] = []
    let best = sensor.offeredRates.flatMap { SamplingRate.nearest(to: wanted, available: $0) }
    if let best, best < 0.7 * wanted {
      list.add(
        .advice, name(sensor),
        "it offers no more than \(number(best)) samples a second near \(number(wanted))",
        remedy: "20 will do, 100 are good")
    }
    if sensor.isBuffered, sensor.clock == nil {
      list.add(
        .advice, name(sensor), "its samples bear no times: they are timed by their arrival",
        remedy: "a driver with a timestamp channel would make them steadier")
    }
    return list
  }

  private static func name(_ sensor: Sensor) -> String {
    sensor.quantity == .acceleration ? "accel" : "gyro"
  }

  private static func range(_ sensor: Sensor) -> String {
    sensor.quantity == .acceleration
      ? "\(number(sensor.range / Gravity.standard)) g" : "\(number(Angle.degrees(radians: sensor.range))) °/s"
  }

  /// To one decimal, and none where it is whole.
  private static func number(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e9 else { return "–" }
    let tenths = (value * 10).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
