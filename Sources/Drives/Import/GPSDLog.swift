import Navigation
import SensorEvents

/// Fixes put together from gpsd's reports: several of one epoch are one fix, and each receiver is apart.
struct GPSDLog {
  private struct Receiver {
    var fixes: [GNSSFix] = []
    var modes: [Int] = []
    var hdop: Double?
    var sky = SkySeries()
    /// Standard deviations of GST with their time.
    var stated: (time: String, sigma: Vector3)?

    /// Takes the satellites of a SKY, which has the time of the last fix where it has none of its own.
    mutating func see(_ report: GPSDReport) {
      if let hdop = report.hdop { self.hdop = hdop }
      guard let time = report.time.flatMap({ ImportTime.utc(calendar: $0) }) ?? fixes.last?.time else {
        return
      }
      for seen in report.satellites ?? [] { seen.sample(at: time).map { sky.append($0) } }
    }
  }
  /// Delays of arrival in seconds that a receiver can have, if the host's clock is right to some tenths.
  private static let usualDelay = -0.3...5.0

  private var receivers: [String: Receiver] = [:]
  private var order: [String] = []
  private var withoutFix = 0
  private var withoutTime = 0
  private var notMeasured = 0
  private var seaLevelOnly = 0
  private var inertial = 0
  /// Lines that are not JSON.
  var otherLines = 0

  mutating func add(_ line: GPSDLine) {
    let report = line.report
    let device = report.device ?? ""
    switch report.class {
    case "TPV": add(fix: line, to: device)
    case "SKY": receiver(device) { $0.see(report) }
    case "GST":
      // Here lat, lon and alt are standard deviations in metres.
      guard let time = report.time, let north = report.lat, let east = report.lon, north > 0, east > 0 else {
        return
      }
      let up = report.alt.flatMap { $0 > 0 ? $0 : nil } ?? 2 * max(north, east)
      receiver(device) { $0.stated = (time, Vector3(north, east, up)) }
    case "IMU", "ATT": inertial += 1
    default: break
    }
  }

  private mutating func receiver(_ device: String, _ change: (inout Receiver) -> Void) {
    if receivers[device] == nil { order.append(device) }
    change(&receivers[device, default: Receiver()])
  }

  private mutating func add(fix line: GPSDLine, to device: String) {
    let report = line.report
    guard let mode = report.mode, mode >= 2, let latitude = report.lat, let longitude = report.lon else {
      withoutFix += 1
      return
    }
    guard report.status.flatMap(GPSDStatus.init(rawValue:))?.isMeasured != false else {
      notMeasured += 1
      return
    }
    guard let text = report.time, let time = ImportTime.utc(calendar: text) else {
      withoutTime += 1
      return
    }
    var height = height(report)
    if height.isNaN, mode >= 3, let level = report.altMSL ?? report.alt {
      height =
        level
        + EGM96.separation(
          GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, height: 0))
      seaLevelOnly += 1
    }
    let estimates = GPSDEstimates(
      eph: report.eph, epx: report.epx, epy: report.epy, epv: report.epv, hdop: receivers[device]?.hdop,
      status: report.status)
    let sigma = receivers[device].flatMap { $0.stated?.time == text ? $0.stated?.sigma : nil }
    let fix = GNSSFix(
      time: time, received: line.received,
      position: GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, height: height),
      positionSigma: sigma ?? estimates.positionSigma(), velocityNED: velocity(report)
    )
    receiver(device) { receiver in
      guard let last = receiver.fixes.indices.last, receiver.fixes[last].time == time else {
        receiver.fixes.append(fix)
        receiver.modes.append(mode)
        return
      }
      // A later report of the epoch knows more, unless it knows less.
      guard mode >= receiver.modes[last] else { return }
      var merged = fix
      let before = receiver.fixes[last]
      merged.received = before.received
      merged.velocityNED = merged.velocityNED ?? before.velocityNED
      merged.positionSigma = merged.positionSigma ?? before.positionSigma
      if merged.position.height.isNaN { merged.position.height = before.position.height }
      receiver.fixes[last] = merged
      receiver.modes[last] = mode
    }
  }

  private func height(_ report: GPSDReport) -> Double {
    guard report.mode ?? 0 >= 3 else { return .nan }
    if let height = report.altHAE { return height }
    // `alt` alone is above sea level in the versions that had no other.
    guard let level = report.altMSL ?? report.alt, let geoid = report.geoidSep else { return .nan }
    return level + geoid
  }

  private func velocity(_ report: GPSDReport) -> Vector3? {
    if let north = report.velN, let east = report.velE { return Vector3(north, east, report.velD ?? .nan) }
    guard let speed = report.speed, speed >= 0 else { return nil }
    return Vector3(speed: speed, courseDegrees: report.track ?? .nan, down: .nan, standsBelow: 0.1)
  }

  /// The fixes, without times of arrival where these are of a clock that is not right: a log played
  /// later, a host without time.
  private func timely(_ fixes: [GNSSFix], _ drive: inout DriveImport) -> [GNSSFix] {
    let delays = fixes.compactMap { fix in fix.received?.seconds(since: fix.time) }.sorted()
    guard let median = delays.isEmpty ? nil : delays[delays.count / 2] else { return fixes }
    let isRight = Self.usualDelay.contains(median)
    if !isRight {
      drive.notes.append(
        "fixes arrive \(median.rounded()) s after they hold by the host's clock: it was not right, and times of arrival are left out"
      )
    }
    return fixes.map { fix in
      var fix = fix
      if !isRight || fix.received.map({ $0 < fix.time }) == true { fix.received = nil }
      return fix
    }
  }

  /// Puts the fixes of the receiver with the most into `drive`.
  func finish(into drive: inout DriveImport) {
    let counts = order.compactMap { name in receivers[name].map { (name, $0) } }
    guard let chosen = counts.max(by: { $0.1.fixes.count < $1.1.fixes.count }) else { return }
    drive.fixes += timely(chosen.1.fixes, &drive)
    drive.sky += chosen.1.sky.samples
    for (name, receiver) in counts where name != chosen.0 && !receiver.fixes.isEmpty {
      drive.notes.append("\(receiver.fixes.count) fixes of another receiver, \(name), were left out")
    }
    let notes = [
      (withoutFix, "reports say that there is no fix"),
      (notMeasured, "positions were not measured (reckoned, surveyed in or simulated) and left out"),
      (withoutTime, "fixes have no time and were left out"),
      (seaLevelOnly, "fixes have a height above sea level only, brought to the ellipsoid by EGM96"),
      (inertial, "reports of an IMU have no time on the fixes' clock and were left out"),
      (otherLines, "lines are not JSON and were passed over"),
    ]
    drive.notes += notes.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    drive.description.gnss = "by gpsd" + (chosen.0.isEmpty ? "" : ", \(chosen.0)")
  }
}
