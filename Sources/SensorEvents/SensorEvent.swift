import Navigation

/// One thing that a sensor's reader has to say, as it was handed over: what is recorded, and what
/// live and replay both run on.
public struct SensorEvent: Sendable, Equatable {
  /// Who says it.
  public var source: SourceID
  /// When the reader had it in hand, on the host clock.
  public var arrival: Timestamp
  /// What it says.
  public var content: Content

  /// `content` of `source`, in hand at `arrival` on the host clock.
  public init(source: SourceID, arrival: Timestamp, content: Content) {
    self.source = source
    self.arrival = arrival
    self.content = content
  }

  /// The kinds of content.
  public enum Content: Sendable, Equatable {
    /// A sample of gyroscope and accelerometer.
    case inertial(InertialReading)
    /// A fix of a GNSS receiver.
    case fix(FixReading)
    /// The satellites that the receiver sees.
    case sky(SkyReading)
    /// Speed, and what else the car tells.
    case wheel(WheelReading)
    /// Air pressure.
    case pressure(PressureReading)
    /// Temperature of the IMU in degrees Celsius.
    case temperature(celsius: Double)
    /// Two clocks read at one moment.
    case clocks(ClockComparison)
    /// So many items of this source were lost before this one.
    case lost(count: Int)
    /// The source's state has changed, or is said again.
    case status(SourceStatus)
  }
}

/// A source, by the order in which it was configured.
public struct SourceID: Sendable, Hashable {
  /// Its place in that order.
  public var rawValue: UInt8

  /// The source at place `rawValue`.
  public init(_ rawValue: UInt8) { self.rawValue = rawValue }
}

/// Angular rate and specific force as the device gives them, in its own time.
public struct InertialReading: Sendable, Equatable {
  /// When they held, on `clock`.
  public var time: Timestamp
  /// The clock of `time`.
  public var clock: ClockKind
  /// rad/s in the IMU's axes, after scale, offset and mount matrix.
  public var angularRate: Vector3
  /// m/s² in the IMU's axes, after scale, offset and mount matrix.
  public var specificForce: Vector3

  /// Rate (rad/s) and force (m/s²) at `time` on `clock`.
  public init(time: Timestamp, clock: ClockKind, angularRate: Vector3, specificForce: Vector3) {
    self.time = time
    self.clock = clock
    self.angularRate = angularRate
    self.specificForce = specificForce
  }
}

/// A fix as the receiver states it, in its own time.
public struct FixReading: Sendable, Equatable {
  /// What it states; `time` is UTC (``ClockKind/receiver``) since 1970, `received` is nil.
  public var fix: GNSSFix
  /// How many dimensions it has.
  public var dimensions: Dimensions
  /// Height above mean sea level in metres, where it is known.
  public var heightAboveSeaLevel: Double?
  /// Whether corrections were applied (differential, RTK).
  public var isCorrected = false

  /// What is known of a fix.
  public enum Dimensions: UInt8, Sendable {
    /// The receiver is there and has no fix.
    case none
    /// Horizontal position only.
    case two
    /// Position with height.
    case three
  }

  /// A fix of so many dimensions.
  public init(fix: GNSSFix, dimensions: Dimensions) {
    self.fix = fix
    self.dimensions = dimensions
  }
}

/// The satellites that a receiver sees.
public struct SkyReading: Sendable, Equatable {
  /// How many are in view.
  public var visible: Int
  /// How many are used in the fix.
  public var used: Int
  /// Dilution of precision, horizontal, where it is stated.
  public var hdop: Double?
  /// Each of them, as far as it is told.
  public var satellites: [Satellite]

  /// One satellite; an angle or a strength that is not known is nil.
  public struct Satellite: Sendable, Equatable {
    /// gpsd's constellation number: 0 GPS, 1 SBAS, 2 Galileo, 3 BeiDou, 5 QZSS, 6 GLONASS.
    public var constellation: UInt8
    /// Number within gpsd's numbering.
    public var number: Int16
    /// Above the horizon, in degrees.
    public var elevationDegrees: Double?
    /// From north through east, in degrees.
    public var azimuthDegrees: Double?
    /// Carrier to noise density in dB-Hz.
    public var strength: Double?
    /// Whether the fix uses it.
    public var isUsed: Bool

    /// One satellite.
    public init(
      constellation: UInt8, number: Int16, elevationDegrees: Double?, azimuthDegrees: Double?,
      strength: Double?,
      isUsed: Bool
    ) {
      self.constellation = constellation
      self.number = number
      self.elevationDegrees = elevationDegrees
      self.azimuthDegrees = azimuthDegrees
      self.strength = strength
      self.isUsed = isUsed
    }
  }

  /// `used` of `visible` satellites.
  public init(visible: Int, used: Int, hdop: Double? = nil, satellites: [Satellite] = []) {
    self.visible = visible
    self.used = used
    self.hdop = hdop
    self.satellites = satellites
  }
}

/// What the car tells of its motion, at the moment of arrival unless a time is given.
public struct WheelReading: Sendable, Equatable {
  /// When it held, on `clock`; nil where only the arrival is known.
  public var time: Timestamp?
  /// The clock of `time`.
  public var clock: ClockKind
  /// m/s; negative when the car says that it goes backward.
  public var speed: Double
  /// rad/s, positive to the right, where the car knows it.
  public var yawRate: Double?

  /// A speed in m/s, with the time and yaw rate that are known.
  public init(time: Timestamp? = nil, clock: ClockKind = .host, speed: Double, yawRate: Double? = nil) {
    self.time = time
    self.clock = clock
    self.speed = speed
    self.yawRate = yawRate
  }
}
