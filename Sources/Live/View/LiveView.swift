import Fusion
import SensorEvents

/// A live status as text for people: pure, whoever shows it.
public struct LiveView: Sendable {
  /// What is shown.
  public var status: LiveStatus
  /// UTC as text, if it is known.
  public var utc: String?
  /// Columns that there are.
  public var columns: Int

  /// The text of `status` in so many columns.
  public init(_ status: LiveStatus, utc: String? = nil, columns: Int = 80) {
    self.status = status
    self.utc = utc
    self.columns = max(40, columns)
  }

  /// A screen, line by line.
  public var lines: [String] {
    var lines = [row("time", timeText)]
    lines += [row("mode", modeText), row("position", positionText), row("accuracy", accuracyText)]
    lines += [row("motion", motionText), row("satellites", satelliteText)]
    lines += rows("learned", learnedParts)
    lines += rows("needs", status.needs.isEmpty ? ["nothing more"] : status.needs.map(\.text))
    lines += rows("clocks", clockParts)
    lines.append("sensors")
    if status.sources.isEmpty { lines.append("  none") }
    for source in status.sources { lines += SourceLine(source, isUsed: isUsed(source.id)).lines(columns) }
    return lines.map { Figures.cut($0, to: columns) }
  }

  /// All of it in one line, for a log.
  public var line: String {
    var parts: [String] = []
    if let utc { parts.append(utc) }
    parts.append(modeName + contradictionText)
    if let s = status.solution {
      parts.append(
        "\(Figures.fixed(s.position.latitudeDegrees, 7)) \(Figures.fixed(s.position.longitudeDegrees, 7))")
      parts.append("±\(Figures.fixed(s.horizontalAccuracy, 1)) m")
      if s.isHeightKnown { parts.append("height \(Figures.fixed(s.position.height, 1)) m") }
      parts.append("\(Figures.fixed(s.speed, 1)) m/s")
      if s.speed > 0.5 {
        let course = Angle.degrees(radians: s.course).rounded()
        parts.append("\(Figures.fixed(course < 360 ? course : 0, 0))°")
      }
    }
    if let sky = status.sky { parts.append("\(sky.used)/\(sky.visible) satellites") }
    var text = parts.joined(separator: "  ")
    let sensors = status.sources.map { source in
      let rate = source.state == .streaming ? source.rate.map { "\(Figures.fixed($0, 0)) Hz" } : nil
      if source.state == .streaming, source.isMostlyRefused {
        return
          "\(source.name) \(source.refusals.impossible) of \(source.received) samples refused for their times"
      }
      return "\(source.name) \(rate ?? source.state.name)"
    }
    if !sensors.isEmpty { text += "  [" + sensors.joined(separator: ", ") + "]" }
    if !status.needs.isEmpty { text += "  needs: " + status.needs.map(\.text).joined(separator: "; ") }
    return text
  }

  // MARK: Parts

  private var timeText: String {
    var text = utc.map { "\($0) UTC" } ?? "not known yet"
    switch status.utc?.authority {
    case nil: break
    case .system: text += " by the computer's clock"
    case .messages: text += " by the receiver"
    case .pulses: text += " by the receiver's pulses"
    }
    if let uncertainty = status.utc?.uncertainty { text += ", ±\(Figures.short(seconds: uncertainty))" }
    return text
  }

  private var modeName: String {
    switch status.solution?.mode {
    case nil: "no position yet"
    case .aligning: "position only, heading not known yet"
    case .aided: "fused with fixes"
    case .deadReckoning: "dead reckoning"
    case .stationary: "standing"
    case .carried: "carried"
    }
  }

  private var modeText: String {
    var text = modeName + contradictionText
    if let age = status.fixAge, status.solution != nil {
      text += age > 2.5 ? ", last fix \(Figures.short(seconds: age)) ago" : ""
    }
    if let quiet = status.quietFor, quiet > 1 {
      text += ", no sensor speaks for \(Figures.short(seconds: quiet))"
    }
    return text
  }

  /// One fix that is off is nobody's news.
  private var contradictionText: String {
    let count = status.measurements[.gnssPosition].contradictions
    return count < 3 ? "" : ", \(count) fixes in a row lie elsewhere"
  }

  private var positionText: String {
    guard let solution = status.solution else { return "–" }
    let position = solution.position
    let north = Figures.fixed(abs(position.latitudeDegrees), 7) + (position.latitude < 0 ? "° S" : "° N")
    let east = Figures.fixed(abs(position.longitudeDegrees), 7) + (position.longitude < 0 ? "° W" : "° E")
    return "\(north)  \(east)"
      + (solution.isHeightKnown ? "  \(Figures.fixed(position.height, 1)) m above the ellipsoid" : "")
  }

  private var accuracyText: String {
    guard let s = status.solution else { return "–" }
    return
      "\(Figures.fixed(s.horizontalAccuracy, 2)) m (68 %), \(Figures.fixed(s.horizontalAccuracy95, 2)) m "
      + "(95 %), height " + (s.isHeightKnown ? "±\(Figures.fixed(s.verticalAccuracy, 1)) m" : "not known yet")
  }

  private var motionText: String {
    guard let s = status.solution else { return "–" }
    func degrees(_ radians: Double, _ decimals: Int = 1) -> String {
      Figures.fixed(Angle.degrees(radians: radians), decimals) + "°"
    }
    var text = "\(Figures.fixed(s.speed, 2)) m/s (\(Figures.fixed(s.speed * 3.6, 0)) km/h)"
    if s.speed > 0.5 { text += ", course \(degrees(s.course)) ±\(degrees(s.courseAccuracy))" }
    if s.isAligned { text += ", heading \(degrees(s.heading)) ±\(degrees(s.headingAccuracy))" }
    return text
  }

  private var satelliteText: String {
    guard let sky = status.sky else { return "–" }
    var text = "\(sky.used) used of \(sky.visible) seen"
    if let hdop = sky.hdop { text += ", HDOP \(Figures.fixed(hdop, 1))" }
    let strengths = sky.satellites.filter(\.isUsed).compactMap(\.strength).sorted()
    if !strengths.isEmpty {
      text += ", median strength \(Figures.fixed(strengths[strengths.count / 2], 0)) dB-Hz"
    }
    return text
  }

  private var learnedParts: [String] {
    guard let c = status.calibration else { return ["nothing yet"] }
    func degrees(_ radians: Double, _ decimals: Int) -> String {
      Figures.fixed(Angle.degrees(radians: radians), decimals)
    }
    let sigma = max(c.gyroBias.sigma.x, c.gyroBias.sigma.y, c.gyroBias.sigma.z)
    var parts = [
      "gyroscope bias to \(degrees(sigma, 3)) °/s", "scale to \(Figures.fixed(c.gyroScale.sigma * 100, 1)) %",
    ]
    if c.vehicleFromBody != nil {
      parts.append(
        "mounting to \(degrees(c.mountingPitchSigma, 1))° pitch, \(degrees(c.mountingYawSigma, 1))° yaw")
    }
    if c.odometerScale.sigma < 0.02 {
      parts.append(
        "wheels \(Figures.fixed(c.odometerScale.value * 100, 2)) % ±\(Figures.fixed(c.odometerScale.sigma * 100, 2))"
      )
    }
    if c.wheelTurnsPerMetre != nil { parts.append("speed from the wheels' shaking") }
    return parts
  }

  private var clockParts: [String] {
    var parts: [String] = []
    for clock in status.clocks {
      let ppm = "\(clock.drift < 0 ? "" : "+")\(Figures.fixed(clock.drift * 1e6, 1)) ppm"
      let steps = clock.steps == 0 ? "" : ", set \(clock.steps) times"
      switch clock.kind {
      case .receiver:
        parts.append("receiver ±\(Figures.short(seconds: clock.uncertainty)), \(ppm)\(steps)")
      case .realtime:
        parts.append("system clock ±\(Figures.short(seconds: clock.uncertainty))\(steps)")
      case .host, .monotonic, .tai: break
      }
    }
    return parts.isEmpty ? ["–"] : parts
  }

  private func isUsed(_ id: SourceID) -> Bool {
    id == status.inertialSource || id == status.fixSource || id == status.wheelSource
      || id == status.pressureSource
  }

  // MARK: Lines

  private static let indent = 12

  private func row(_ head: String, _ text: String) -> String { Figures.padded(head, Self.indent) + text }

  /// Parts with semicolons between, on as many lines as they need.
  private func rows(_ head: String, _ parts: [String]) -> [String] {
    var lines: [String] = []
    var current = ""
    for (i, part) in parts.enumerated() {
      let piece = i + 1 < parts.count ? part + ";" : part
      if !current.isEmpty, Self.indent + current.count + 1 + piece.count > columns {
        lines.append(current)
        current = piece
      } else {
        current += (current.isEmpty ? "" : " ") + piece
      }
    }
    lines.append(current)
    return lines.enumerated().map { row($0.offset == 0 ? head : "", $0.element) }
  }
}
