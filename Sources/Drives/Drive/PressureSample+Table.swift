import Navigation

extension PressureSample: TableRow {
  static let file = SensorKind.pressure.file
  static let required = ["time_s", "pressure_pa"]
  static let optional: [String] = []

  init(time: Timestamp, cells: UnsafePointer<Double>) {
    self.init(time: time, pressure: cells[1])
  }
}

extension RowWriter {
  /// Two decimals: 0.01 Pa is 1 mm of air.
  mutating func write(_ sample: PressureSample) throws(DriveError) {
    begin(sample.time)
    required(sample.pressure, decimals: 2)
    try end()
  }
}
