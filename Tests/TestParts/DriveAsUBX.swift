import CLibrary
import Navigation

/// Fixes as a u-blox receiver sends them: NAV-PVT and, as the end of the epoch, NAV-EOE. (u-blox M8 protocol
/// specification, sections 32.17.15 and 32.17.6.)
package enum DriveAsUBX {
  /// GPS time began, and is ahead of UTC, by so many seconds.
  private static let epoch = 315_964_800, leapSeconds = 18

  /// The messages of a fix that holds at `unix` nanoseconds since 1970.
  package static func messages(_ fix: GNSSFix, unix: Int64) -> [UInt8] {
    let second = Int((Double(unix) * 1e-9).rounded(.down))
    let nanoseconds = Int(unix - Int64(second) * 1_000_000_000)
    var clock = time_t(second)
    var calendar = tm()
    gmtime_r(&clock, &calendar)
    let week = 604_800_000
    let milliseconds = ((second - epoch + leapSeconds) * 1000 + nanoseconds / 1_000_000) % week
    let velocity = fix.velocityNED ?? .zero
    let speed = velocity.horizontalNorm
    let course = Angle.degrees(radians: Angle.positive(atan2(velocity.y, velocity.x)))
    // The horizontal accuracy is of both axes together.
    let sigma = fix.positionSigma ?? Vector3(1, 1, 2)
    let horizontal = (sigma.x * sigma.x + sigma.y * sigma.y).squareRoot()

    var p = Payload()
    p.put(milliseconds, 4)
    p.put(Int(calendar.tm_year) + 1900, 2)
    for value in [calendar.tm_mon + 1, calendar.tm_mday, calendar.tm_hour, calendar.tm_min, calendar.tm_sec] {
      p.put(Int(value), 1)
    }
    p.put(0x07, 1)  // date, time and seconds are known
    p.put(20, 4)
    p.put(nanoseconds, 4)
    p.put(3, 1)  // three dimensions
    p.put(1, 1)
    p.put(0, 1)
    p.put(9, 1)  // satellites
    p.put(fix.position.longitudeDegrees, per: 1e-7)
    p.put(fix.position.latitudeDegrees, per: 1e-7)
    p.put(fix.position.height, per: 1e-3)
    p.put(fix.position.height - 47, per: 1e-3)
    for value in [horizontal, sigma.z, velocity.x, velocity.y, velocity.z, speed] { p.put(value, per: 1e-3) }
    p.put(course, per: 1e-5)
    p.put(fix.speedSigma ?? 0.1, per: 1e-3)
    p.put(1, per: 1e-5)
    p.put(130, 2)  // dilution of position, hundredths
    p.put(0, 2)
    p.put(0, 4)
    p.put(0, 4)
    p.put(0, 4)
    var end = Payload()
    end.put(milliseconds, 4)
    return frame(0x01, 0x07, p.bytes) + frame(0x01, 0x61, end.bytes)
  }

  private struct Payload {
    var bytes: [UInt8] = []

    /// The low `count` bytes, lowest first.
    mutating func put(_ value: Int, _ count: Int) {
      for i in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * i))) }
    }

    /// Four bytes in units of `step`.
    mutating func put(_ value: Double, per step: Double) { put(Int((value / step).rounded()), 4) }
  }

  private static func frame(_ kind: UInt8, _ id: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let body = [kind, id, UInt8(payload.count & 255), UInt8(payload.count >> 8)] + payload
    var (a, b) = (UInt8(0), UInt8(0))
    for byte in body {
      a &+= byte
      b &+= a
    }
    return [0xB5, 0x62] + body + [a, b]
  }
}
