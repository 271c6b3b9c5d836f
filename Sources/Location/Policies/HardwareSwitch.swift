import Navigation

/// What hardware runs while the demand changes: more of it at once, less only after a while, so that a client
/// that comes again finds everything as it was.
public struct HardwareSwitch: Sendable {
  /// Seconds for which something runs on after it was last needed.
  public let patience: Double
  /// What is to run.
  public private(set) var running = HardwareDemand.off
  private var rateNeeded: Timestamp?
  private var inertialNeeded: Timestamp?

  /// Nothing runs yet.
  public init(patience: Double) { self.patience = patience }

  /// What is to run for `demand` from `now` on; to be asked again and again.
  public mutating func update(_ demand: HardwareDemand, at now: Timestamp) -> HardwareDemand {
    if demand.gnssRate >= running.gnssRate || isOver(rateNeeded, now) {
      running.gnssRate = demand.gnssRate
      rateNeeded = now
    }
    if demand.isInertialOn || isOver(inertialNeeded, now) {
      running.isInertialOn = demand.isInertialOn
      inertialNeeded = now
    }
    return running
  }

  private func isOver(_ needed: Timestamp?, _ now: Timestamp) -> Bool {
    needed.map { now.seconds(since: $0) >= patience } ?? true
  }
}
