import CLibgps
import CLibrary
import Navigation
import SensorEvents

/// Lines of gpsd's protocol to values, by libgps: the one file that touches its
/// structures. Owned by one thread.
package final class LibgpsDecoder {
  private let data: UnsafeMutablePointer<gps_data_t>

  package init() {
    guard let data = reckon_gps_new() else { fatalError("out of memory") }
    self.data = data
  }

  deinit { reckon_gps_free(data) }

  /// What a line says, which ends in NUL and is scratch afterwards; nil if it is unknown,
  /// broken or of no interest.
  package func decode(_ line: UnsafeMutablePointer<CChar>) -> GPSDReport? {
    guard let start = Self.start(of: line) else { return nil }
    if start == .devices { return .devices(devices(line)) }
    let leastCycle = start == .device ? reckon_gps_device_least_cycle(line) : 0
    let classes = reckon_gps_unpack(data, line)
    func has(_ bit: Int) -> Bool { classes & UInt32(bit) != 0 }
    if has(RECKON_GPS_TPV) { return .position(position()) }
    if has(RECKON_GPS_SKY) { return .sky(sky(), device: device) }
    if has(RECKON_GPS_GST) { return errors() }
    if has(RECKON_GPS_TOFF) { return offset(isPulse: false) }
    if has(RECKON_GPS_PPS) { return offset(isPulse: true) }
    if has(RECKON_GPS_DEVICE) {
      var found = GPSDDevice(path: device, isActive: reckon_gps_device_is_active(data) != 0)
      found.driver = String(cString: reckon_gps_device_driver(data))
      found.fastestCycle = known(leastCycle, in: 1e-3...1e3)
      return .device(found)
    }
    if has(RECKON_GPS_VERSION) {
      let release = String(cString: reckon_gps_release(data))
      return .version(release: release, protocolMajor: Int(reckon_gps_protocol(data)))
    }
    if has(RECKON_GPS_ERROR) { return .error(String(cString: reckon_gps_error(data))) }
    return nil
  }

  /// The classes that are handed to libgps, by how their lines begin; it sees no other, so that it
  /// cannot stumble over them.
  private enum Start: String, CaseIterable {
    case position = "TPV"
    case sky = "SKY"
    case errors = "GST"
    case offset = "TOFF"
    case pulse = "PPS"
    case device = "DEVICE"
    case devices = "DEVICES"
    case version = "VERSION"
    case error = "ERROR"
  }

  private static let starts = Start.allCases.map { (kind: $0, text: "{\"class\":\"\($0.rawValue)\"") }

  private static func start(of line: UnsafePointer<CChar>) -> Start? {
    starts.first { strncmp(line, $0.text, $0.text.utf8.count) == 0 }?.kind
  }

  /// The devices of a list, each decoded by itself: libgps 3.22 takes four at most, and never returns from a
  /// list with a fifth one or with a key that it does not know.
  private func devices(_ line: UnsafeMutablePointer<CChar>) -> [GPSDDevice] {
    var found: [GPSDDevice] = []
    var (depth, isText, isEscaped) = (0, false, false)
    var start = line
    var next = line
    while next.pointee != 0 {
      let byte = UInt8(bitPattern: next.pointee)
      if isText {
        isText = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      } else if byte == UInt8(ascii: "\"") {
        isText = true
      } else if byte == UInt8(ascii: "{") {
        depth += 1
        if depth == 2 { start = next }
      } else if byte == UInt8(ascii: "}") {
        if depth == 2, let device = listed(start, end: next + 1) { found.append(device) }
        depth -= 1
      }
      next += 1
    }
    return found
  }

  /// The device in one object of a list, which ends before `end`.
  private func listed(_ start: UnsafeMutablePointer<CChar>, end: UnsafeMutablePointer<CChar>) -> GPSDDevice? {
    let following = end.pointee
    end.pointee = 0
    defer { end.pointee = following }
    guard Self.start(of: start) == .device, case .device(let device)? = decode(start) else { return nil }
    return device
  }

  private var device: String { String(cString: reckon_gps_device(data)) }

  private func position() -> GPSDPosition {
    let fix = reckon_gps_get_fix(data)
    var position = GPSDPosition()
    position.device = device
    position.time = time(fix.time)
    position.mode = Int(fix.mode)
    position.status = GPSDStatus(rawValue: Int(fix.status)) ?? .unknown
    (position.latitude, position.longitude) = (fix.latitude, fix.longitude)
    (position.heightAboveEllipsoid, position.heightAboveSeaLevel) = (fix.altHAE, fix.altMSL)
    position.geoidHeight = fix.geoidSep
    (position.eph, position.epx, position.epy, position.epv) = (fix.eph, fix.epx, fix.epy, fix.epv)
    (position.eps, position.epd) = (fix.eps, fix.epd)
    (position.track, position.speed, position.climb) = (fix.track, fix.speed, fix.climb)
    (position.velocityNorth, position.velocityEast, position.velocityDown) = (fix.velN, fix.velE, fix.velD)
    return position
  }

  private func sky() -> SkyReading {
    let satellites = (0..<reckon_gps_satellite_count(data)).map { index in
      let from = reckon_gps_get_satellite(data, index)
      return SkyReading.Satellite(
        constellation: UInt8(clamping: from.constellation), number: Int16(clamping: from.number),
        elevationDegrees: known(from.elevation, in: -90...90),
        azimuthDegrees: known(from.azimuth, in: 0...360),
        strength: known(from.strength, in: 0...254), isUsed: from.used != 0)
    }
    return SkyReading(
      visible: satellites.count, used: satellites.count { $0.isUsed },
      hdop: known(reckon_gps_hdop(data), in: 0.01...99), satellites: satellites)
  }

  private func errors() -> GPSDReport? {
    let gst = reckon_gps_get_gst(data)
    guard let time = time(gst.time) else { return nil }
    return .errors(
      GPSDErrors(device: device, time: time, north: gst.latitude, east: gst.longitude, up: gst.altitude))
  }

  private func offset(isPulse: Bool) -> GPSDReport? {
    let offset = reckon_gps_get_offset(data)
    guard let receiver = time(offset.real), let realtime = time(offset.clock) else { return nil }
    return .offset(GPSDOffset(device: device, receiver: receiver, realtime: realtime, isPulse: isPulse))
  }

  private func known(_ value: Double, in range: ClosedRange<Double>) -> Double? {
    range ~= value ? value : nil
  }

  /// A time after 1970 that 64 bits of nanoseconds can hold (until 2262); libgps gives other ones
  /// for text that is no date.
  private func time(_ time: reckon_gps_time) -> Timestamp? {
    guard time.seconds > 0, time.seconds < Int64.max / 1_000_000_000, 0..<1_000_000_000 ~= time.nanoseconds
    else {
      return nil
    }
    return Timestamp(nanoseconds: time.seconds * 1_000_000_000 + time.nanoseconds)
  }
}
