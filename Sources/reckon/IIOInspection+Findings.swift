import LinearAlgebra
import Live
import Navigation
import Sensors

extension IIOInspection {
  /// Scale, range, mounting and clock of each sensor, judged. What keeps it from being read, its reader says.
  var findings: [Finding] { sensors.flatMap { [describe($0)] + judge($0) } }

  private func describe(_ sensor: Sensor) -> Finding {
    var parts = ["\(sensor.device): range ±\(Self.range(sensor))"]
    if let rate = sensor.rate { parts.append("set to \(Self.number(rate)) samples a second") }
    if let offered = sensor.offeredRates?.trimmingSpaces, !offered.isEmpty { parts.append("of \(offered)") }
    parts.append(sensor.isBuffered ? "gathered by the kernel" : "to be asked for one by one")
    if let trigger = sensor.trigger, !trigger.isEmpty { parts.append("trigger \(trigger)") }
    parts.append(sensor.clock.map { "times by \($0)" } ?? "without times")
    return Finding(Self.name(sensor), .good, parts.joined(separator: ", "))
  }

  private func judge(_ sensor: Sensor) -> [Finding] {
    var list: [Finding] = []
    let mount = sensor.deviceFromSensor
    if mount.x.cross(mount.y).dot(mount.z) < 0 {
      list.append(
        Finding(
          Self.name(sensor), .fault, "its mount matrix mirrors its axes",
          remedy: "one row has the wrong sign: see the device tree, or udev's hwdb"))
    }
    // Kerbs and potholes show 2 g; a car turns on the spot of a garage with 60 °/s.
    let least = sensor.quantity == .acceleration ? 19.0 : Angle.radians(degrees: 60)
    if sensor.range < least {
      list.append(
        Finding(
          Self.name(sensor), .advice, "its range is small for a car, or its scale is wrong",
          remedy: "choose a larger one of its scale_available"))
    }
    return list
  }

  private static func name(_ sensor: Sensor) -> String {
    sensor.quantity == .acceleration ? "accel" : "gyro"
  }

  private static func range(_ sensor: Sensor) -> String {
    sensor.quantity == .acceleration
      ? "\(number(sensor.range / 9.80665)) g" : "\(number(Angle.degrees(radians: sensor.range))) °/s"
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
