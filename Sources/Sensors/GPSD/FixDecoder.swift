import CLibrary
import Navigation
import SensorEvents

/// TPV, with the SKY and GST that belong to it, to a fix: pure, so that replay and tests run the same code.
package struct FixDecoder: Sendable {
  /// Seconds that error statistics serve: until the next ones of a receiver that sends them every second.
  private static let statisticsLast = 1.5
  /// gpsd says position before accuracy at first, and until then a fix may be off by so much, m.
  private static let firstSigma = Vector3(15, 15, 30)
  /// After this time a receiver that states no accuracy is taken for one that never does, s.
  private static let firstLast = 2.0

  /// What the error estimates mean.
  package var accuracy: StatedAccuracy
  private var hdop: Double?
  private var errors: GPSDErrors?
  /// The TPV's own horizontal estimate at the epoch of `errors`.
  private var errorsHorizontal: Double?
  private var last: GPSDPosition?
  private var before: GPSDPosition?
  /// When the first fix held, and whether any has stated an accuracy.
  private var first: Timestamp?
  private var hasStated = false

  /// A decoder that has seen nothing yet.
  package init(accuracy: StatedAccuracy = .automatic) { self.accuracy = accuracy }

  /// What became of a TPV.
  package enum Outcome: Sendable, Equatable {
    /// A fix, or the news that there is none.
    case reading(FixReading)
    /// The receiver repeats its last fix.
    case duplicate
    /// There is a position, and it is not one to use.
    case unusable(Reason)

    /// Why a position is not used.
    package enum Reason: Sendable, Equatable {
      /// It has no time of validity.
      case noTime
      /// The receiver did not measure it: dead reckoning, surveyed in, simulated.
      case notMeasured(GPSDStatus)
      /// It lies nowhere on Earth.
      case notAPosition
    }
  }

  /// Keeps the dilution, which tells whose the error estimates are.
  package mutating func take(_ sky: SkyReading) { if let hdop = sky.hdop { self.hdop = hdop } }

  /// Keeps the receiver's own error statistics for the TPV of that time, or the next one.
  package mutating func take(_ errors: GPSDErrors) {
    self.errors = errors
    errorsHorizontal = last?.time == errors.time ? last?.eph : nil
  }

  /// Decodes a TPV.
  package mutating func take(_ position: GPSDPosition) -> Outcome {
    guard position.mode >= 2 else { return .reading(noFix(position)) }
    guard position.status.isMeasured else { return .unusable(.notMeasured(position.status)) }
    // Exactly zero in both is what a receiver sends that has nothing to send.
    guard abs(position.latitude) <= 90, abs(position.longitude) <= 360,
      position.latitude != 0 || position.longitude != 0
    else { return .unusable(.notAPosition) }
    guard let time = position.time else { return .unusable(.noTime) }
    if let last, isRepeated(position, of: last) { return .duplicate }
    if last?.time != time { before = last }
    last = position
    first = first ?? time
    hasStated = hasStated || position.estimates(hdop: hdop).positionSigma(accuracy) != nil
    return .reading(fix(position, at: time))
  }

  /// There is a receiver, no position, and a time only where it knows one: else it is zero.
  private func noFix(_ position: GPSDPosition) -> FixReading {
    let nowhere = GeodeticPosition(latitude: .nan, longitude: .nan, height: .nan)
    let time = position.time ?? Timestamp(nanoseconds: 0)
    return FixReading(fix: GNSSFix(time: time, position: nowhere), dimensions: .none)
  }

  private func fix(_ position: GPSDPosition, at time: Timestamp) -> FixReading {
    let (height, heightAboveSeaLevel) = heights(position)
    var fix = GNSSFix(
      time: time,
      position: GeodeticPosition(
        latitudeDegrees: position.latitude, longitudeDegrees: position.longitude, height: height),
      positionSigma: sigma(position), velocityNED: velocity(position))
    if fix.velocityNED != nil, isReceiversOwnSpeedError(position) {
      let scale = accuracy == .percent95 ? 1 / 1.96 : 1
      if position.eps > 0, position.eps < 1e3 { fix.speedSigma = position.eps * scale }
      if position.epd > 0, position.epd < 360 {
        fix.courseSigma = Angle.radians(degrees: position.epd * scale)
      }
    }
    var reading = FixReading(fix: fix, dimensions: height.isNaN ? .two : .three)
    reading.heightAboveSeaLevel = heightAboveSeaLevel
    reading.isCorrected = position.status.isCorrected
    return reading
  }

  /// Above the ellipsoid, NaN where it is not known, and above sea level.
  private func heights(_ position: GPSDPosition) -> (ellipsoid: Double, seaLevel: Double?) {
    guard position.mode >= 3 else { return (.nan, nil) }
    func known(_ value: Double) -> Double? { value > -2e4 && value < 1e7 ? value : nil }
    let geoid = known(position.geoidHeight)
    let ellipsoid = known(position.heightAboveEllipsoid)
    let seaLevel = known(position.heightAboveSeaLevel)
    return (
      ellipsoid ?? seaLevel.flatMap { level in geoid.map { level + $0 } } ?? .nan,
      seaLevel ?? ellipsoid.flatMap { height in geoid.map { height - $0 } }
    )
  }

  /// The receiver's own statistics where they are of this epoch or the one before, else
  /// the estimates of the TPV.
  ///
  /// gpsd sends a GST behind the TPV of its epoch. So as not to wait for it, the one before is taken, scaled
  /// by what the TPV's own estimate says of the change since.
  private func sigma(_ position: GPSDPosition) -> Vector3? {
    let stated = position.estimates(hdop: hdop).positionSigma(accuracy)
    guard let errors, let time = position.time, errors.device == position.device,
      0...Self.statisticsLast ~= time.seconds(since: errors.time),
      0.001...1e6 ~= errors.north, 0.001...1e6 ~= errors.east
    else { return stated ?? firstSigma(at: position.time) }
    let up = 0.001...1e6 ~= errors.up ? errors.up : 2 * max(errors.north, errors.east)
    let change = position.eph / (errorsHorizontal ?? .nan)
    return Vector3(errors.north, errors.east, up) * (0.01...100 ~= change ? change : 1)
  }

  /// What a first fix may be off where gpsd passes it on before it knows; nil once that is over:
  /// the receiver may never say.
  private func firstSigma(at time: Timestamp?) -> Vector3? {
    guard !hasStated, let first, let time, 0..<Self.firstLast ~= time.seconds(since: first) else {
      return nil
    }
    return Self.firstSigma
  }

  /// North, east, down in m/s.
  private func velocity(_ position: GPSDPosition) -> Vector3? {
    let down = abs(position.velocityDown) < 1e4 ? position.velocityDown : -climb(position)
    if abs(position.velocityNorth) < 1e4, abs(position.velocityEast) < 1e4 {
      return Vector3(position.velocityNorth, position.velocityEast, down)
    }
    guard position.speed >= 0, position.speed < 1e4 else { return nil }
    if position.track.isFinite {
      let course = Angle.radians(degrees: position.track)
      return Vector3(position.speed * cos(course), position.speed * sin(course), down)
    }
    // Receivers leave the course out when they stand. gpsd also makes up a speed without
    // course, of two positions.
    return position.speed <= 0.1 ? Vector3(0, 0, down) : nil
  }

  /// The receiver's own vertical speed in m/s; not a number where it gives none: gpsd then makes one of two
  /// heights, which has their whole noise, and keeps the first that it made for all later fixes (3.22 with
  /// u-blox). A measured one hardly is the same to the digit twice.
  private func climb(_ position: GPSDPosition) -> Double {
    guard abs(position.climb) < 1e4, let before, let time = position.time, let earlier = before.time,
      position.climb != before.climb
    else { return .nan }
    let elapsed = time.seconds(since: earlier)
    let made = (position.heightAboveEllipsoid - before.heightAboveEllipsoid) / elapsed
    let rounding = 0.0006 + 1.1e-4 / abs(elapsed)  // three decimals of the climb, four of the heights
    return abs(position.climb - made) > rounding ? position.climb : .nan
  }

  /// gpsd makes a speed error of the position errors of two epochs over the time between,
  /// which is too large tenfold.
  private func isReceiversOwnSpeedError(_ position: GPSDPosition) -> Bool {
    guard position.epx.isFinite, position.epy.isFinite else { return true }
    guard let before, before.epx.isFinite, before.epy.isFinite, let time = position.time,
      let earlier = before.time
    else { return false }
    let made = (max(before.epx, before.epy) + max(position.epx, position.epy)) / time.seconds(since: earlier)
    return abs(position.eps - made) > 0.006 + 0.01 * abs(made)
  }

  /// Same time and place, and nothing that was missing then.
  private func isRepeated(_ position: GPSDPosition, of last: GPSDPosition) -> Bool {
    position.time == last.time && position.latitude == last.latitude && position.longitude == last.longitude
      && position.mode <= last.mode && (velocity(position) == nil || velocity(last) != nil)
  }
}
