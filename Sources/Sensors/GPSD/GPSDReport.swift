import Navigation
import SensorEvents

/// One report of gpsd, in gpsd's own units, free of C. What is not stated is NaN, or nil.
package enum GPSDReport: Sendable {
  /// gpsd's greeting.
  case version(release: String, protocolMajor: Int)
  /// All its receivers.
  case devices([GPSDDevice])
  /// One that came, went or changed.
  case device(GPSDDevice)
  /// Time, position and velocity.
  case position(GPSDPosition)
  /// Satellites in view; an empty list where only the dilution was reported.
  case sky(SkyReading, device: String)
  /// The receiver's own error statistics.
  case errors(GPSDErrors)
  /// The receiver's time when a message of it had come (TOFF), or a pulse (PPS).
  case offset(GPSDOffset)
  /// gpsd refuses something.
  case error(String)
}

/// A receiver as gpsd knows it.
package struct GPSDDevice: Sendable, Equatable {
  package var path: String
  /// Whether gpsd has it open.
  package var isActive: Bool
  /// What gpsd takes it for; empty where it does not know yet.
  package var driver = ""
  /// The least time from one report to the next that gpsd can set it to, in seconds;
  /// nil where it can set none.
  package var fastestCycle: Double?

  /// A receiver at `path`.
  package init(path: String, isActive: Bool) {
    self.path = path
    self.isActive = isActive
  }
}

/// A TPV: degrees, metres, m/s.
package struct GPSDPosition: Sendable {
  /// Path of the receiver; empty where gpsd does not say.
  package var device = ""
  /// UTC since 1970, leap seconds corrected by gpsd.
  package var time: Timestamp?
  /// 0 not seen yet, 1 no fix, 2 two dimensions, 3 three.
  package var mode = 0
  /// How the fix was made.
  package var status = GPSDStatus.unknown
  /// Degrees north and east.
  package var latitude = Double.nan, longitude = Double.nan
  /// Metres above the ellipsoid, above mean sea level, and of the latter above the former.
  package var heightAboveEllipsoid = Double.nan, heightAboveSeaLevel = Double.nan, geoidHeight = Double.nan
  /// Error estimates in metres: horizontal, east, north, vertical.
  package var eph = Double.nan, epx = Double.nan, epy = Double.nan, epv = Double.nan
  /// Error estimates of speed in m/s and of track in degrees.
  package var eps = Double.nan, epd = Double.nan
  /// Course over ground in degrees, speed over ground in m/s, vertical speed upward in m/s, the
  /// receiver's or made by gpsd.
  package var track = Double.nan, speed = Double.nan, climb = Double.nan
  /// Velocity in m/s by the receiver itself.
  package var velocityNorth = Double.nan, velocityEast = Double.nan, velocityDown = Double.nan

  /// Nothing known.
  package init() {}

  func estimates(hdop: Double?) -> GPSDEstimates {
    GPSDEstimates(eph: eph, epx: epx, epy: epy, epv: epv, hdop: hdop, status: status.rawValue)
  }
}

/// A GST: standard deviations in metres.
package struct GPSDErrors: Sendable {
  /// Path of the receiver.
  package var device: String
  /// The epoch that they belong to.
  package var time: Timestamp
  /// North, east and vertical.
  package var north: Double, east: Double, up: Double

  /// Errors of one epoch.
  package init(device: String, time: Timestamp, north: Double, east: Double, up: Double) {
    self.device = device
    self.time = time
    self.north = north
    self.east = east
    self.up = up
  }
}

/// A TOFF or PPS: two clocks at one moment.
package struct GPSDOffset: Sendable, Equatable {
  /// Path of the receiver.
  package var device: String
  /// The receiver's UTC.
  package var receiver: Timestamp
  /// The realtime clock of gpsd's host.
  package var realtime: Timestamp
  /// A pulse (PPS), not the arrival of a message (TOFF).
  package var isPulse: Bool

  /// Two clocks at one moment.
  package init(device: String, receiver: Timestamp, realtime: Timestamp, isPulse: Bool) {
    self.device = device
    self.receiver = receiver
    self.realtime = realtime
    self.isPulse = isPulse
  }
}
