import Navigation

/// The body of one NMEA sentence in the making: the address and its fields; what is not
/// known is an empty field.
struct Sentence {
  private(set) var text = ASCIIText(reserving: 96)

  init(_ address: String) { text.append(address) }

  mutating func field(_ value: String) {
    text.append(",")
    text.append(value)
  }

  mutating func number(_ value: Double?, decimals: Int) {
    text.append(",")
    guard let value, let units = ASCIIText.units(value, decimals: decimals) else { return }
    text.append(units: units, decimals: decimals)
  }

  mutating func integer(_ value: Int, digits: Int) {
    text.append(",")
    text.append(Int64(value), digits: digits)
  }

  /// hhmmss.ss
  mutating func time(_ time: CalendarTime?) {
    text.append(",")
    guard let time else { return }
    text.append(time.hour, digits: 2)
    text.append(time.minute, digits: 2)
    text.append(time.second, digits: 2)
    text.append(".")
    text.append(time.fraction, digits: 2)
  }

  /// ddmmyy
  mutating func date(_ time: CalendarTime?) {
    text.append(",")
    guard let time else { return }
    text.append(time.date.day, digits: 2)
    text.append(time.date.month, digits: 2)
    text.append(((time.date.year % 100) + 100) % 100, digits: 2)
  }

  /// Latitude, its side, longitude, its side: four fields.
  mutating func position(_ solution: NavigationSolution?) {
    guard let solution else {
      for _ in 0..<4 { field("") }
      return
    }
    angle(solution.position.latitudeDegrees, degreeDigits: 2, sides: ("N", "S"))
    angle(solution.wrappedLongitudeDegrees, degreeDigits: 3, sides: ("E", "W"))
  }

  /// Course in degrees, 0.0 to 359.9; empty where there is none.
  mutating func course(_ solution: NavigationSolution?) {
    number(
      solution?.knownCourseDegrees.map { GPSDReports.belowWholeTurn($0, decimals: 1) }, decimals: 1)
  }

  /// Degrees and minutes with six decimals (2 mm). They are taken apart after
  /// rounding: no 60.000000, no −0.
  private mutating func angle(_ degrees: Double, degreeDigits: Int, sides: (String, String)) {
    let perMinute: Int64 = 1_000_000
    guard let total = ASCIIText.units(degrees * 60, decimals: 6) else {
      field("")
      field("")
      return
    }
    let magnitude = abs(total)
    text.append(",")
    text.append(magnitude / (60 * perMinute), digits: degreeDigits)
    text.append(units: magnitude % (60 * perMinute), decimals: 6, digits: 2)
    field(total < 0 ? sides.1 : sides.0)
  }
}
