import Navigation

/// One point of a track that another system made; what it does not say is nil.
public struct TrackFilePoint: Sendable {
  /// Where the point stood in the metres of a file without a place on the Earth: east, north, up, and the
  /// rotation to these axes from those of the body, as the file has them.
  public struct Pose: Sendable {
    /// Metres.
    public var position: Vector3
    /// Of unit length.
    public var attitude: Quaternion
  }

  /// Time, as the file counts it (see ``isUTC``), position, velocity and attitude.
  public var sample: TruthSample
  /// Whether the time is UTC since 1970; else the file does not say since when it counts.
  public var isUTC = false
  /// Whether the file says that it is GPS time, from which ``sample`` was brought to UTC.
  public var isGPS = false
  /// Stated covariance of the position in NED, m².
  public var covariance: Matrix3?
  /// Stated radii in metres that hold the truth with 68 % and 95 % probability, where the file has them.
  public var radius68: Double?, radius95: Double?
  /// The pose of a file in metres.
  public var pose: Pose?

  init(_ sample: TruthSample) { self.sample = sample }
}

extension GeodeticPosition {
  /// The place at these degrees; nil where there is none.
  init?(trackLatitude latitude: Double, longitude: Double, height: Double) {
    guard abs(latitude) <= 90, abs(longitude) <= 360 else { return nil }
    self.init(latitudeDegrees: latitude, longitudeDegrees: longitude, height: height.known ?? .nan)
  }
}

extension TrackFilePoint {
  /// Columns of our own tracks with the covariance of the position, as ``covariance`` is made of them.
  static let covarianceColumns = [
    "north_north", "north_east", "north_down", "east_east", "east_down", "down_down",
  ].map { "covariance_\($0)_m2" }
}

extension Matrix3 {
  /// The covariance of ``TrackFilePoint/covarianceColumns``; nil where one of them is not known.
  init?(trackCovariance c: [Double]) {
    guard c.allSatisfy(\.isFinite) else { return nil }
    self.init(columns: Vector3(c[0], c[1], c[2]), Vector3(c[1], c[3], c[4]), Vector3(c[2], c[4], c[5]))
  }

  /// The covariance of these standard deviations north, east and down; nil where they are none.
  init?(trackSigma north: Double, _ east: Double, _ down: Double) {
    guard north > 0, east > 0, north < 1e9, east < 1e9 else { return nil }
    let vertical = down > 0 && down < 1e9 ? down : 2 * max(north, east)
    self.init(diagonal: Vector3(north * north, east * east, vertical * vertical))
  }
}
