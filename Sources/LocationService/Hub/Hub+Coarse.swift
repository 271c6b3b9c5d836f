import Location
import Navigation

extension Hub {
  /// Seconds for which a place by cells or access points is one: a car has gone some kilometres then.
  static let longestCoarse = 60.0

  /// Takes a place by cells or access points. It is told while the engine has none, and the
  /// engine's first takes its place.
  public mutating func update(coarse location: Location, at now: Timestamp, utc: Timestamp?) {
    self.now = max(now, self.now)
    endTemporaryAccuracy()
    coarse = location.isValid ? location : nil
    if engineLocation == nil, let coarse { offer(coarse, at: now) }
    tick(at: self.now, utc: utc)
  }

  /// The engine's place, as long as it says one.
  var engineLocation: Location? {
    guard let location = latest.location, location.isValid,
      now.seconds(since: location.timestamp) <= StatusHeartbeat.longestSilence
    else { return nil }
    return location
  }

  /// The place by cells or access points, while it is fresh and the engine has none.
  var coarseLocation: Location? {
    guard engineLocation == nil, let coarse, now.seconds(since: coarse.timestamp) <= Self.longestCoarse else {
      return nil
    }
    return coarse
  }

  /// What is known best, perhaps of a while ago: a car may have gone 40 m in each second since.
  var known: Location? {
    leastDoubtful(of: [latest.location, coarseLocation, lastKnown]) { _ in true }
  }

  func leastDoubtful(of places: [Location?], where isFit: (Location) -> Bool) -> Location? {
    let candidates = places.compactMap { $0 }.filter { $0.isValid && isFit($0) }
    func doubt(_ location: Location) -> Double {
      location.horizontalAccuracy + 40 * max(0, now.seconds(since: location.timestamp))
    }
    return candidates.min { doubt($0) < doubt($1) }
  }
}
