import Navigation

/// The members of the protocol, but for `utc`, which is a text in ISO 8601. What is not valid is left out.
extension Location: Codable {
  private enum Key: String, CodingKey {
    case latitudeDegrees, longitudeDegrees, horizontalAccuracy
    case altitude, ellipsoidalAltitude, verticalAccuracy
    case courseDegrees, courseAccuracyDegrees, headingDegrees, headingAccuracyDegrees
    case speed, signedSpeed, speedAccuracy
    case timestamp, utc, sources, mode, floor
  }

  /// Reads what ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    func number(_ key: Key, _ missing: Double) throws -> Double {
      try members.decodeIfPresent(Double.self, forKey: key) ?? missing
    }
    let mode = try members.decodeIfPresent(String.self, forKey: .mode)
    self.init(
      coordinate: Coordinate(
        latitudeDegrees: try members.decode(Double.self, forKey: .latitudeDegrees),
        longitudeDegrees: try members.decode(Double.self, forKey: .longitudeDegrees)),
      horizontalAccuracy: try number(.horizontalAccuracy, -1),
      timestamp: Timestamp(nanoseconds: try members.decode(Int64.self, forKey: .timestamp)),
      sources: try members.decodeIfPresent(LocationSources.self, forKey: .sources) ?? [],
      mode: NavigationMode(word: mode))
    if let text = try members.decodeIfPresent(String.self, forKey: .utc) {
      guard let time = Timestamp(utcText: text) else {
        throw DecodingError.dataCorruptedError(
          forKey: .utc, in: members, debugDescription: "\(text) is no time such as 2026-05-01T12:00:00.000Z")
      }
      utc = time
    }
    altitude = try members.decodeIfPresent(Double.self, forKey: .altitude)
    ellipsoidalAltitude = try number(.ellipsoidalAltitude, 0)
    verticalAccuracy = try number(.verticalAccuracy, -1)
    courseDegrees = try number(.courseDegrees, 0)
    courseAccuracyDegrees = try number(.courseAccuracyDegrees, -1)
    headingDegrees = try number(.headingDegrees, 0)
    headingAccuracyDegrees = try number(.headingAccuracyDegrees, -1)
    speed = try number(.speed, 0)
    signedSpeed = try number(.signedSpeed, 0)
    speedAccuracy = try number(.speedAccuracy, -1)
    floor = try members.decodeIfPresent(Int.self, forKey: .floor).map(Floor.init(level:))
  }

  /// Writes what is valid.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    func encode(_ pairs: [(Key, Double)], ifValid accuracy: Double) throws {
      guard accuracy >= 0 else { return }
      for (key, value) in pairs { try members.encode(value, forKey: key) }
    }
    try members.encode(coordinate.latitudeDegrees, forKey: .latitudeDegrees)
    try members.encode(coordinate.longitudeDegrees, forKey: .longitudeDegrees)
    try encode([(.horizontalAccuracy, horizontalAccuracy)], ifValid: horizontalAccuracy)
    try encode(
      altitude.map { [(.altitude, $0)] } ?? [], ifValid: verticalAccuracy)
    try encode(
      [(.ellipsoidalAltitude, ellipsoidalAltitude), (.verticalAccuracy, verticalAccuracy)],
      ifValid: verticalAccuracy)
    try encode(
      [(.courseDegrees, courseDegrees), (.courseAccuracyDegrees, courseAccuracyDegrees)],
      ifValid: courseAccuracyDegrees)
    try encode(
      [(.headingDegrees, headingDegrees), (.headingAccuracyDegrees, headingAccuracyDegrees)],
      ifValid: headingAccuracyDegrees)
    try encode(
      [(.speed, speed), (.signedSpeed, signedSpeed), (.speedAccuracy, speedAccuracy)],
      ifValid: speedAccuracy)
    try members.encode(timestamp.nanoseconds, forKey: .timestamp)
    try members.encodeIfPresent(utc?.utcText, forKey: .utc)
    try members.encode(sources, forKey: .sources)
    try members.encodeIfPresent(mode?.word, forKey: .mode)
    try members.encodeIfPresent(floor?.level, forKey: .floor)
  }
}
