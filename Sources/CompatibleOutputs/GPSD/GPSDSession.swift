import Navigation

/// What one client of gpsd's protocol has asked for, and the answers to its requests. Pure:
/// bytes are moved elsewhere.
package struct GPSDSession {
  /// What the client wants to be sent.
  package struct Policy: Equatable {
    var isEnabled = false
    var json = false
    var nmea = false
    var raw = 0
    var scaled = false
    var timing = false
    var split24 = false
    var pps = false
    var device: String?
  }

  /// What is known when a request is answered.
  package struct State {
    var reports: GPSDReports
    /// Name and version of this program.
    var release: String
    /// When it started to serve, and now, in nanoseconds of UTC.
    var activated: Int64
    var now: Int64
    /// Newest report and sky.
    var report: PositionReport?
    var sky: SkyReport?
    /// Seconds between reports, where there were two.
    var interval: Double?

    package init(
      reports: GPSDReports, release: String, activated: Int64, now: Int64, report: PositionReport? = nil,
      sky: SkyReport? = nil, interval: Double? = nil
    ) {
      self.reports = reports
      self.release = release
      self.activated = activated
      self.now = now
      self.report = report
      self.sky = sky
      self.interval = interval
    }
  }

  package private(set) var policy = Policy()

  package init() {}

  /// Whether reports in JSON, and as NMEA, are to be sent. Raw is NMEA here: it is what a
  /// device of ours would send.
  package var wantsJSON: Bool { policy.isEnabled && policy.json }
  package var wantsNMEA: Bool { policy.isEnabled && (policy.nmea || policy.raw > 0) }

  /// The lines that answer a request, each ending in CR LF.
  package mutating func answer(_ request: GPSDRequest, _ state: State) -> [UInt8] {
    switch request {
    case .version: return Self.version(state)
    case .devices: return Self.devices(state)
    case .device(let path): return Self.device(path, state)
    case .watch(let change):
      if let change {
        if let device = change.device, !device.isEmpty, device != state.reports.device {
          return Self.error("No such device as \(device)")
        }
        apply(change)
      }
      return Self.devices(state) + watch()
    case .poll: return Self.poll(state)
    case .error(let message): return Self.error(message)
    }
  }

  private mutating func apply(_ change: GPSDRequest.WatchChange) {
    policy.isEnabled = change.enable
    policy.json = change.json ?? policy.json
    policy.nmea = change.nmea ?? policy.nmea
    policy.raw = min(2, max(0, change.raw ?? policy.raw))
    policy.scaled = change.scaled ?? policy.scaled
    policy.timing = change.timing ?? policy.timing
    policy.split24 = change.split24 ?? policy.split24
    policy.pps = change.pps ?? policy.pps
    if change.enable { policy.device = change.device ?? policy.device }
  }

  private func watch() -> [UInt8] {
    var object = JSONObject(class: "WATCH")
    object.boolean("enable", policy.isEnabled)
    object.boolean("json", policy.json)
    object.boolean("nmea", policy.nmea)
    object.integer("raw", policy.raw)
    object.boolean("scaled", policy.scaled)
    object.boolean("timing", policy.timing)
    object.boolean("split24", policy.split24)
    object.boolean("pps", policy.pps)
    if let device = policy.device { object.string("device", device) }
    return object.line
  }

  /// Protocol 3.14, which gpsd 3.22 speaks.
  static func version(_ state: State) -> [UInt8] {
    var object = JSONObject(class: "VERSION")
    object.string("release", state.release)
    object.string("rev", state.release)
    object.integer("proto_major", 3)
    object.integer("proto_minor", 14)
    return object.line
  }

  static func error(_ message: String) -> [UInt8] {
    var object = JSONObject(class: "ERROR")
    object.string("message", message)
    return object.line
  }

  private static func devices(_ state: State) -> [UInt8] {
    var object = JSONObject(class: "DEVICES")
    object.array("devices", [device(state).bytes])
    return object.line
  }

  private static func device(_ path: String?, _ state: State) -> [UInt8] {
    guard path == nil || path == state.reports.device else { return error("Can't open \(path ?? "").") }
    return device(state).line
  }

  /// One device, that has seen a GNSS packet (flag 1).
  private static func device(_ state: State) -> JSONObject {
    var object = JSONObject(class: "DEVICE")
    object.string("path", state.reports.device)
    object.string("driver", "Reckon")
    object.string("activated", CalendarTime.iso8601(utcNanoseconds: state.activated))
    object.integer("flags", 1)
    object.integer("native", 0)
    object.number("cycle", state.interval.map { min(max($0, 0.01), 3600) }, decimals: 2)
    return object
  }

  private static func poll(_ state: State) -> [UInt8] {
    var object = JSONObject(class: "POLL")
    object.string("time", CalendarTime.iso8601(utcNanoseconds: state.now))
    object.integer("active", 1)
    object.array("tpv", [state.reports.tpv(state.report)])
    object.array("gst", [])
    object.array("sky", [state.reports.sky(state.sky?.reading, utcNanoseconds: state.sky?.utcNanoseconds)])
    return object.line
  }
}
