import Drives
import Navigation

/// How far the estimate wanders while the car stands: its largest distance from where it was 2 s after the
/// stop, of every stop that truth shows for at least 5 s.
package struct StandstillDrift: Sendable {
  /// Horizontal drift of each finished stop in metres.
  package private(set) var drifts: [Double] = []
  private var stop: (since: Timestamp, last: Timestamp)?
  private var origin: GeodeticPosition?
  private var drift = 0.0

  package init() {}

  /// Takes the estimate at the time of `truth`.
  package mutating func add(_ position: GeodeticPosition, truth: TruthSample) {
    guard let velocity = truth.velocityNED, velocity.horizontalNorm < 0.1 else {
      finish()
      return
    }
    let since = stop?.since ?? truth.time
    stop = (since, truth.time)
    if let origin {
      drift = max(drift, position.displacement(from: origin).horizontalNorm)
    } else if truth.time.seconds(since: since) >= 2 {
      origin = position
    }
  }

  /// Ends a stop that lasts to the end of the drive.
  package mutating func finish() {
    if let stop, origin != nil, stop.last.seconds(since: stop.since) >= 5 { drifts.append(drift) }
    stop = nil
    origin = nil
    drift = 0
  }
}
