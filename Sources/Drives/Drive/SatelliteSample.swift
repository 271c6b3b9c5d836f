import Navigation

/// One satellite at one time, as the receiver saw it; what is not known is nil.
public struct SatelliteSample: Sendable, Equatable {
  /// When.
  public var time: Timestamp
  /// gpsd's and u-blox's number of the constellation: 0 GPS, 1 SBAS, 2 Galileo, 3 BeiDou, 5
  /// QZSS, 6 GLONASS, 7 NavIC.
  public var constellation: UInt8
  /// Its number within the constellation.
  public var number: Int16
  /// Above the horizon, degrees.
  public var elevationDegrees: Double?
  /// From north through east, degrees.
  public var azimuthDegrees: Double?
  /// Carrier to noise density, dB-Hz.
  public var strength: Double?
  /// Whether the fix uses it.
  public var isUsed: Bool?

  /// A satellite of which no more is known than that it is there.
  public init(time: Timestamp, constellation: UInt8, number: Int16) {
    (self.time, self.constellation, self.number) = (time, constellation, number)
  }
}

extension SatelliteSample: TableRow {
  static let file = "sky.csv"
  static let required = ["time_s", "gnss_id", "satellite"]
  static let optional = ["elevation_deg", "azimuth_deg", "strength_db_hz", "used"]
  /// A row a satellite.
  static let sharesTimes = true

  /// The table has passed constellation and number within their ranges only.
  init(time: Timestamp, cells: UnsafePointer<Double>) {
    self.init(time: time, constellation: UInt8(cells[1]), number: Int16(cells[2]))
    elevationDegrees = Self.elevation(cells[3])
    azimuthDegrees = Self.azimuth(cells[4])
    strength = Self.strength(cells[5])
    isUsed = cells[6].known.map { $0 != 0 }
  }

  /// The value if a satellite can stand there, or be so strong: receivers write 91°, 511° or 0 dB-Hz
  /// for what they do not know.
  static func elevation(_ value: Double) -> Double? { -90...90 ~= value ? value : nil }
  static func azimuth(_ value: Double) -> Double? { 0...360 ~= value ? value : nil }
  static func strength(_ value: Double) -> Double? { value > 0 && value < 100 ? value : nil }
}

extension RowWriter {
  mutating func write(_ sample: SatelliteSample) throws(DriveError) {
    begin(sample.time)
    required(Double(sample.constellation), decimals: 0)
    required(Double(sample.number), decimals: 0)
    cell(sample.elevationDegrees, decimals: 1)
    cell(sample.azimuthDegrees, decimals: 1)
    cell(sample.strength, decimals: 1)
    cell(sample.isUsed.map { $0 ? 1 : 0 }, decimals: 0)
    try end()
  }
}
