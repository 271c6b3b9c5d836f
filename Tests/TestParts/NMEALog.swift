/// A small NMEA log of our own: a car that drives on.
package enum NMEALog {
  /// One second of it.
  package struct Epoch {
    package var text: String
    package var latitudeDegrees: Double
    package var longitudeDegrees: Double
    package var heightAboveSeaLevel: Double
    package var speed: Double
    package var trackDegrees: Double
    /// Seconds since 2024-06-01 12:00:00 UTC.
    package var second: Int
  }

  package static func drive(seconds: Int) -> [Epoch] {
    (0..<seconds).map { second in
      let latitude = 52.5 + Double(second) * 1e-4
      let longitude = 13.4 + Double(second) * 2e-4
      let height = 40.0 + Double(second) / 10
      let clock = 12 * 3600 + second
      let time = "\(pad(clock / 3600))\(pad(clock / 60 % 60))\(pad(clock % 60)).00"
      let place = "\(degrees(latitude, 2)),N,\(degrees(longitude, 3)),E"
      let text =
        sentence("GPRMC,\(time),A,\(place),29.16,050.6,010624,,,A")
        + sentence("GPGGA,\(time),\(place),1,08,0.9,\(fixed(height, 1)),M,44.6,M,,")
        + sentence("GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.8,0.9,1.5")
        + sentence("GPGST,\(time),2.0,4.0,2.5,30.0,3.1,2.6,5.5")
        + sentence("GPGSV,1,1,03,01,40,083,46,02,17,308,41,12,07,344,39")
      return Epoch(
        text: text, latitudeDegrees: latitude, longitudeDegrees: longitude, heightAboveSeaLevel: height,
        speed: 29.16 * 1852 / 3600, trackDegrees: 50.6, second: second)
    }
  }

  package static func sentence(_ body: String) -> String {
    let sum = body.utf8.reduce(0, ^)
    let hex = String(sum, radix: 16, uppercase: true)
    return "$\(body)*\(hex.count < 2 ? "0" : "")\(hex)\r\n"
  }

  static func pad(_ value: Int, _ width: Int = 2) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  static func fixed(_ value: Double, _ decimals: Int) -> String {
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    let units = Int((abs(value) * Double(scale)).rounded())
    return "\(value < 0 ? "-" : "")\(units / scale).\(pad(units % scale, decimals))"
  }

  private static func degrees(_ value: Double, _ width: Int) -> String {
    let minutes = Int((value * 60 * 1e5).rounded())
    let perDegree = 60 * 100_000
    return
      "\(pad(minutes / perDegree, width))\(pad(minutes % perDegree / 100_000)).\(pad(minutes % 100_000, 5))"
  }
}
