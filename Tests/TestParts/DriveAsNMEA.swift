import CLibrary
import Navigation

/// Fixes as the sentences of a receiver: RMC, GGA and GST of each.
package enum DriveAsNMEA {
  /// The sentences of a fix that holds at `unix` seconds since 1970.
  package static func text(_ fix: GNSSFix, unix: Double) -> String {
    var seconds = time_t(unix)
    var calendar = tm()
    gmtime_r(&seconds, &calendar)
    let thousandths = Int(((unix - Double(seconds)) * 1000).rounded())
    let time =
      pad(Int(calendar.tm_hour)) + pad(Int(calendar.tm_min)) + pad(Int(calendar.tm_sec)) + "."
      + pad(thousandths, 3)
    let date =
      pad(Int(calendar.tm_mday)) + pad(Int(calendar.tm_mon) + 1) + pad(Int(calendar.tm_year) % 100)
    let position = fix.position
    let place =
      "\(angle(position.latitudeDegrees, 2)),\(position.latitude < 0 ? "S" : "N"),"
      + "\(angle(position.longitudeDegrees, 3)),\(position.longitude < 0 ? "W" : "E")"
    let velocity = fix.velocityNED ?? .zero
    let knots = velocity.horizontalNorm * 3600 / 1852
    let course = Angle.degrees(radians: Angle.positive(atan2(velocity.y, velocity.x)))
    let sigma = fix.positionSigma ?? .init(1, 1, 2)
    return NMEALog.sentence("GPRMC,\(time),A,\(place),\(fixed(knots, 4)),\(fixed(course, 4)),\(date),,,A")
      + NMEALog.sentence("GPGGA,\(time),\(place),1,09,0.9,\(fixed(position.height, 3)),M,0.0,M,,")
      + NMEALog.sentence("GPGSA,A,3,01,02,03,04,05,06,07,08,09,,,,1.6,0.9,1.3")
      + NMEALog.sentence(
        "GPGST,\(time),\(fixed(sigma.x, 2)),,,,\(fixed(sigma.x, 3)),\(fixed(sigma.y, 3)),\(fixed(sigma.z, 3))"
      )
  }

  private static func angle(_ degrees: Double, _ width: Int) -> String {
    let units = Int((abs(degrees) * 60 * 1e7).rounded())
    let whole = units / 600_000_000
    let rest = units % 600_000_000
    return "\(pad(whole, width))\(pad(rest / 10_000_000)).\(pad(rest % 10_000_000, 7))"
  }

  private static func fixed(_ value: Double, _ decimals: Int) -> String { NMEALog.fixed(value, decimals) }
  private static func pad(_ value: Int, _ width: Int = 2) -> String { NMEALog.pad(value, width) }
}
