import Navigation

/// Units that a column map may name, and what they are in those of a drive folder.
enum ColumnUnit {
  /// What a column of a drive folder measures, by the end of its name.
  enum Quantity: String {
    case time = "s"
    case angularRate = "rad/s"
    case acceleration = "m/s^2"
    case angle = "deg"
    case length = "m"
    case speed = "m/s"

    init?(column: String) {
      let endings: [(String, Quantity)] = [
        ("_rad_s", .angularRate), ("_m_s2", .acceleration), ("_m_s", .speed), ("_deg", .angle),
        ("_m", .length),
        ("_s", .time),
      ]
      guard let quantity = endings.first(where: { column.hasSuffix($0.0) })?.1 else { return nil }
      self = quantity
    }

    /// Units by name, with what one of them is in that of the drive folder. Those of time are powers
    /// of ten apart from `utc`.
    var units: [String: Double] {
      switch self {
      case .time: ["s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9]
      case .angularRate: ["rad/s": 1, "deg/s": .pi / 180, "mrad/s": 1e-3, "deg/h": .pi / 180 / 3600]
      case .acceleration: ["m/s^2": 1, "g": Gravity.standard, "mg": Gravity.standard * 1e-3]
      case .angle: ["deg": 1, "rad": 180 / .pi, "1e-7 deg": 1e-7]
      case .length: ["m": 1, "cm": 1e-2, "mm": 1e-3, "ft": 0.3048]
      case .speed:
        ["m/s": 1, "km/h": 1 / 3.6, "mph": 0.44704, "kn": 1852.0 / 3600, "cm/s": 1e-2, "mm/s": 1e-3]
      }
    }

    /// The names of the units, in order.
    var names: [String] { units.keys.sorted() + (self == .time ? ["utc"] : []) }
  }

  /// The power of ten by which a unit of time becomes nanoseconds.
  static func exponent(ofTime unit: String) -> Int {
    switch unit {
    case "ms": 6
    case "us": 3
    case "ns": 0
    default: 9
    }
  }
}
