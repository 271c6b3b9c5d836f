/// Told of what happens, for those who prefer that to a sequence. It is called on the manager's own thread,
/// one call at a time; a slow one loses old locations.
public protocol LocationManagerDelegate: AnyObject, Sendable {
  /// New locations of the standard service, oldest first.
  func locationManager(_ manager: LocationManager, didUpdate locations: [Location])
  /// Anything else.
  func locationManager(_ manager: LocationManager, didReceive event: LocationEvent)
}

extension LocationManagerDelegate {
  /// Nothing is done.
  public func locationManager(_ manager: LocationManager, didReceive event: LocationEvent) {}
}
