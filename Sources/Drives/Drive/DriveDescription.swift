import Navigation

/// What drive.json says of a drive.
public struct DriveDescription: Codable, Sendable, Equatable {
  /// Where the measurements come from.
  public enum Kind: String, Codable, Sendable {
    /// All of them measured in a car.
    case real
    /// Some measured, some made.
    case hybrid
    /// All of them made.
    case simulated
  }
  /// The inertial sensor.
  public struct IMU: Codable, Sendable, Equatable {
    /// Maker's name of the part, or what is known of it.
    public var model: String?
    /// Samples per second.
    public var rateHz: Double?
    /// Axes of imu.csv: the first word is an ``IMUFrame``, the rest is prose.
    public var frame: String?

    /// An inertial sensor.
    public init(model: String? = nil, rateHz: Double? = nil, frame: String? = nil) {
      self.model = model
      self.rateHz = rateHz
      self.frame = frame
    }
  }
  /// How good the truth is.
  public struct Truth: Codable, Sendable, Equatable {
    /// The point that truth.csv follows: `antenna`, `imu` or `camera`.
    public var reference: String?
    /// Standard deviation of the true horizontal position in metres.
    public var horizontalSigmaMetres: Double?
    /// Where the true yaw comes from.
    public var yaw: String?
    /// Whether the truth was found without the fixes of gnss.csv.
    public var independentOfGNSS: Bool?

    /// A truth; what is not known is nil.
    public init(
      reference: String? = nil, horizontalSigmaMetres: Double? = nil, yaw: String? = nil,
      independentOfGNSS: Bool? = nil
    ) {
      self.reference = reference
      self.horizontalSigmaMetres = horizontalSigmaMetres
      self.yaw = yaw
      self.independentOfGNSS = independentOfGNSS
    }
  }

  /// Short name of the drive.
  public var name: String
  /// Where the measurements come from; nil where the file does not say.
  public var kind: Kind?
  /// Where it was driven.
  public var place: String?
  /// UTC at the zero of the drive's times, as a count from 1970 without leap seconds; nil where it is not
  /// known.
  public var startUTC: Timestamp?
  /// Seconds by which GPS time was ahead of UTC then.
  public var leapSeconds: Int?
  /// Who published it, or the scenario and seed.
  public var source: String?
  /// Terms of use.
  public var licence: String?
  /// Whether the terms let others have it.
  public var redistributable: Bool?
  /// The inertial sensor, if there is one.
  public var imu: IMU?
  /// Antenna from the IMU in metres forward, right, down, where it has been measured.
  public var antennaLeverArm: Vector3?
  /// The receiver.
  public var gnss: String?
  /// The wheel sensors.
  public var wheel: String?
  /// The barometer.
  public var barometer: String?
  /// How good truth.csv is.
  public var truth: Truth?
  /// What else is worth knowing.
  public var notes: [String]
  /// Sentences about keys of the file that are not known and say nothing here, and about files that are
  /// packed; not written.
  public internal(set) var ignoredKeys: [String] = []

  /// A drive of which only the name is known.
  public init(name: String, kind: Kind? = nil) {
    self.name = name
    self.kind = kind
    notes = []
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case name, kind, place, source, licence, redistributable, imu, gnss, wheel, barometer, truth, notes
    case antennaLeverArm = "antennaLeverArmMetres"
    case startUTC = "start_utc"
    case leapSeconds = "leap_seconds"
  }

  /// Reads drive.json: `name` is needed, unknown keys are ignored, `notes` may be one string.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: CodingKeys.self)
    name = try object.decode(String.self, forKey: .name)
    kind = try object.decodeIfPresent(Kind.self, forKey: .kind)
    place = try object.decodeIfPresent(String.self, forKey: .place)
    source = try object.decodeIfPresent(String.self, forKey: .source)
    licence = try object.decodeIfPresent(String.self, forKey: .licence)
    redistributable = try object.decodeIfPresent(Bool.self, forKey: .redistributable)
    imu = try object.decodeIfPresent(IMU.self, forKey: .imu)
    gnss = try object.decodeIfPresent(String.self, forKey: .gnss)
    wheel = try object.decodeIfPresent(String.self, forKey: .wheel)
    barometer = try object.decodeIfPresent(String.self, forKey: .barometer)
    truth = try object.decodeIfPresent(Truth.self, forKey: .truth)
    if let note = try? object.decode(String.self, forKey: .notes) {
      notes = [note]
    } else {
      notes = try object.decodeIfPresent([String].self, forKey: .notes) ?? []
    }
    leapSeconds = try object.decodeIfPresent(Int.self, forKey: .leapSeconds)
    if let text = try object.decodeIfPresent(String.self, forKey: .startUTC) {
      guard let start = ImportTime.utc(calendar: text) else {
        throw DecodingError.dataCorruptedError(
          forKey: .startUTC, in: object,
          debugDescription: "\"\(text)\" is no time; write UTC as 2026-03-01T12:00:00Z")
      }
      startUTC = start
    }
    if let arm = try object.decodeIfPresent([Double].self, forKey: .antennaLeverArm) {
      guard arm.count == 3 else {
        throw DecodingError.dataCorruptedError(
          forKey: .antennaLeverArm, in: object,
          debugDescription: "three numbers are needed: forward, right, down")
      }
      antennaLeverArm = Vector3(arm[0], arm[1], arm[2])
    }
  }

  /// Writes every key of the format; what is not known is null, and UTC and barometer are left out.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CodingKeys.self)
    try object.encode(name, forKey: .name)
    try object.encode(kind, forKey: .kind)
    try object.encode(place, forKey: .place)
    try object.encode(source, forKey: .source)
    try object.encode(licence, forKey: .licence)
    try object.encode(redistributable, forKey: .redistributable)
    try object.encode(imu, forKey: .imu)
    try object.encode(antennaLeverArm.map { [$0.x, $0.y, $0.z] }, forKey: .antennaLeverArm)
    try object.encode(gnss, forKey: .gnss)
    try object.encode(wheel, forKey: .wheel)
    try object.encodeIfPresent(barometer, forKey: .barometer)
    try object.encode(truth, forKey: .truth)
    try object.encode(notes, forKey: .notes)
    try object.encodeIfPresent(
      startUTC.map { UTC.text(Timestamp(nanoseconds: 0), origin: $0) }, forKey: .startUTC)
    try object.encodeIfPresent(leapSeconds, forKey: .leapSeconds)
  }
}
