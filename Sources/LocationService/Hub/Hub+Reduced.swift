import Location
import Navigation

extension Hub {
  /// The place that the clients of `user` with reduced accuracy are told while the car is at `location`.
  mutating func reducedPlace(of location: Location, for user: UInt32) -> Location? {
    let new = reducedPlaces[user, default: ReducedAccuracy()].reduce(location)
    return new ?? reducedPlaces[user]?.last
  }

  /// The same for a question asked now; nil where waiting could bring another.
  mutating func reducedAnswer(for user: UInt32) -> Location? {
    if let location = coarseLocation ?? engineLocation { return reducedPlace(of: location, for: user) }
    guard let last = reducedPlaces[user]?.last,
      now.seconds(since: last.timestamp) < ReducedAccuracy.interval
    else { return nil }
    return last
  }
}
