import Navigation

/// One satellite at one time, as the receiver saw it; what is not known is nil.
public struct SatelliteSample: Sendable, Equatable {
  /// When.
  public var time: Timestamp
  /// gpsd's and u-blox's number of the constellation: 0 GPS, 1 SBAS, 2 Galileo, 3 BeiDou, 5 QZSS, 6 GLONASS, 7 NavIC.
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

  init(time: Timestamp, cells: UnsafePointer<Double>) {
    self.init(
      time: time, constellation: UInt8(min(255, max(0, cells[1]))),
      number: Int16(min(32_767, max(-32_768, cells[2]))))
    elevationDegrees = cells[3].known
    azimuthDegrees = cells[4].known
    strength = cells[5].known
    isUsed = cells[6].known.map { $0 != 0 }
  }
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
