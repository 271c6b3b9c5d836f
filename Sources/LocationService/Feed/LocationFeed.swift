import Fusion
import Location

/// Something that knows where the car is, and says so to a host.
public protocol LocationFeed: AnyObject, Sendable {
  /// Begins to publish to `host`, from `savedState` if that still holds.
  func start(host: LocationHost, savedState: SavedState?) throws
  /// Ends, and waits for it at most so long.
  func stop(within seconds: Double)
  /// What must run for the clients that there are.
  func demand(_ demand: HardwareDemand)
  /// What an engine can start from later; nil while that is not known.
  var savedState: SavedState? { get }
}

extension LocationFeed {
  /// Nothing can be turned off.
  public func demand(_ demand: HardwareDemand) {}
}
