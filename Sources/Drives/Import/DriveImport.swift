import Navigation

/// A drive as another format had it, in memory and on its way into a folder.
///
/// Times are of one clock that the importer chooses, most often UTC since 1970; ``write(to:overwriting:)``
/// moves their zero to the drive's start.
public struct DriveImport: Sendable {
  /// What drive.json is to say.
  public var description: DriveDescription
  /// Angular rate and specific force, in the axes that ``description`` names.
  public var inertial: [InertialSample] = []
  /// Fixes.
  public var fixes: [GNSSFix] = []
  /// Speeds of the wheels.
  public var wheel: [WheelSample] = []
  /// Air pressures.
  public var pressure: [PressureSample] = []
  /// The truth.
  public var truth: [TruthSample] = []
  /// Another system's own solution.
  public var receiver: [TruthSample] = []
  /// The satellites that the receiver saw, a row a satellite and time.
  public var sky: [SatelliteSample] = []
  /// What could not be used, a file each.
  public var rejections: [ImportRejections] = []
  /// What else is worth knowing; goes into drive.json as well.
  public var notes: [String] = []
  /// Whether times count from 1970, so that the start can be told as a date.
  public var isUTC = false
  /// What must be added to the times to get UTC, ns, where they count from something else and it is known.
  var utcOffset: Int64?

  /// A drive that holds nothing yet.
  public init(name: String) {
    description = DriveDescription(name: name, kind: .real)
  }

  /// Writes the drive folder whole or not at all, and says what it holds.
  ///
  /// Each kind is put in order of time, and what repeats a time is left out and counted; inertial samples
  /// only where they repeat the values too. Where there is nothing but truth there is no drive.
  public mutating func write(to path: String, overwriting: Bool = false) throws(DriveError) {
    tidy()
    guard let start = firstTime else { throw .nothingToImport(path: description.name) }
    var description = description
    if !isUTC, utcOffset == nil {
      notes.append(
        "drive.json has no start_utc, because nothing in the source tells when it was: tracks of this drive have no times of day. "
          + "Write it there if you know it, as in \"start_utc\": \"2026-03-01T12:00:00.000Z\".")
    }
    description.notes += notes
    if description.imu?.rateHz == nil, let rate { description.imu?.rateHz = rate }
    if let utcOffset = isUTC ? 0 : utcOffset {
      // To a millisecond, which is all that the text of it tells.
      let utc = UTC.rounded(UTC.unix(start, origin: Timestamp(nanoseconds: utcOffset)))
      description.startUTC = utc
      description.leapSeconds = Int(ImportTime.leapSeconds(unix: utc.nanoseconds / 1_000_000_000))
      description.notes.append("time 0 is \(UTC.text(Timestamp(nanoseconds: 0), origin: utc))")
    }
    try DriveFolder.replace(path, overwriting: overwriting) { folder throws(DriveError) in
      var writer = try DriveWriter(
        path: folder, description: description, hasWheelYawRate: wheel.contains { $0.yawRate != nil })
      for sample in inertial { try writer.write(.inertial(sample.counted(from: start))) }
      for var fix in fixes {
        fix.received = fix.received?.counted(from: start)
        try writer.write(.gnss(fix.counted(from: start)))
      }
      for sample in wheel { try writer.write(.wheel(sample.counted(from: start))) }
      for sample in pressure { try writer.write(.pressure(sample.counted(from: start))) }
      for sample in truth { try writer.write(sample.counted(from: start)) }
      for sample in receiver { try writer.write(receiver: sample.counted(from: start)) }
      for sample in sky { try writer.write(sample.counted(from: start)) }
      try writer.finish()
    }
  }

  /// One line: what it holds.
  public var summary: String {
    let counts = [
      (inertial.count, "inertial samples"), (fixes.count, "fixes"), (wheel.count, "wheel speeds"),
      (pressure.count, "pressures"), (truth.count, "points of truth"),
      (receiver.count, "points of another system"), (sky.count, "sightings of satellites"),
    ]
    return counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  /// Start of the drive: the first measurement, to a whole second below.
  private var firstTime: Timestamp? {
    let first = [inertial.first?.time, fixes.first?.time, wheel.first?.time, pressure.first?.time].compactMap
    { $0 }.min()
    return first.map { time in
      let rest = time.nanoseconds % 1_000_000_000
      return Timestamp(nanoseconds: time.nanoseconds - (rest < 0 ? rest + 1_000_000_000 : rest))
    }
  }

  private var rate: Double? {
    guard inertial.count > 2, let first = inertial.first, let last = inertial.last else { return nil }
    let rate = Double(inertial.count - 1) / last.time.seconds(since: first.time)
    return (rate * 10).rounded() / 10
  }

  private mutating func tidy() {
    leaveOut(from: \.inertial, "inertial samples") { sample in
      Self.isPossible(sample.time) && sample.angularRate.isFinite && sample.specificForce.isFinite
    }
    leaveOut(from: \.fixes, "fixes") { fix in
      Self.isPossible(fix.time) && fix.received.map(Self.isPossible) ?? true && fix.position.isPossible
    }
    leaveOut(from: \.wheel, "wheel speeds") { Self.isPossible($0.time) && $0.speed.isFinite }
    leaveOut(from: \.pressure, "pressures") { Self.isPossible($0.time) && $0.pressure.isFinite }
    leaveOut(from: \.truth, "points of truth") { Self.isPossible($0.time) && $0.position.isPossible }
    leaveOut(from: \.receiver, "points of another system") {
      Self.isPossible($0.time) && $0.position.isPossible
    }
    leaveOut(from: \.sky, "sightings of satellites") { Self.isPossible($0.time) }
    sky.sort { $0.time < $1.time }
    // Where a driver empties a FIFO many samples bear the time of the read; the engine spaces them.
    inertial = Self.ordered(inertial, "inertial samples", &notes) { $0.isSame(as: $1) }
    fixes = Self.ordered(fixes, "fixes", &notes)
    wheel = Self.ordered(wheel, "wheel speeds", &notes)
    pressure = Self.ordered(pressure, "pressures", &notes)
    truth = Self.ordered(truth, "points of truth", &notes)
    receiver = Self.ordered(receiver, "points of another system", &notes)
  }

  /// Whether a time lies so far from the ends of a count of nanoseconds that differences of such times fit
  /// too: 140 years from 1970.
  private static func isPossible(_ time: Timestamp) -> Bool { abs(time.seconds) < 4.4e9 }

  /// Leaves out the rows that are not `good`, and says how many.
  private mutating func leaveOut<Row>(
    from rows: WritableKeyPath<DriveImport, [Row]>, _ name: String, unless good: (Row) -> Bool
  ) {
    let count = self[keyPath: rows].count
    self[keyPath: rows].removeAll { !good($0) }
    let left = count - self[keyPath: rows].count
    guard left > 0 else { return }
    notes.append(
      "\(name): \(left) have a time more than 140 years from zero, a value that is not finite, "
        + "or a latitude or longitude out of range: left out"
    )
  }

  /// Puts rows in order of time, to the microsecond that a drive tells apart, and leaves out those that have
  /// the time of the one before and are a repeat of it.
  private static func ordered<Row: TableRow>(
    _ rows: [Row], _ name: String, _ notes: inout [String],
    isRepeat: ((Row, Row) -> Bool)? = nil
  ) -> [Row] {
    let microsecond = { (row: Row) in (row.time.nanoseconds + 500) / 1000 }
    var rows = rows
    let back = zip(rows, rows.dropFirst()).count { microsecond($0.1) < microsecond($0.0) }
    if back > 0 {
      notes.append("\(name): the time went back \(back) times; they were sorted")
      // Stable, so that of one time the first stays.
      rows = rows.enumerated()
        .sorted { (microsecond($0.element), $0.offset) < (microsecond($1.element), $1.offset) }
        .map(\.element)
    }
    var kept: [Row] = []
    kept.reserveCapacity(rows.count)
    for row in rows {
      let isSameTime = kept.last.map(microsecond) == microsecond(row)
      if isSameTime, let last = kept.last, isRepeat?(last, row) ?? true { continue }
      kept.append(row)
    }
    if kept.count < rows.count {
      let what = isRepeat == nil ? "repeat the time" : "repeat time and values"
      notes.append("\(name): \(rows.count - kept.count) \(what) of the one before and were left out")
    }
    return kept
  }
}

/// Rows of one file that could not be used.
public struct ImportRejections: Sendable, Equatable {
  /// The file.
  public var file: String
  /// Rows used.
  public var accepted = 0
  /// Rows left out.
  public var rejected = 0
  /// What was wrong with the first of them.
  public var first: DriveError?

  /// Nothing rejected so far.
  public init(file: String) { self.file = file }

  /// A line about them; nil where all is well.
  public var remark: String? {
    guard rejected > 0 else { return nil }
    return "\(file): \(rejected) of \(accepted + rejected) rows were left out"
      + (first.map { "; the first: \($0)" } ?? "")
  }

  /// Counts a row that `take` can use, or why it cannot.
  mutating func count(_ take: () throws(DriveError) -> Void) {
    do throws(DriveError) {
      try take()
      accepted += 1
    } catch { reject(error) }
  }

  mutating func reject(_ reason: DriveError) {
    rejected += 1
    if first == nil { first = reason }
  }

  /// Throws what was wrong first where it is not a matter of a few rows: then the file is
  /// another than was thought.
  func check() throws(DriveError) {
    if let first, rejected > accepted { throw first }
  }
}

extension Timestamp {
  /// The same moment where time counts from `start`.
  fileprivate func counted(from start: Timestamp) -> Timestamp {
    Timestamp(nanoseconds: nanoseconds - start.nanoseconds)
  }
}

extension TableRow {
  /// The same row where time counts from `start`.
  fileprivate func counted(from start: Timestamp) -> Self {
    var row = self
    row.time = time.counted(from: start)
    return row
  }
}

extension InertialSample {
  /// Whether another one says the same.
  fileprivate func isSame(as other: Self) -> Bool {
    angularRate == other.angularRate && specificForce == other.specificForce
  }
}

extension GeodeticPosition {
  /// Whether latitude and longitude are angles on Earth.
  fileprivate var isPossible: Bool { abs(latitude) <= .pi / 2 && abs(longitude) <= 2 * .pi }
}
