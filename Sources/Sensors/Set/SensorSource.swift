/// A reader of one sensor on a thread of its own, which posts to the sink that it was made with.
public protocol SensorSource: AnyObject, Sendable {
  /// Starts reading; a second call does nothing.
  func start()
  /// Ends reading, waits for that for at most `seconds`, and returns whether it has ended. It
  /// cannot be started again.
  @discardableResult func stop(within seconds: Double) -> Bool
}

extension GPSDSource: SensorSource {}
extension IIOSource: SensorSource {}
